"""RTF reader: becomes the HTML that says the same (Rich Text Format 1.9.1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape

from services.files.documents.office.package import damaged
from services.files.documents.office.word_symbols import in_font
from services.files.documents.sections import Block
from services.files.documents.web_blocks import web_blocks

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n]+", re.DOTALL
)
_SKIPPED = frozenset(
    b"fonttbl colortbl stylesheet info header headerl headerr headerf footer footerl footerr footerf fldinst themedata "
    b"colorschememapping latentstyles datastore xmlnstbl listtable listoverridetable rsidtbl generator filetbl revtbl "
    b"objdata blipuid template pgptbl bkmkstart bkmkend annotation atnid atnauthor atndate atnref nonshppict "
    b"pntxta pntxtb mmathPr".split()
)  # fmt: skip
_SIGNS = {
    b"par": "\n", b"line": "<br>", b"tab": "\t", b"emdash": "—", b"endash": "–", b"bullet": "•", b"lquote": "‘",
    b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"sect": "\n", b"page": "\n",
    b"emspace": " ", b"enspace": " ",
}  # fmt: skip
_CHARSETS = {77: "mac_roman", 128: "shift_jis", 129: "euc_kr", 134: "gb18030", 136: "big5", 161: "cp1253",
             162: "cp1254", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 238: "cp1250"}  # fmt: skip
_MOST_TOKENS = 4_000_000
_DEEPEST = 500
_SMALLEST = 4


@dataclass(frozen=True, slots=True)
class _State:
    """What holds within a group. skips: its words are not shown; where they go: a destination by name."""

    skips: bool = False
    height: str = ""
    is_struck: bool = False
    is_hidden: bool = False
    font: int = 0
    fallback: int = 1
    place: str = ""


def rtf_blocks(content: bytes) -> Iterator[Block]:
    """Blocks of a text; raises `FileRefused` for a damaged one."""
    if not content.lstrip().startswith(b"{\\rtf"):
        raise damaged()
    reader = _Reader(content)
    reader.read()
    return web_blocks(reader.html())


class _Reader:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._fonts, self._charsets = _fonts(content)
        codepage = re.search(rb"\\ansicpg(\d{3,5})", content[:4_096])
        self._codepage = f"cp{codepage[1].decode()}" if codepage else "cp1252"
        self._headings = _headings(content)
        self._state, self._stack = _State(), list[_State]()
        self._bytes = bytearray()
        self._line: list[str] = []
        self._level = 0
        self._cells: list[str] = []
        self._rows: list[str] = []
        self._in_table = False
        self._out: list[str] = []
        self._notes: list[str] = []
        self._note: list[str] = []
        self._skip = self._half = 0

    def html(self) -> str:
        return f"<html><body>{''.join(self._out)}</body></html>"

    def read(self) -> None:
        opened = False
        for count, token in enumerate(_TOKEN.finditer(self._content)):
            if count > _MOST_TOKENS:
                raise damaged()
            word, number, byte, sign, brace, text = token.groups()
            if brace == b"{":
                self._flush()
                if len(self._stack) > _DEEPEST:
                    raise damaged()
                self._stack.append(self._state)
                opened = True
                continue
            if brace == b"}":
                self._flush()
                self._close()
            elif word is not None:
                self._flush()
                self._word(word, None if number is None else int(number), is_first=opened)
            elif byte is not None:
                self._add_bytes(bytes([int(byte, 16)]))
            elif text is not None:
                self._add_bytes(text)
            elif sign is not None:
                self._flush()
                self._sign(sign, is_first=opened)
                if sign == b"*":
                    continue
            opened = False
        self._flush()
        self._end_paragraph()
        self._end_table()

    def _close(self) -> None:
        ended = self._state
        self._state = self._stack.pop() if self._stack else _State()
        if ended.place == "footnote" and self._state.place != "footnote":
            self._notes.append("".join(self._note))
            self._note = []
            self._say(f"[{len(self._notes)}]")
        self._skip = 0

    def _sign(self, sign: bytes, *, is_first: bool) -> None:
        if sign == b"*" and is_first:
            # A group that only those read who know it; some of them hold words.
            self._state = replace(self._state, place="*")
        elif sign in (b"\\", b"{", b"}"):
            self._say(escape(sign.decode()))
        elif sign == b"~":
            self._say("\u00a0")
        elif sign == b"_":
            self._say("-")

    def _word(self, word: bytes, number: int | None, *, is_first: bool) -> None:
        if self._state.place == "*":
            self._state = replace(
                self._state, place="", skips=self._state.skips or word not in (b"shptxt", b"shpinst", b"shppict", b"pn")
            )
            return
        if word in _SKIPPED:
            self._state = replace(self._state, skips=True)
        elif word in (b"pict", b"object", b"do", b"shp", b"mmath", b"moMath") and not self._state.skips:
            self._drawing(word)
        elif word == b"footnote" and not self._state.skips:
            self._state = replace(self._state, place="footnote")
        elif word == b"u" and number is not None:
            self._say(escape(self._letter(number % 65_536)))
            self._skip = self._state.fallback
        elif word in _SIGNS:
            self._break(word)
        elif word in (b"cell", b"row", b"nestcell", b"nestrow", b"intbl", b"trowd"):
            self._table_word(word)
        else:
            self._look(word, number)

    def _letter(self, code: int) -> str:
        """Letter of a code of UTF-16, of which the first half of a pair waits for the second."""
        if 0xD800 <= code < 0xDC00:
            self._half = code
            return ""
        if 0xDC00 <= code <= 0xDFFF:
            return chr(0x10000 + ((self._half - 0xD800) << 10) + (code - 0xDC00)) if self._half else ""
        return chr(code)

    def _drawing(self, word: bytes) -> None:
        if word == b"pict":
            self._say('<img alt="">')
        elif word == b"object":
            self._say("[an embedded file that was not read]")
        elif word in (b"mmath", b"moMath"):
            return
        self._state = replace(self._state, skips=word in (b"pict", b"object"))

    def _break(self, word: bytes) -> None:
        if self._state.skips:
            return
        if _SIGNS[word] != "\n":
            self._say(_SIGNS[word])
        elif self._state.place == "footnote":
            self._note.append(" ")
        elif self._in_table and word == b"par":
            self._line.append("<br>")
        else:
            self._end_paragraph()

    def _table_word(self, word: bytes) -> None:
        if word in (b"trowd", b"intbl"):
            self._in_table = True
        elif word in (b"cell", b"nestcell"):
            self._cells.append("".join(self._line))
            self._line = []
        else:
            self._rows.append("".join(f"<td>{cell}</td>" for cell in self._cells))
            self._cells = []

    def _look(self, word: bytes, number: int | None) -> None:
        state, on = self._state, number != 0
        match word:
            case b"super" | b"sub":
                state = replace(state, height={b"super": "sup", b"sub": "sub"}[word] if on else "")
            case b"nosupersub":
                state = replace(state, height="")
            case b"up" | b"dn":
                state = replace(state, height="" if not number else "sup" if word == b"up" else "sub")
            case b"strike" | b"striked":
                state = replace(state, is_struck=on)
            case b"v" | b"deleted" | b"webhidden":
                state = replace(state, is_hidden=on)
            case b"fs":
                state = replace(state, is_hidden=state.is_hidden or (number or 24) <= _SMALLEST)
            case b"f":
                state = replace(state, font=number or 0)
            case b"uc":
                state = replace(state, fallback=max(0, min(number or 0, 8)))
            case b"plain":
                state = replace(state, height="", is_struck=False, is_hidden=False)
            case b"pard":
                self._level, self._in_table = 0, False
            case b"outlinelevel":
                self._level = (number or 0) + 1 if (number or 0) < 6 else 0
            case b"s":
                self._level = self._headings.get(number or 0, self._level)
        self._state = state

    def _add_bytes(self, text: bytes) -> None:
        if self._skip:
            taken = min(self._skip, len(text))
            self._skip -= taken
            text = text[taken:]
        self._bytes += text

    def _flush(self) -> None:
        if not self._bytes:
            return
        text, self._bytes = bytes(self._bytes), bytearray()
        encoding = self._charsets.get(self._state.font, self._codepage)
        try:
            words = text.decode(encoding, "replace")
        except LookupError:
            words = text.decode("cp1252", "replace")
        self._say(escape(in_font(words, self._fonts.get(self._state.font, ""))))

    def _say(self, markup: str) -> None:
        state = self._state
        if state.skips or not markup:
            return
        if state.is_hidden:
            markup = f'<span style="display:none">{markup}</span>'
        if state.height:
            markup = f"<{state.height}>{markup}</{state.height}>"
        if state.is_struck:
            markup = f"<s>{markup}</s>"
        (self._note if state.place == "footnote" else self._line).append(markup)

    def _end_paragraph(self) -> None:
        if not self._in_table:
            self._end_table()
        line, self._line = _joined("".join(self._line)), []
        tag = f"h{self._level}" if self._level else "p"
        self._out.append(f"<{tag}>{line}</{tag}>" if line.strip() else "")
        first = len(self._out)
        for number, note in enumerate(self._notes, 1):
            if note:
                self._out.append(f"<p>[{number}] {note}</p>")
        self._notes = [""] * len(self._notes) if first else self._notes

    def _end_table(self) -> None:
        if self._rows:
            self._out.append(f"<table>{''.join(f'<tr>{_joined(row)}</tr>' for row in self._rows)}</table>")
            self._rows = []


def _joined(markup: str) -> str:
    """Pieces of one look that follow each other as one, so that a raised "23" is not "^2^3"."""
    for tag in ("sup", "sub", "s"):
        markup = markup.replace(f"</{tag}><{tag}>", "")
    return markup


def _fonts(content: bytes) -> tuple[dict[int, str], dict[int, str]]:
    """Names of fonts that draw signs, and encodings of fonts, by their numbers."""
    table = content[content.find(b"{\\fonttbl") :][:60_000]
    names, charsets = dict[int, str](), dict[int, str]()
    for number, options, name in re.findall(rb"\\f(\d{1,5})((?:\\[a-z]+-?\d*|\{[^{}]*\}|\s)*)\s?([\w ]{0,60})", table):
        # The table stands first; what follows it in the text changes no name.
        names.setdefault(int(number), name.decode("ascii", "replace").strip())
        if charset := re.search(rb"\\fcharset(\d{1,3})", options):
            charsets[int(number)] = _CHARSETS.get(int(charset[1]), "cp1252")
    return names, {font: encoding for font, encoding in charsets.items() if encoding != "cp1252"}


def _headings(content: bytes) -> dict[int, int]:
    """Levels of the heading styles, by their numbers."""
    at = content.find(b"{\\stylesheet")
    table = content[at:][:200_000] if at >= 0 else b""
    found = re.findall(rb"\{\\s(\d{1,5})[^{}]{0,600}?[ ]heading ([1-6]);", table, re.IGNORECASE)
    return {int(number): int(level) for number, level in found}
