"""The privacy record as Markdown, and as a page of HTML to print or keep."""

from collections.abc import Iterator, Sequence
from html import escape

from services.i18n import get_locale, gettext
from services.privacy.privacy_record import RecordSection

_STYLE = """\
body { font: 11pt/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #999; padding: .35rem .6rem .35rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
h2 { margin-top: 2rem; break-after: avoid; }
tr { break-inside: avoid; }
@media print { body { font-size: 9.5pt; margin: 0; max-width: none; } }
"""


def record_text(sections: Sequence[RecordSection]) -> str:
    """The record as Markdown, with its title."""
    parts = (part for section in sections for part in (f"## {section.title}", section.words, section_table(section)))
    return "\n\n".join((f"# {_title()}", *filter(None, parts))) + "\n"


def section_table(section: RecordSection) -> str:
    """The table of a section as Markdown; "" for none."""
    if not section.rows:
        return ""
    lines = [section.head, ["---"] * len(section.head), *section.rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def record_page(sections: Sequence[RecordSection]) -> str:
    """The record as one file of HTML, with nothing to load."""
    return "\n".join(
        [
            f'<!doctype html><html lang="{escape(get_locale())}"><head><meta charset="utf-8">',
            f"<title>{escape(_title())}</title><style>{_STYLE}</style></head><body><h1>{escape(_title())}</h1>",
            *(line for section in sections for line in _lines(section)),
            "</body></html>",
        ]
    )


def _lines(section: RecordSection) -> Iterator[str]:
    yield f"<h2>{escape(section.title)}</h2>"
    if section.words:
        yield f"<p>{escape(section.words)}</p>"
    if section.rows:
        yield "<table>" + _row("th", section.head) + "".join(_row("td", row) for row in section.rows) + "</table>"


def _row(cell: str, texts: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{cell}>{escape(text)}</{cell}>" for text in texts) + "</tr>"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _title() -> str:
    return gettext("Homeroom for the privacy officer")
