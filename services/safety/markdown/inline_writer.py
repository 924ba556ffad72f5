"""Markdown inline writer: escaped text, and only those links, formulas and marks that may stay.

Everything becomes a list of pieces first, text or finished Markdown, because two harmless texts may be an address
once they touch.
"""

import re
from collections.abc import Callable, Container, Sequence

from markdown_it.token import Token

from services.safety.link_urls import host_of, link_target, names_another_host
from services.safety.markdown.escape import AUTOLINK, EMAIL, code_span, escaped, replaced, split_address
from services.safety.markdown.formulas import LONGEST_FORMULAS, is_safe_formula, write_formula
from services.safety.text import plain

Piece = tuple[bool, str]
"""Whether it is text still to be escaped, and the text or the finished Markdown."""

LONGEST = 100_000
_DEEPEST = 12
_LONGEST_ADDRESS = 300
_BREAKS = re.compile("[\t\n\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
_ICONS = r":streamlit:|:material_\w+:"
_SHORT_CODES = r"(?<![\w:]):(?:\+1|-1|[a-z](?:[a-z0-9_+-]*[a-z0-9])?):(?=[\s.,;!?)]|$)"
_NOTEWORTHY = re.compile(f"{AUTOLINK.pattern}|{_ICONS}|{_SHORT_CODES}", re.IGNORECASE)
_FOOTNOTE = re.compile(r"[\w-]{1,40}", re.ASCII)


class InlineWriter:
    """Writer of one text's lines, with a budget for its formulas."""

    def __init__(self, allowed: Container[str]) -> None:
        self._allowed = allowed
        self._formulas_left = LONGEST_FORMULAS

    def write(self, tokens: Sequence[Token], *, in_table: bool = False, one_line: bool = False) -> str:
        """Markdown for the children of one inline token. `in_table` and `one_line`: without line breaks."""
        return (
            _joined(self._pieces(tokens, in_table, one_line or in_table), self._text).strip(" \n").removesuffix("\\\n")
        )

    def formula(self, content: str) -> bool:
        """Whether one more formula may be shown as such."""
        self._formulas_left -= len(content)
        return self._formulas_left >= 0 and is_safe_formula(content)

    def _pieces(self, tokens: Sequence[Token], in_table: bool, one_line: bool) -> list[Piece]:
        line = _Line(in_table=in_table, one_line=one_line)
        for token in tokens:
            if line.size > LONGEST:
                break
            self._add(line, token)
        while line.links:
            self._close_link(line)
        return line.pieces

    def _add(self, line: "_Line", token: Token) -> None:
        match token.type:
            case "text" | "text_special" | "html_inline":
                line.text(_BREAKS.sub(" ", token.content))
            case "softbreak":
                line.text(" " if line.one_line else "\n")
            case "hardbreak":
                line.hard_break()
            case "code_inline":
                line.code(token.content)
            case "math_inline":
                self._add_formula(line, token)
            case "image":
                self._add_image(line, token)
            case "footnote_ref":
                _add_footnote(line, token.meta["label"])
            case "link_open":
                line.links.append((str(token.attrs.get("href", "")), line.pieces))
                line.pieces = []
            case "link_close":
                self._close_link(line)
            case _:
                line.mark(token)

    def _add_formula(self, line: "_Line", token: Token) -> None:
        if self.formula(token.content):
            line.raw(f"{token.markup}{write_formula(token.content, in_table=line.in_table)}{token.markup}")
        else:
            line.code(f"{token.markup}{token.content}{token.markup}")

    def _add_image(self, line: "_Line", token: Token) -> None:
        address = str(token.attrs.get("src", ""))
        alt, host = _words(token.children or [])[:200].strip(), host_of(address)
        words = "[image" + (f": {alt}" if alt else "") + (f" — {host}" if host else "") + "]"
        if line.links or link_target(address, self._allowed) is None:
            line.text(words)
        else:
            line.links.append((address, line.pieces))
            line.pieces = [(True, words)]
            self._close_link(line)

    def _close_link(self, line: "_Line") -> None:
        address, before = line.links.pop()
        pieces, line.pieces = line.pieces, before
        words = "".join(value for is_text, value in pieces if is_text)
        target = link_target(address, self._allowed)
        if target and not line.links and not names_another_host(words, target):
            label = _joined(pieces, _linked_text, at_line_start=False).strip() or escaped(host_of(target))
            line.raw(f"[{label}]({_destination(target)})")
            return
        if len(pieces) == 1 and words and address in (words, f"mailto:{words}"):
            line.code(_shortened(words))
            return
        for is_text, value in pieces:
            line.put(is_text, value)
        if address:
            line.text(f" ({host_of(address)}: " if host_of(address) else " (")
            line.code(_shortened(address))
            line.text(")")

    def _text(self, text: str, at_line_start: bool) -> str:
        return replaced(_NOTEWORTHY, plain(text), self._noteworthy, at_line_start=at_line_start)

    def _noteworthy(self, match: str) -> str:
        """An address that stands in a text, an icon's name, or an emoji's (which may stay as it is)."""
        if not AUTOLINK.match(match):
            return code_span(match) if re.match(_ICONS, match) else match
        address, rest = split_address(match)
        url = f"mailto:{address}" if EMAIL.fullmatch(address) else address
        target = link_target(url, self._allowed)
        written = f"[{_linked_text(address, False)}]({_destination(target)})" if target else code_span(address)
        return written + escaped(rest, at_line_start=False)


class _Line:
    """Line that is being written, with the links and marks that are still open."""

    def __init__(self, *, in_table: bool, one_line: bool) -> None:
        self.in_table = in_table
        self.one_line = one_line
        self.pieces: list[Piece] = []
        self.links: list[tuple[str, list[Piece]]] = []
        self.size = 0
        self._marks: list[bool] = []

    def text(self, value: str) -> None:
        self.put(True, value)

    def raw(self, value: str) -> None:
        self.put(False, value)

    def hard_break(self) -> None:
        if self.one_line:
            self.text(" ")
        else:
            self.raw("\\\n")

    def code(self, value: str) -> None:
        """Inline code; GFM tables know `\\|` inside it, but not a backslash before a bar."""
        if self.in_table and "\\|" in value:
            self.text(value)
        elif value.strip():
            span = code_span(plain(value))
            self.raw(span.replace("|", "\\|") if self.in_table else span)

    def mark(self, token: Token) -> None:
        """Emphasis, strong and strikethrough, as deep as anybody reads."""
        if token.nesting == 1:
            self._marks.append(len(self._marks) < _DEEPEST)
        if self._marks.pop() if token.nesting == -1 else self._marks[-1]:
            self.raw(token.markup)

    def put(self, is_text: bool, value: str) -> None:
        self.size += len(value)
        self.pieces.append((is_text, value))


def _add_footnote(line: _Line, label: str) -> None:
    if footnote_label(label) and not line.links:
        line.raw(f"[^{label}]")
    else:
        line.text(f"[^{label}]")


def footnote_label(label: str) -> bool:
    """True when a footnote may keep its name."""
    return _FOOTNOTE.fullmatch(label) is not None


def _joined(pieces: Sequence[Piece], write_text: Callable[[str, bool], str], *, at_line_start: bool = True) -> str:
    out = ""
    for is_text, value in _merged(pieces):
        starts_line = out.endswith("\n") or (at_line_start and not out)
        if is_text:
            out += write_text(value.lstrip(" \n") if starts_line else value, starts_line)
        elif out[-1:] == value[:1] and value[:1] in ("`", "$"):
            out += f" {value}"
        else:
            out += value
    return out


def _merged(pieces: Sequence[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for is_text, value in pieces:
        if is_text and merged and merged[-1][0]:
            merged[-1] = (True, merged[-1][1] + value)
        else:
            merged.append((is_text, value))
    return merged


def _linked_text(text: str, at_line_start: bool) -> str:
    """Text inside a link, where nothing else may become one."""
    return re.sub(r"(?i)(?<=www)\.|@", r"\\\g<0>", escaped(plain(text), at_line_start=at_line_start))


def _destination(target: str) -> str:
    target = re.sub(r"&(?=#?\w+;)", "&amp;", target)
    return target if re.fullmatch(r"[\w\-.~:/?#@!&=+,;%]+", target, re.ASCII) else f"<{target}>"


def _shortened(address: str) -> str:
    return address if len(address) <= _LONGEST_ADDRESS else address[: _LONGEST_ADDRESS - 1] + "…"


def _words(tokens: Sequence[Token]) -> str:
    """Text of an image's description."""
    return "".join(_words(t.children or []) if t.type == "image" else _visible(t) for t in tokens)


def _visible(token: Token) -> str:
    return " " if token.type.endswith("break") else _BREAKS.sub(" ", token.content)
