"""Rows of an answer: things with a link and facts, such as due work, events or grades, drawn as Today draws its own.

A model writes a plain list, `- **Title** — course — when — [open](address)` or with the title as the link, or a table
whose rows have a link and one score; whatever is written otherwise stays what it is (docs/decisions/0061).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from markdown_it.token import Token

from services.safety.link_urls import canonical_url
from services.safety.markdown.html import inline_html
from services.safety.markdown.parser import parse

Tones = Mapping[str, int]
"""Colour of each course of the student, by its name."""

LONGEST_FACT = 90
LONGEST_FACTS = 220
_BETWEEN = re.compile(r"\s+—\s+")
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_COURSE = re.compile(r"([A-Z]{2,5}[ -]?\d{2,4}[A-Z]?)(?::.*)?", re.DOTALL)
_SCORE = re.compile(
    r"(?P<score>\d{1,3}(?:[.,]\d+)?\s?%(?!\s+(?:of|de|del)\b)(?:\s\([^()]{1,12}\))?"
    r"|\d+(?:[.,]\d+)?\s?(?:/|of|de)\s?\d+(?:[.,]\d+)?\s(?:points?|pts|puntos?)"
    r"|[A-F][+\-−]?)(?:\s+(?P<rest>.+))?"
)
"""What was reached, and what is said of it: "91.35 % (A-) now", "18 of 20 points", "B+"; no date and no weight."""
_FIGURE = re.compile(r"\d\s?%|^\d+(?:[.,]\d+)?(?:\s?/\s?\d+)?$")
_LEAST_COLUMNS = 3
_MOST_COLUMNS = 5
_MARKS = ("strong_open", "strong_close", "link_open", "link_close")


@dataclass(frozen=True)
class AnswerRow:
    """One thing: its title, score and facts as HTML, and the tone of its course, None for what is of no course."""

    title: str
    url: str
    facts: tuple[str, ...]
    tone: int | None
    score: str = ""
    is_bare: bool = False
    """Whether it is a link and nothing else."""


@dataclass(frozen=True)
class AnswerPiece:
    """Piece of a sanitised text: Markdown, or the HTML of rows."""

    markdown: str = ""
    rows: str = ""


@dataclass
class _Segment:
    """What stands between two dashes."""

    tokens: list[Token] = field(default_factory=list)

    @property
    def words(self) -> str:
        return "".join(token.content or " " for token in self.tokens).strip()

    @property
    def url(self) -> str:
        return next((str(token.attrs.get("href", "")) for token in self.tokens if token.type == "link_open"), "")

    @property
    def is_link(self) -> bool:
        """Whether it is one link and nothing else."""
        return self._is_within("link")

    @property
    def is_marked(self) -> bool:
        """Whether all of it is one link, or set bold."""
        return self.is_link or self._is_within("strong")

    def html(self, *, is_title: bool = False) -> str:
        tokens = [token for token in self.tokens if not (is_title and token.type in _MARKS)]
        return inline_html(tokens).strip()

    def _is_within(self, kind: str) -> bool:
        tokens = [token for token in self.tokens if token.content.strip() or token.type != "text"]
        begins, ends = f"{kind}_open", f"{kind}_close"
        is_one = [token.type for token in tokens].count(begins) == 1
        return is_one and tokens[0].type == begins and tokens[-1].type == ends


def split_rows(markdown: str, tones: Tones, *, is_growing: bool = False) -> list[AnswerPiece]:
    """Pieces of a text of `sanitise`. is_growing: its last item may have only begun."""
    if "—" not in markdown and "|" not in markdown:
        return [AnswerPiece(markdown=markdown)]
    lines, tokens = markdown.split("\n"), parse(markdown)
    pieces, done = list[AnswerPiece](), 0
    for first, end in _blocks(tokens):
        is_open = is_growing and end == len(tokens)
        is_table = tokens[first].type == "table_open"
        rows = (_table_rows if is_table else _rows)(tokens[first:end], tones, is_open=is_open)
        place = tokens[first].map
        if not rows or place is None:
            continue
        pieces += [AnswerPiece(markdown="\n".join(lines[done : place[0]])), AnswerPiece(rows=_html(rows))]
        done = place[1]
    pieces.append(AnswerPiece(markdown="\n".join(lines[done:])))
    return [piece for piece in pieces if piece.rows or piece.markdown.strip()] or [AnswerPiece()]


def has_rows(markdown: str) -> bool:
    return any(piece.rows for piece in split_rows(markdown, {}))


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """First and last token of each bullet list and table that stand in no other block."""
    begun = 0
    for at, token in enumerate(tokens):
        if token.level == 0 and token.type in ("bullet_list_open", "table_open"):
            begun = at
        elif token.level == 0 and token.type in ("bullet_list_close", "table_close"):
            yield begun, at + 1


def _rows(tokens: Sequence[Token], tones: Tones, *, is_open: bool) -> list[AnswerRow]:
    """All items of a list as rows; none when one of them is something else, or most have no link."""
    if any(token.level > 1 and token.type.endswith(("list_open", "fence", "block", "quote_open")) for token in tokens):
        return []
    items = [token for token in tokens if token.type == "inline"]
    if len(items) != sum(token.type == "list_item_open" for token in tokens):
        return []
    rows = [
        _row(item.children or [], tones, is_begun=is_open and at == len(items) - 1) for at, item in enumerate(items)
    ]
    found = [row for row in rows if row is not None]
    linked = sum(bool(row.url) for row in found) + is_open
    has_facts = any(not row.is_bare for row in found)
    return found if len(found) == len(items) and has_facts and 2 * linked >= len(found) else []


def _table_rows(tokens: Sequence[Token], tones: Tones, *, is_open: bool) -> list[AnswerRow]:
    """Rows of a table, each with a link, of which one column holds scores; with several columns of figures it stays a
    table, as only its head tells them apart.
    """
    cells = [[_Segment(list(cell.children or [])) for cell in line] for line in _cells(tokens)]
    head, *lines = cells or [[]]
    if not lines or not _LEAST_COLUMNS <= len(head) <= _MOST_COLUMNS:
        return []
    columns = [[line[at].words for line in lines if line[at].words] for at in range(len(head))]
    if sum(any(_has_figure(words) for words in column) for column in columns[1:]) != 1:
        return []
    rows = [_row_of([cell for cell in line if cell.words], [], tones) for line in lines]
    whole = [row for row in rows if row is not None and row.url]
    # The last row may have only begun: until its link has come it is left out.
    is_begun = is_open and rows[-1] not in whole
    return whole if len(whole) == len(rows) - is_begun and any(row.score for row in whole) else []


def _cells(tokens: Sequence[Token]) -> list[list[Token]]:
    """Cells of each row of a table, the head first."""
    lines: list[list[Token]] = []
    for token in tokens:
        if token.type == "tr_open":
            lines.append([])
        elif token.type == "inline":
            lines[-1].append(token)
    return lines


def _has_figure(words: str) -> bool:
    return bool(_FIGURE.search(words) or _SCORE.fullmatch(words))


def _row(children: Sequence[Token], tones: Tones, *, is_begun: bool) -> AnswerRow | None:
    marks, rest = _without_marks(children)
    segments = [segment for segment in _segments(rest) if segment.words]
    if len(segments) == 1 and (segments[0].is_link or (is_begun and segments[0].is_marked)):
        title, url = segments[0].html(is_title=True), segments[0].url
        return AnswerRow(title=title, url=url, facts=tuple(marks), tone=None, is_bare=not is_begun)
    return _row_of(segments, marks, tones) if len(segments) > 1 else None


def _row_of(segments: Sequence[_Segment], marks: Sequence[str], tones: Tones) -> AnswerRow | None:
    title, *others = segments
    links = [segment for segment in others if segment.is_link]
    facts = [segment for segment in others if not segment.is_link]
    if any(segment.url for segment in facts) or len(links) + bool(title.url) > 1:
        return None
    if not (title.is_marked or (links and not title.url)):
        return None
    if sum(len(fact.words) for fact in facts) > LONGEST_FACTS or any(len(fact.words) > LONGEST_FACT for fact in facts):
        return None
    score, told = _score(facts)
    written, tone = _facts(told, tones)
    url = title.url or (links[0].url if links else "")
    tone = _tone_of(title.words, tones) if tone is None else tone
    return AnswerRow(title=title.html(is_title=True), url=url, facts=(*written, *marks), tone=tone, score=score)


def _score(facts: Sequence[_Segment]) -> tuple[str, list[_Segment]]:
    """Score of a row as HTML, "" for none, and its other facts with what is said of the score."""
    for at, fact in enumerate(facts):
        if read := _SCORE.fullmatch(fact.words):
            rest = [_Segment([_text(read["rest"])])] if read["rest"] else []
            return escape(read["score"]), [*facts[:at], *rest, *facts[at + 1 :]]
    return "", list(facts)


def _tone_of(words: str, tones: Tones) -> int | None:
    """Tone of the course that these words name, by its name or its code."""
    codes = {name.partition(":")[0].strip(): tone for name, tone in tones.items()}
    return tones.get(words, codes.get(words.partition(":")[0].strip()))


def _without_marks(children: Sequence[Token]) -> tuple[list[str], list[Token]]:
    """Numbers of citations, as HTML, and what is left without them."""
    marks, rest, at = list[str](), list[Token](), 0
    while at < len(children):
        three = children[at : at + 3]
        is_mark = [token.type for token in three] == ["link_open", "text", "link_close"] and _SUPERSCRIPT.fullmatch(
            three[1].content
        ) is not None
        if is_mark:
            marks.append(inline_html(three))
            at += 3
        else:
            rest.append(children[at])
            at += 1
    return marks, rest


def _segments(tokens: Sequence[Token]) -> list[_Segment]:
    """Parts between dashes that stand in no link and nothing bold."""
    segments, depth = [_Segment()], 0
    for token in tokens:
        depth += token.nesting
        if depth or token.type != "text":
            segments[-1].tokens.append(token)
            continue
        # A dash that stands at an edge of this token has its blank there as well.
        first, *others = _BETWEEN.split(token.content)
        segments[-1].tokens.append(_text(first))
        segments += [_Segment([_text(words)]) for words in others]
    return segments


def _text(words: str) -> Token:
    return Token("text", "", 0, content=words.replace("\u00a0", " "))


def _facts(facts: Sequence[_Segment], tones: Tones) -> tuple[list[str], int | None]:
    """Facts as HTML, the course first and short; and its tone."""
    for fact in facts:
        words, tone = fact.words, _tone_of(fact.words, tones)
        named = _COURSE.fullmatch(words)
        if named or tone is not None:
            rest = [other.html() for other in facts if other is not fact]
            return [escape(named[1] if named else words.partition(":")[0].strip()), *rest], tone
    return [fact.html() for fact in facts], None


def _html(rows: Sequence[AnswerRow]) -> str:
    return f'<ul class="answer-rows" role="list">{"".join(map(_item, rows))}</ul>'


def _item(row: AnswerRow) -> str:
    title = row.title
    if row.url.startswith("mailto:") or canonical_url(row.url):
        title = f'<a href="{escape(row.url)}" target="_blank" rel="noopener noreferrer nofollow">{title}</a>'
    score = f" <span>{row.score}</span>" if row.score else ""
    facts = f"<br><small>{' · '.join(row.facts)}</small>" if row.facts else ""
    tone = "plain" if row.tone is None else row.tone
    return f'<li class="tone-{tone}"><strong>{title}</strong>{score}{facts}</li>'
