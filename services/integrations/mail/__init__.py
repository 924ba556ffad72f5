"""Mail integration: drafts a message for the student's own mail program; Homeroom itself sends nothing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from pydantic import Field

from services.errors import BadArguments, RequestRefused
from services.i18n import gettext, gettext_noop
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.llm.citations import Source
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.seen_addresses import AddressUnsure
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import Example

_LABEL = "Mail"


# Addresses that need no encoding; quoted local parts and other rarities are left to the student.
_BARE = r"[-.\w+]{1,64}@[-\w]+(?:\.[-\w]+)+"
_ADDRESS = re.compile(rf"({_BARE})|[^<>@,;:\r\n]*<({_BARE})>", re.ASCII)
UNKNOWN = gettext_noop(
    "Only addresses that the student wrote, or that an earlier result brought, can be put into a draft."
)
ASK = gettext_noop("Have the student write the address in this chat, or leave it out to be filled in later.")
TITLE = gettext_noop("Open in your mail program")
Addresses = Annotated[list[Annotated[str, Field(min_length=3, max_length=200)]], Field(max_length=10)]
LONGEST_LINK = 1_900
"""Characters that mail programs and browsers accept: Windows cuts such a link at 2,048."""


@tool(
    label=gettext_noop("Drafting a message"),
    title=gettext_noop("Draft a message"),
    summary=gettext_noop("Prepare an e-mail that you check and send in your own mail program"),
    category="mail",
    contexts=("mail", "writing"),
    usage_hint="Prepares an e-mail that the student checks and sends themselves.",
    when=("the student wants to write to an instructor or an office",),
    when_not=("it is to be sent at once: Homeroom never sends mail",),
    examples=(
        Example(
            description="Write to anne.okafor@campus.example that I'm ill and can't come to lab tomorrow",
            arguments={
                "to": ["anne.okafor@campus.example"],
                "subject": "Absence from lab on 24 November",
                "body": "Dear Dr. Okafor,\n\nI am ill and cannot come to lab tomorrow.\n\nBest,\nSam",
            },
        ),
    ),
)
def mail_draft(
    context: ToolExecutionContext,
    *,
    subject: Annotated[str, Field(min_length=1, max_length=200, description="The subject line.")],
    body: Annotated[str, Field(min_length=1, max_length=10_000, description="As plain text.")],
    to: Annotated[
        Addresses,
        Field(
            description="E-mail addresses, exactly as the student wrote them or a tool gave them; empty when "
            "none is known."
        ),
    ] = [],  # noqa: B006 - never changed
    cc: Annotated[Addresses, Field(description="Who gets a copy.")] = [],  # noqa: B006 - never changed
) -> ToolResult:
    """Prepare an e-mail to open, check and send in the student's own mail program. Nothing is sent.

    The student gets a button that opens it; one that is too long for that they copy by hand.
    """
    errors = ArgumentErrorCollector()
    to, cc = errors.read(_bare_addresses, to, "to") or [], errors.read(_bare_addresses, cc, "cc") or []
    errors.raise_found()
    _require_known(context, [*to, *cc])
    title = one_line(declared(subject, Provenance.STUDENT))
    link = mail_link(to=to, cc=cc, subject=title, body=body)
    how = "The student opens it with the button under this step and sends it there."
    if not link.is_whole:
        how = (
            "Note: the text is too long for the button, which opens the message without it: the student copies the "
            "text from under this step."
        )
    recipients = f"to {', '.join(to)}" if to else "without a recipient"
    return ToolResult(
        output=f"A draft “{title}” {recipients} is ready; nothing is sent. {how}",
        data={
            "to": to,
            "cc": cc,
            "subject": title,
            "body": body,
            "mailto": link.url,
            "is_whole": link.is_whole,
        },
        sources=(Source(title=gettext(TITLE), url=link.url),),
    )


def _bare_addresses(written: Sequence[str], field: str) -> list[str]:
    """Bare addresses, each once; raises `BadArguments` for what is not an address."""
    found = {address: _ADDRESS.fullmatch(address.strip()) for address in written}
    if wrong := [address for address, match in found.items() if match is None]:
        raise BadArguments(
            f"{field}: not an e-mail address: {', '.join(f'“{one_line(address, 60)}”' for address in wrong)}.",
            field=field,
            next_step="Ask the student for it, or leave it out.",
            said=gettext("This is not an e-mail address."),
        )
    return list(dict.fromkeys(match[1] or match[2] for match in found.values() if match))


def _require_known(context: ToolExecutionContext, addresses: Sequence[str]) -> None:
    """Refuse addresses from untrusted pages; those that the student's own program gives count as the student's."""
    if not addresses or context.is_students_word:
        return
    known = context.seen_addresses() if context.seen_addresses else None
    if known is not None and any(known.email_needs_confirmation(address) for address in addresses):
        # An invitation or a shared page named it: the card asks by name whether it is meant.
        raise AddressUnsure(_LABEL, gettext(UNKNOWN), next_step=gettext(ASK))
    if known is None or not all(known.knows_email(address) for address in addresses):
        raise RequestRefused(_LABEL, gettext(UNKNOWN), next_step=gettext(ASK))


@dataclass(frozen=True, kw_only=True)
class MailLink:
    """A `mailto:` link. is_whole: whether the text is part of it; a long text is not, and must be copied."""

    url: str
    is_whole: bool


def mail_link(*, to: Sequence[str], cc: Sequence[str], subject: str, body: str) -> MailLink:
    """Link for a message; its subject and addresses always fit, because the tool limits their lengths."""
    whole = _url(to, cc, subject, body)
    if len(whole) <= LONGEST_LINK:
        return MailLink(url=whole, is_whole=True)
    return MailLink(url=_url(to, cc, subject, ""), is_whole=False)


def _url(to: Sequence[str], cc: Sequence[str], subject: str, body: str) -> str:
    fields = {"cc": ",".join(cc), "subject": subject, "body": "\r\n".join(body.splitlines())}
    # An address keeps its "@" and "," keeps addresses apart; everything else that is not plain is encoded.
    safe = {"cc": "@,"}
    query = "&".join(f"{name}={quote(text, safe=safe.get(name, ''))}" for name, text in fields.items() if text)
    return f"mailto:{','.join(to)}?{query}"


TOOLS = (mail_draft,)
