"""Links that open a message in a mail program (RFC 6068)."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

LONGEST_LINK = 1_900
"""Characters that mail programs and browsers still take: Windows cuts such a link at 2,048."""


@dataclass(frozen=True, kw_only=True)
class MailLink:
    """is_whole: whether the text is part of the link; a long one is not, and must be copied."""

    url: str
    is_whole: bool


def mail_link(*, to: Sequence[str], cc: Sequence[str], subject: str, body: str) -> MailLink:
    """The link for a message; its subject and addresses always fit (their lengths are bound by the tool)."""
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
