"""Messages that the page's field sends: JSON, or a form with files; checked here, and submitted on a thread."""

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, Field
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message as ReceivedMessage
from starlette.types import Receive

from api.auth import SignInClaims
from api.body import MOST_BYTES, read_body, validated
from api.errors import ApiError, api_error
from api.live.page_checks import student_of
from services.assistants.assistant import DEFAULT_ASSISTANT
from services.errors import HomeroomError
from services.files.limits import LARGEST_FILE, LARGEST_MB, LARGEST_MESSAGE, MOST_FILES
from services.files.upload import FilesRefused, Upload, error_for_student
from services.i18n import gettext, locale_scope
from services.llm.effort import checked_effort
from services.turns.start import TurnIds
from services.wiring.container import ServiceContainer

FORM_DEADLINE_S = 120.0
"""Seconds in which the files of one message must arrive."""
MOST_FIELD_BYTES = 256 * 1024
LARGEST_FORM = LARGEST_MESSAGE + LARGEST_FILE
"""Bytes of a body: one that is a little too large is read, so that the student hears which file it is."""
_LONGEST_SIZE = 15
"""Digits of a Content-Length."""
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


class MessageBody(BaseModel):
    """Body of a message. assistant and effort count for a new chat only; None for the default one, and for its own.

    tab: random id of the tab, which draws the answer by itself, while the chat's other tabs are told to.
    """

    text: str
    tab: str = Field(default="", max_length=64)
    assistant: str | None = Field(default=None, max_length=100)
    effort: str | None = Field(default=None, max_length=40)


@dataclass(frozen=True, kw_only=True)
class Message:
    body: MessageBody = field(repr=False)
    uploads: list[Upload] = field(repr=False)
    key: str = field(repr=False)


def body_size(request: Request) -> int:
    """Bytes that the body may have at most; raises `ApiError` 413 for one that says to be larger than any message."""
    most = LARGEST_FORM if has_files(request) else MOST_BYTES
    declared = request.headers.get("content-length", "")
    if not declared.isdecimal() or len(declared) > _LONGEST_SIZE:
        # It comes in chunks: they are counted while they are read.
        return most
    if int(declared) > most and has_files(request):
        raise _too_large()
    return min(int(declared), most)


def has_files(request: Request) -> bool:
    """Whether the message comes as a form, which is how files come."""
    return request.headers.get("content-type", "").lower().startswith("multipart/form-data")


def require_key(request: Request) -> str:
    """The key of the message; raises `ApiError` 400."""
    key = request.headers.get("idempotency-key", "")
    if not _KEY.fullmatch(key):
        raise ApiError(400, "missing_idempotency_key", "Send a random Idempotency-Key of at most 200 characters.")
    return key


async def read_message(request: Request) -> Message:
    """Read the request. Raises `ApiError` 400, 408, 413, 415 or 422."""
    key = require_key(request)
    if has_files(request):
        try:
            body, uploads = await asyncio.wait_for(_read_form(request), FORM_DEADLINE_S)
        except TimeoutError:
            message = gettext("The files took too long to arrive. Send them once more, or smaller ones.")
            raise ApiError(408, "too_slow", message, headers={"connection": "close"}) from None
        return Message(body=body, uploads=uploads, key=key)
    return Message(body=await read_body(request, MessageBody), uploads=[], key=key)


async def _read_form(request: Request) -> tuple[MessageBody, list[Upload]]:
    body_size(request)
    uploads, fields = [], dict[str, Any]()
    try:
        async with Request(request.scope, _counted(request)).form(
            max_files=MOST_FILES * 2, max_fields=10, max_part_size=MOST_FIELD_BYTES
        ) as form:
            for name, value in form.multi_items():
                if isinstance(value, UploadFile):
                    uploads.append(Upload(name=value.filename or "", content=await value.read()))
                else:
                    fields[name] = value
    except (MultiPartException, HTTPException):
        # The second is what Starlette makes of the first.
        raise ApiError(400, "bad_form", gettext("The files did not arrive whole. Send them once more.")) from None
    return validated({"text": fields.get("text", ""), **fields}, MessageBody), uploads


def _counted(request: Request) -> Receive:
    """What `request` receives, as far as `LARGEST_FORM`, whatever its headers say or do not."""
    arrived = 0

    async def receive() -> ReceivedMessage:
        nonlocal arrived
        message = await request.receive()
        arrived += len(message.get("body", b""))
        if arrived > LARGEST_FORM:
            raise _too_large()
        return message

    return receive


def _too_large() -> ApiError:
    message = gettext("The files are too large: {megabytes} MB is the most for one.", megabytes=LARGEST_MB)
    return ApiError(413, "too_large", message, headers={"connection": "close"})


def submit(services: ServiceContainer, claims: SignInClaims, message: Message, conversation_id: str | None) -> TurnIds:
    """Submit the message, on a worker thread. Raises `ApiError` with a sentence in the student's language."""
    student = student_of(services.students, claims)
    body = message.body
    with locale_scope(student.locale), services.conversations.changes.made_by(body.tab):
        try:
            return services.submissions.submit(
                student,
                body.text,
                message.uploads,
                key=message.key,
                conversation_id=conversation_id,
                assistant=_assistant(services, student.id, body.assistant)
                if conversation_id is None
                else DEFAULT_ASSISTANT,
                effort=checked_effort(body.effort or None),
            )
        except HomeroomError as error:
            found = api_error(error_for_student(error, message.uploads))
            if isinstance(error, FilesRefused):
                # The field keeps the other files.
                found.details["refused"] = sorted(error.refused)
            raise found from error


def _assistant(services: ServiceContainer, student_id: str, id: str | None) -> str:
    """Check that the student has such an assistant; the default one, which is always there, for None."""
    is_default = not id or id == DEFAULT_ASSISTANT
    return DEFAULT_ASSISTANT if is_default else services.assistants.for_student(student_id, id or "").id
