"""Review of flashcards: the queue, ratings and what else a student does with a card, each as one small request."""

import base64
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from api.auth import SignInClaims
from api.body import read_body
from api.errors import FRESH, ApiError
from api.live.page_checks import PageChecks, student_of
from api.live.rate_limits import PRACTICE, LiveLimits
from api.live.review_card import again_s, card_json, queue_json, ratings_json
from api.workers import Workers
from services.i18n import gettext, locale_scope
from services.identity.students import Student
from services.study.flashcard import Flashcard, ReviewRating
from services.study.review.deck import LONGEST_SIDE
from services.wiring.container import ServiceContainer

DEADLINE_S = 15.0
THREADS = 4
MOST_AHEAD = 30
"""Cards of a queue that are sent at once, so that the next one needs no waiting."""
PICTURE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
Id = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[\w.:-]+$")]


class QueueRequest(BaseModel):
    """course: its key, "" for all. more: beyond today's portion."""

    course: str = Field(default="", max_length=300)
    limit: int = Field(default=20, ge=1, le=MOST_AHEAD)
    more: bool = False


class CardRequest(BaseModel):
    card: Id


class RatingRequest(CardRequest):
    """id: idempotency key of the browser's making. ago: seconds since it was given, for one that was kept offline."""

    rating: int = Field(ge=1, le=4)
    id: Id
    seconds: float = Field(default=0.0, ge=0.0, le=86_400.0)
    ago: float = Field(default=0.0, ge=0.0, le=10_000_000.0)


class UndoRequest(BaseModel):
    """id: of the review to take back; "" for the last one."""

    id: str = Field(default="", max_length=80)


class EditRequest(CardRequest):
    front: str = Field(max_length=2 * LONGEST_SIDE)
    back: str = Field(max_length=2 * LONGEST_SIDE)


class SwitchRequest(CardRequest):
    """on: whether the card is suspended, or for the exam."""

    on: bool


class PictureRequest(CardRequest):
    number: int = Field(ge=0, le=100)


Work = Callable[[Student, Any], Any]


class CardReview:
    def __init__(self, services: ServiceContainer, limits: LiveLimits, checks: PageChecks) -> None:
        self._students, self._study, self._clock = services.students, services.study, services.clock
        self._limits, self._checks = limits, checks
        self._workers = Workers(size=THREADS)

    async def queue(self, request: Request) -> ASGIApp:
        """The next cards, and what is left of today."""
        return await self._answer(request, QueueRequest, self._queue)

    async def rate(self, request: Request) -> ASGIApp:
        """Count a rating; the same id again counts once."""
        return await self._answer(request, RatingRequest, self._rate)

    async def undo(self, request: Request) -> ASGIApp:
        """Take back a rating; the card comes along, to be shown again."""
        return await self._answer(request, UndoRequest, self._undo)

    async def edit(self, request: Request) -> ASGIApp:
        """Change the words of a card."""
        return await self._answer(request, EditRequest, self._edit)

    async def suspend(self, request: Request) -> ASGIApp:
        """Ask a card no more, or again."""
        return await self._answer(request, SwitchRequest, self._suspend)

    async def for_exam(self, request: Request) -> ASGIApp:
        """Say whether a card is for the exam."""
        return await self._answer(request, SwitchRequest, self._for_exam)

    async def picture(self, request: Request) -> ASGIApp:
        """A picture of a card."""
        content, media_type = await self._run(request, PictureRequest, self._picture)
        return Response(content, media_type=media_type, headers={**FRESH, "x-content-type-options": "nosniff"})

    async def _answer(self, request: Request, model: type[BaseModel], work: Work) -> ASGIApp:
        return JSONResponse(await self._run(request, model, work), headers=FRESH)

    async def _run(self, request: Request, model: type[BaseModel], work: Work) -> Any:
        claims = self._checks.claims(request, changes=True)
        self._limits.spend(claims, PRACTICE)
        asked = await read_body(request, model)
        return await self._workers.run(
            "review", DEADLINE_S, partial(self._as_student, claims, asked, work), lane=claims.lane
        )

    def _as_student(self, claims: SignInClaims, asked: BaseModel, work: Work) -> Any:
        student = student_of(self._students, claims)
        with locale_scope(student.locale):
            return work(student, asked)

    def _queue(self, student: Student, asked: QueueRequest) -> Any:
        queue = self._study.reviews.queue(student, asked.course, limit=asked.limit, is_more=asked.more)
        cards = [card_json(card, queue.intervals[card.id], has_exam=card.id in queue.for_exam) for card in queue.cards]
        return {"cards": cards, **queue_json(queue, student, self._clock)}

    def _rate(self, student: Student, asked: RatingRequest) -> Any:
        rated = self._study.reviews.rate(
            student,
            asked.card,
            ReviewRating(asked.rating),
            review_id=asked.id,
            seconds=asked.seconds,
            ago=timedelta(seconds=asked.ago),
        )
        due_at = rated.card.due_at
        after = again_s(due_at - self._clock()) if due_at and not rated.review.is_undone else None
        ratings = None if after is None else ratings_json(self._study.reviews.intervals(student, rated.card))
        return {"card": rated.card.id, "undo": rated.undo, "again_s": after, "ratings": ratings}

    def _undo(self, student: Student, asked: UndoRequest) -> Any:
        undone = self._study.reviews.undo(student, asked.id)
        return {"card": self._card(student, undone.card), "undo": undone.undo}

    def _edit(self, student: Student, asked: EditRequest) -> Any:
        card = self._study.cards.edit(student, asked.card, front=asked.front, back=asked.back)
        return {"card": self._card(student, card)}

    def _suspend(self, student: Student, asked: SwitchRequest) -> Any:
        self._study.cards.suspend(student, [asked.card], is_suspended=asked.on)
        return {}

    def _for_exam(self, student: Student, asked: SwitchRequest) -> Any:
        card = self._study.cards.set_for_exam(student, asked.card, is_for_exam=asked.on)
        return {"card": self._card(student, card)}

    def _picture(self, student: Student, asked: PictureRequest) -> tuple[bytes, str]:
        pictures = self._study.cards.pictures(student, asked.card)
        if asked.number >= len(pictures) or pictures[asked.number].media_type not in PICTURE_TYPES:
            raise ApiError(404, "not_found", gettext("There is no such picture."))
        picture = pictures[asked.number]
        return base64.b64decode(picture.data), picture.media_type

    def _card(self, student: Student, card: Flashcard) -> Any:
        intervals = self._study.reviews.intervals(student, card)
        return card_json(card, intervals, has_exam=self._study.reviews.has_exam(student, card))
