"""Plain text from outside: invisible characters, addresses and Markdown taken out or made literal."""

import re

from services.safety.markdown.escape import AUTOLINK, autolink_as_code, code_span, replaced

# Letters and marks of scripts in which ZWJ and ZWNJ change how words are written (Arabic, Indic, South-East Asian, …).
_JOINING = (
    "\u0600-\u061b\u061d-\u109f\u1700-\u17b3\u17b6-\u180a\u180f-\u18af\u1900-\u1cff\ua800-\uabff"
    "\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
_PICTURES = "\u00a9\u00ae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_MARKS = "\u200e\u200f\u061c"

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls
    "\u00ad\u17b4\u17b5"  # hyphens and vowels without a shape
    "\u200b\u202a-\u202e\u2060-\u206f\ufeff"  # zero-width, bidi overrides and isolates
    "\u3164\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # fillers, annotations, format controls
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # lone surrogates and non-characters
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # tags, and the rest of that plane's ignorable code points
    "]"
)
# Kept only where a script or an emoji needs them: one selector after its base, one joiner between what it joins.
_MISPLACED = re.compile(
    f"(?<![0-9#*{_PICTURES}])[\ufe0e\ufe0f]"
    f"|(?<![\u1000-\u109f\u2200-\u2bff\u3000-\u30ff\ua840-\ua87f\uff00-\uff60{_HAN}])[\ufe00-\ufe0d]"
    f"|(?<![{_HAN}])[\U000e0100-\U000e01ef]"
    "|(?<![\u1820-\u18aa])[\u180b-\u180e]"
    "|(?<![\u0300-\u034e\u0350-\u036f\u0591-\u05ff])\u034f"
    f"|(?<![{_JOINING}])\u200c"
    f"|(?<![{_JOINING}{_PICTURES}\ufe0f])\u200d"
    f"|(?<=[{_PICTURES}\ufe0f])\u200d(?![{_PICTURES}])"
    f"|(?<=[{_MARKS}])[{_MARKS}]"
    "|(?<![\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7fb])[\u115f\u1160](?![\u1100-\u11ff\ud7b0-\ud7fb])"
)
_SUSPECT = re.compile(
    f"[\r\x0b\x0c\x85\u034f\u180b-\u180e\u2028\u2029\u200c\u200d\u115f\u1160\ufe00-\ufe0f\U000e0100-\U000e01ef{_MARKS}]|{_UNSEEN.pattern}"
)
_EXTENDS = re.compile(f"[\u0300-\u036f\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\U0001f3fb-\U0001f3ff{_MARKS}]")

# What Streamlit turns into icons, emoji, arrows and dashes although the Markdown around it is escaped.
_REDRAWN = r":streamlit:|:material_\w+:|:(?=[\w+-]*[a-z1])[\w+-]+:|(?<!\S)(?:<->|->|<-|--|>=|<=|~=)(?!\S)"
_LITERAL = re.compile(f"{AUTOLINK.pattern}|{_REDRAWN}", re.IGNORECASE)
_DROPPED = str.maketrans("", "", "\\*_~`")
"""Characters that Markdown removes: "evil\\.example" is shown as an address."""
_ADDRESS = re.compile(
    r"[\w-][.。．｡][^\W\d_]{2}"  # a host; 3.5 and U.S. are none
    r"|\d[.。．｡]\d+[.。．｡]\d+[.。．｡]\d"
    r"|[:@/]{2}|[@＠]"
    r"|\b(?:javascript|vbscript|data|blob|file|tel|sms|https?|mailto):\S"
    r"|&(?:#\w+|period|colon|sol|commat);",
    re.IGNORECASE,
)


def plain(text: str, *, limit: int | None = None) -> str:
    """Text that says to a model what it shows to a person; `plain(plain(x)) == plain(x)`.

    Removes tags, controls, zero-width characters, bidi overrides and isolates, floods of selectors, lone surrogates
    (Unicode TR36 and TR39); keeps line breaks as \\n, tabs, and the joiners and selectors that Arabic, Indic scripts,
    Han and emoji are written with. With `limit`, at most that many characters, the last of them a note that it was cut.
    """
    if _SUSPECT.search(text):
        text = _settled(_NEWLINES.sub("\n", text))
    return text if limit is None or len(text) <= limit else _cut(text, limit)


def _settled(text: str) -> str:
    text = _UNSEEN.sub("", text)
    if not _RIGHT_TO_LEFT.search(text):
        text = re.sub(f"[{_MARKS}]", "", text)
    while (cleaned := _MISPLACED.sub("", text)) != text:
        text = cleaned
    return text


def _cut(text: str, limit: int) -> str:
    note = f"\n… (cut here; {len(text)} characters in all)"
    end = max(limit - len(note), 0)
    while end > 0 and _EXTENDS.match(text, end):
        end -= 1
    return _settled(text[:end]).rstrip() + note if end else _settled(text[: max(limit - 1, 0)]) + "…"[:limit]


def literal(text: str) -> str:
    """Markdown for labels and captions that shows exactly this text: no formatting, links, icons or emoji codes.

    Lines stay lines. Addresses, e-mail addresses and what Streamlit would redraw appear as inline code.
    """
    lines = (line.expandtabs(4).rstrip() for line in plain(text).strip("\n").split("\n"))
    return "\\\n".join(_literal_line(line) for line in lines)


def _literal_line(line: str) -> str:
    body = line.lstrip(" ")
    return "\u00a0" * (len(line) - len(body)) + replaced(_LITERAL, body, _as_code, at_line_start=body == line)


def _as_code(match: str) -> str:
    return autolink_as_code(match) if AUTOLINK.match(match) else code_span(match)


def one_line(text: object, limit: int = 200) -> str:
    """Someone's text on one line: no line breaks, nothing that a person cannot see, cut with "…" after `limit`."""
    line = " ".join(plain(str(text)).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def without_addresses(text: str) -> str:
    """The text on one line, with "…" in place of every word that could be an address or a part of one.

    An address is looked for by its marks and not by its whole form: what would be left of one could make another.
    """
    return " ".join("…" if _ADDRESS.search(word.translate(_DROPPED)) else word for word in text.split())
