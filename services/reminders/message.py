"""`ReminderMessage`: what one e-mail or notification says, as plain data, and its forms: text, HTML, a few words."""

import json
from dataclasses import dataclass
from html import escape

from services.i18n import get_language, gettext
from services.safety.text import one_line, without_addresses

LONGEST_LINE = 300
LONGEST_PUSH = 220
MOST_LINES = 12
_STYLE = "font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5;max-width:38rem"


@dataclass(frozen=True, kw_only=True)
class MessageSection:
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ReminderMessage:
    """Words of ours and of strangers (titles), none of them trusted: the forms below make them harmless.

    path: the page of Homeroom that it leads to. brief: what a lock screen shows below the title, and all that an e-mail
    without sections says.
    """

    title: str
    brief: str
    sections: tuple[MessageSection, ...] = ()
    path: str = "/"


@dataclass(frozen=True, kw_only=True)
class Footer:
    """Addresses below an e-mail."""

    open: str
    settings: str
    unsubscribe: str


def subject(message: ReminderMessage) -> str:
    """Subject of an e-mail: one line, with which no header can be broken."""
    return _safe(message.title, 120)


def text_body(message: ReminderMessage, footer: Footer) -> str:
    """Plain text of an e-mail. Mail programs make links of what looks like one: only ours do."""
    parts = [_safe(message.title), *([] if message.sections else [_safe(message.brief)])]
    for section in message.sections:
        shown = [f"- {_safe(line)}" for line in section.lines[:MOST_LINES]]
        parts.append("\n".join(filter(None, [section.heading, *shown, *_more(section)])))
    opening, *links = _links(footer)
    parts.append(": ".join(opening))
    parts.append("\n".join(["--", _why(), *(": ".join(link) for link in links)]))
    return "\n\n".join(parts) + "\n"


def html_body(message: ReminderMessage, footer: Footer) -> str:
    """HTML of an e-mail: no picture, no script, and no address but ours."""
    sections = "".join(
        (f'<h2 style="font-size:17px;margin:24px 0 4px">{escape(section.heading)}</h2>' if section.heading else "")
        + '<ul style="margin:0;padding-left:20px">'
        + "".join(f"<li>{escape(_safe(line))}</li>" for line in section.lines[:MOST_LINES])
        + "</ul>"
        + "".join(f'<p style="margin:0">{escape(line)}</p>' for line in _more(section))
        for section in message.sections
    )
    brief = "" if message.sections else f"<p>{escape(_safe(message.brief))}</p>"
    opening, *links = (f'<a href="{escape(address)}">{escape(words)}</a>' for words, address in _links(footer))
    return (
        f'<!doctype html><html lang="{get_language()}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(subject(message))}</title></head>'
        f'<body style="{_STYLE}"><h1 style="font-size:21px">{escape(_safe(message.title))}</h1>{brief}{sections}'
        f'<p style="margin:24px 0">{opening}</p>'
        f'<p style="font-size:13px;color:#666">{escape(_why())}<br>{" · ".join(links)}</p></body></html>'
    )


def push_payload(message: ReminderMessage, tag: str) -> bytes:
    """JSON that the service worker shows. tag: two notifications with the same one are shown as one."""
    shown = {
        "title": _safe(message.title, 80),
        "body": _safe(message.brief, LONGEST_PUSH),
        "tag": tag,
        "path": message.path,
        "lang": get_language(),
    }
    return json.dumps(shown, ensure_ascii=False).encode()


def _links(footer: Footer) -> tuple[tuple[str, str], ...]:
    """Words and addresses, the way in first."""
    return (
        (gettext("Open Homeroom"), footer.open),
        (gettext("Change it"), footer.settings),
        (gettext("No more e-mails"), footer.unsubscribe),
    )


def _why() -> str:
    return gettext("You get this because you switched it on in Homeroom.")


def _safe(line: str, limit: int = LONGEST_LINE) -> str:
    """A line in which nothing is an address: mail programs would make it one that can be tapped."""
    return without_addresses(one_line(line, limit))


def _more(section: MessageSection) -> list[str]:
    hidden = len(section.lines) - MOST_LINES
    return [gettext("… and {n} more", n=hidden)] if hidden > 0 else []
