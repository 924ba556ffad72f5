"""Cards as a table: CSV and text files of Homeroom, Anki, Quizlet and spreadsheets, in and out."""

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from services.files.reader_process import Record
from services.files.upload import FileRefused, Upload
from services.i18n import gettext, ngettext
from services.safety.text import plain
from services.study.exchange.card_markup import markdown_of, without_live_parts
from services.study.exchange.card_records import dump_cards
from services.study.exchange.imported_cards import LONGEST_SIDE, MOST_CARDS, CardPackage, ImportedCard
from services.study.flashcard import Flashcard

COLUMNS = ("front", "back", "topic", "tags", "source", "id")
_HEADINGS: Mapping[str, tuple[str, ...]] = {
    "front": ("front", "question", "term", "prompt", "anverso", "pregunta", "término", "termino", "frente"),
    "back": ("back", "answer", "definition", "reverso", "respuesta", "definición", "definicion", "dorso"),
    "topic": ("topic", "deck", "tema", "mazo", "chapter"),
    "tags": ("tags", "etiquetas"),
    "guid": ("guid",),
    "id": ("id",),
}
_SEPARATORS = ("\t", ";", ",", "|")
_NAMED = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ", "colon": ":"}
_NO_SEPARATORS = '"\r\n'
_LONGEST_COLUMN = 3
"""Digits of a column's number."""
_DIRECTIVE = re.compile(r"#([a-z]+(?: column)?):(.*)", re.IGNORECASE)
_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet would compute (OWASP, CSV injection)."""
_SAMPLE = 50
_SEPARATOR_LINE = re.compile(r"\"?sep=([^\"\r\n])\"?\r?", re.IGNORECASE)
"""The first line by which Excel knows what a file is cut at."""
_LONGEST_CELL = 100_000
_ID = re.compile(r"[0-9a-f]{20,40}|anki-[0-9a-f]{24}")
"""Id of a card of ours; a column "id" of others may only count its lines."""
_BLANK_OF_TAG = "\xa0"


def serve_table(upload: Upload, _options: Mapping[str, Any]) -> Iterator[Record]:
    """Records of a table's cards and of its remarks; a job of the process."""
    package = read_table(upload.content)
    return dump_cards(package.cards, lambda: package.remarks)


def read_table(content: bytes) -> CardPackage:
    """Read cards of two columns or more; raises `FileRefused` for a file that has none."""
    directives, lines = _directives(_text(content))
    separator = _separator(directives.get("separator", ""), lines)
    rows = (row for row in _rows(lines, separator) if any(cell.strip() for cell in row))
    cards, skipped = _cards(rows, directives)
    if not cards:
        raise _no_table()
    remarks = []
    if skipped:
        remarks.append(
            ngettext("One line without two sides is left out.", "{n} lines without two sides are left out.", skipped)
        )
    if len(cards) > MOST_CARDS:
        remarks.append(gettext("Only the first {most} cards are taken over.", most=MOST_CARDS))
    return CardPackage(cards=tuple(cards[:MOST_CARDS]), remarks=tuple(remarks))


def write_table(cards: Iterable[Flashcard]) -> str:
    """Write cards as CSV, with a heading, and with the id by which each is known when it comes back.

    Cells that a spreadsheet would compute begin with an apostrophe.
    """
    written = io.StringIO()
    # A spreadsheet that cuts at semicolons would find a second cell in one without quotation marks.
    table = csv.writer(written, quoting=csv.QUOTE_ALL)
    table.writerow(COLUMNS)
    for card in cards:
        place = card.quotation.place if card.quotation else ""
        tags = " ".join(tag.replace(" ", _BLANK_OF_TAG) for tag in card.tags)
        table.writerow([_safe(cell) for cell in (card.front, card.back, card.topic, tags, place, card.id)])
    return written.getvalue()


def _safe(cell: str) -> str:
    inert = without_live_parts(cell)
    return f"'{inert}" if _is_risky(inert) else inert


def _unsafe(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _is_risky(cell[1:]) else cell


def _is_risky(cell: str) -> bool:
    """Whether a spreadsheet might compute it, also one that takes blanks away first, or it looks like one made safe."""
    return cell.startswith((*_RISKY, "'")) or cell.lstrip().startswith(_RISKY)


def _text(content: bytes) -> str:
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return plain(content.decode(encoding))
    except UnicodeDecodeError:
        return plain(content.decode("cp1252", "replace"))


def _directives(text: str) -> tuple[dict[str, str], str]:
    """The lines with which Anki's text files begin, such as "#separator:tab", and what comes after them."""
    found: dict[str, str] = {}
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)]
        if at == 0 and (separator := _SEPARATOR_LINE.fullmatch(line)):
            found["separator"] = separator[1]
        elif match := _DIRECTIVE.fullmatch(line.strip()):
            found[match[1].casefold()] = match[2].strip()
        else:
            break
        at += len(line) + 1
    return found, text[at:]


def _separator(named: str, text: str) -> str:
    """The one that is named, else the one that cuts most lines at the front into the same number of two or more."""
    if named and named[0] not in _NO_SEPARATORS:
        return _NAMED.get(named.casefold(), named[0])
    best, most = ",", (0, 0)
    for separator in _SEPARATORS:
        widths = [len(row) for row in islice(_rows(text, separator), _SAMPLE) if row != [""]]
        cut = [width for width in widths if width > 1]
        score = (len(cut), -len(set(cut)))
        if cut and score > most:
            best, most = separator, score
    return best


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    """Rows of cells. Quotation marks hold a cell together only where they stand around all of it, and are doubled
    within it; any others are the author's own.
    """
    cut = re.escape(separator)
    quoted = re.compile(rf'"((?:[^"]++|"")*+)"(?={cut}|[\r\n]|\Z)')
    bare = re.compile(rf"[^{cut}\r\n]*+")
    row: list[str] = []
    at = 0
    while at < len(text):
        match = quoted.match(text, at, at + _LONGEST_CELL) if text[at] == '"' else None
        row.append(match[1].replace('""', '"') if match else bare.match(text, at)[0])  # type: ignore[index]
        at = match.end() if match else at + len(row[-1])
        if at < len(text) and text[at] == separator:
            at += 1
            continue
        yield row
        row = []
        at += 2 if text.startswith("\r\n", at) else 1
    if row:
        yield [*row, ""]


def _cards(rows: Iterator[Sequence[str]], directives: Mapping[str, str]) -> tuple[list[ImportedCard], int]:
    """The cards, one more than there may be where there are more; and how many lines are none."""
    cards: list[ImportedCard] = []
    places: dict[str, int] = {}
    skipped = 0
    for number, row in enumerate(rows):
        if number == 0:
            places = _places(row)
            if places:
                continue
            places = {"front": 0, "back": 1, **_named_columns(directives)}
            if "topic" not in places and "tags" not in places and len(row) > 2:
                places["topic"] = 2
        card = _card(row, places, is_html=directives.get("html", "").casefold() == "true")
        skipped += card is None
        cards += [card] if card else []
        if len(cards) > MOST_CARDS:
            break
    return cards, skipped


def _places(row: Sequence[str]) -> dict[str, int]:
    """Which column is which by a heading; empty where the first line is none."""
    names = [cell.strip().casefold() for cell in row]
    found = {column: names.index(name) for column, known in _HEADINGS.items() for name in known[::-1] if name in names}
    return found if {"front", "back"} <= found.keys() else {}


def _named_columns(directives: Mapping[str, str]) -> dict[str, int]:
    """Columns that Anki's text file names by their numbers, and where front and back stand between these."""
    known = {"tags column": "tags", "deck column": "topic", "guid column": "guid", "notetype column": "notetype"}
    numbers = {column: directives.get(name, "")[: _LONGEST_COLUMN + 1] for name, column in known.items()}
    named = {
        column: int(number) - 1
        for column, number in numbers.items()
        if number.isdecimal() and len(number) <= _LONGEST_COLUMN
    }
    free = [place for place in range(len(named) + 2) if place not in named.values()]
    return {**named, "front": free[0], "back": free[1]}


def _card(row: Sequence[str], places: Mapping[str, int], *, is_html: bool) -> ImportedCard | None:
    def cell(column: str) -> str:
        at = places.get(column, len(row))
        return _unsafe(row[at].strip()) if 0 <= at < len(row) else ""

    front, back = cell("front"), cell("back")
    if is_html:
        front, back = markdown_of(front), markdown_of(back)
    if not front or not back or max(len(front), len(back)) > LONGEST_SIDE:
        return None
    digest = hashlib.sha256(f"{front}\x1f{back}".encode()).hexdigest()[:20]
    id = cell("id")
    return ImportedCard(
        guid=cell("guid") or (id if _ID.fullmatch(id) else f"text-{digest}"),
        front=front,
        back=back,
        deck=cell("topic"),
        tags=tuple(tag.replace(_BLANK_OF_TAG, " ") for tag in re.split(r"[ \t\u3000]+", cell("tags")) if tag),
    )


def _no_table() -> FileRefused:
    return FileRefused(
        gettext("No cards were found in this file."),
        next_step=gettext("Give it two columns: the front of each card and its back."),
    )
