"""PPTX reader: text by slide with tables, charts and formulas, speaker's notes apart (ISO/IEC 29500-1 §19)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from services.files.documents.document import (
    LONGEST_PAGE,
    MOST_DOCUMENT_PAGES,
    DocumentPage,
    HiddenSlide,
    PageBegin,
    PageResult,
    UnreadPage,
)
from services.files.documents.office.chart import EX, C, chart_text
from services.files.documents.office.drawing_ml import A, alternative_text, diagram_text, paragraphs_of, table_rows
from services.files.documents.office.package import OfficePackage, damaged
from services.files.documents.office.slide_colors import SlideColors
from services.files.limits import LARGEST_FILE
from services.files.upload import OPEN_ORIGINAL, FileRefused
from services.i18n import gettext
from services.safety.text import plain

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_FURNITURE = ("sldNum", "dt", "ftr", "hdr", "sldImg")
"""Placeholders for what every slide repeats."""
_THREADED = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"
_DEEPEST = 20
_FEW_LETTERS = 12
_SLIDE_SIZE = (9_144_000, 6_858_000)
_SMALLEST = 300
"""Hundredths of a point; smaller letters are hidden ones."""


@dataclass(slots=True)
class _Found:
    """What was found on a slide so far."""

    title: str = ""
    images: int = 0
    has_hidden: bool = False


def slide_names(package: OfficePackage) -> list[str]:
    """Names of the slides' parts in the order of the show."""
    presentation = package.xml(package.main)
    if presentation is None:
        raise damaged()
    relations = package.relations(package.main)
    ids = (slide.get(f"{R}id", "") for slide in presentation.iter(f"{P}sldId"))
    return [relations[id][1] for id in ids if id in relations and relations[id][1] in package]


def slide_pages(
    package: OfficePackage, *, first: int = 1, left_out: Collection[int] = ()
) -> tuple[int, Iterator[PageResult]]:
    """Number of slides, and what each says; raises `FileRefused` where none can be read."""
    names = slide_names(package)
    if not names:
        raise FileRefused(gettext("There are no slides in this file."), next_step=gettext(OPEN_ORIGINAL))
    return len(names), _slides(package, names[:MOST_DOCUMENT_PAGES], first, left_out)


def _slides(
    package: OfficePackage, names: Sequence[str], first: int, left_out: Collection[int]
) -> Iterator[PageResult]:
    size = _size(package)
    is_readable = first > 1
    for number, name in enumerate(names[first - 1 :], first):
        if number in left_out:
            yield UnreadPage(number)
            continue
        yield PageBegin(number)
        try:
            yield _read(package, name, number, size)
            is_readable = True
        except FileRefused:
            if not is_readable and number == len(names):
                raise
            yield UnreadPage(number)


def _size(package: OfficePackage) -> tuple[int, int]:
    presentation = package.xml(package.main)
    size = None if presentation is None else presentation.find(f"{P}sldSz")
    if size is None:
        return _SLIDE_SIZE
    return _number(size.get("cx")) or _SLIDE_SIZE[0], _number(size.get("cy")) or _SLIDE_SIZE[1]


def _read(package: OfficePackage, name: str, number: int, size: tuple[int, int]) -> DocumentPage | HiddenSlide:
    slide = package.xml(name)
    if slide is None:
        raise damaged()
    if slide.get("show") in ("0", "false"):
        return HiddenSlide(number)
    relations = package.relations(name)
    found = _Found()
    shapes = _Shapes(package, relations, SlideColors(package, name, slide), size, found)
    tree = slide.find(f"{P}cSld/{P}spTree")
    texts = [] if tree is None else [text for text, _ in groupby(shapes.texts(tree, 0)) if text.strip()]
    text = plain("\n\n".join(([f"# {found.title}"] if found.title else []) + texts)).strip()[:LONGEST_PAGE]
    letters = sum(map(str.isalnum, text))
    return DocumentPage(
        number=number,
        label=plain(" ".join(found.title.split()))[:160],
        text=text,
        notes="\n".join(filter(None, (_notes(package, relations.values()), _comments(package, relations.values())))),
        images=found.images,
        is_blank=found.images > 0 and letters < _FEW_LETTERS,
        has_hidden_text=found.has_hidden,
    )


def slide_image(package: OfficePackage, number: int) -> bytes:
    """The largest picture on a slide, as its author put it there; raises `FileRefused` where there is none."""
    names = slide_names(package)
    relations = package.relations(names[number - 1]) if 1 <= number <= len(names) else {}
    pictures = [package.bytes(target, largest=LARGEST_FILE) for kind, target in relations.values() if kind == "image"]
    if not pictures:
        raise FileRefused(
            gettext("There is no picture of this page."), next_step=gettext("Read its text, or open the original.")
        )
    return max(pictures, key=len)


def _notes(package: OfficePackage, relations: Iterable[tuple[str, str]]) -> str:
    name = next((target for kind, target in relations if kind == "notesSlide"), "")
    notes = package.xml(name) if name else None
    if notes is None:
        return ""
    lines: list[str] = []
    for shape in notes.iter(f"{P}sp"):
        placeholder = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
        body = shape.find(f"{P}txBody")
        if body is not None and placeholder is not None and placeholder.get("type", "body") == "body":
            lines += paragraphs_of(body)
    return plain("\n".join(lines)).strip()[:LONGEST_PAGE]


def _comments(package: OfficePackage, relations: Iterable[tuple[str, str]]) -> str:
    """Comments of reviewers and answers to them, of both kinds that PowerPoint writes ([MS-PPTX] 2.6)."""
    parts = [root for kind, name in relations if kind == "comments" and (root := package.xml(name)) is not None]
    comments = [comment for root in parts for comment in root.iter(f"{P}cm", f"{_THREADED}cm", f"{_THREADED}reply")]
    if not comments:
        return ""
    names = _authors(package)
    lines = []
    for comment in comments:
        author, words = names.get(comment.get("authorId", ""), ""), _words(comment)
        lines += [f"[Comment{f' by {author}' if author else ''}: {words}]"] if words else []
    return plain("\n".join(lines))[:LONGEST_PAGE]


def _words(comment: Any) -> str:
    texts = comment.iterchildren(f"{P}text", f"{_THREADED}txBody")
    said = (text.text or "" if text.tag == f"{P}text" else _lines(text) for text in texts)
    return " ".join(" ".join(said).split())


def _lines(body: Any) -> str:
    return " ".join("".join(run.text or "" for run in line.iter(f"{A}t")) for line in body.iter(f"{A}p"))


def _authors(package: OfficePackage) -> dict[str, str]:
    found: dict[str, str] = {}
    for kind, name in package.relations(package.main).values():
        root = package.xml(name) if kind in ("commentAuthors", "authors") else None
        for author in () if root is None else root.iter(f"{P}cmAuthor", f"{_THREADED}author"):
            found[author.get("id", "")] = " ".join(author.get("name", "").split())[:80]
    return found


@dataclass(frozen=True, slots=True)
class _Shapes:
    package: OfficePackage
    relations: dict[str, tuple[str, str]]
    colors: SlideColors
    size: tuple[int, int]
    found: _Found

    def texts(self, tree: Any, depth: int) -> Iterator[str]:
        """Text of each shape, groups opened; of two forms of the same content the newer one."""
        for shape in tree.iterchildren() if depth < _DEEPEST else ():
            if shape.tag == f"{_MC}AlternateContent":
                chosen = next(shape.iterchildren(f"{_MC}Choice", f"{_MC}Fallback"), None)
                yield from self.texts(chosen, depth + 1) if chosen is not None else ()
            elif shape.tag in (f"{P}sp", f"{P}pic", f"{P}graphicFrame", f"{P}grpSp", f"{P}cxnSp"):
                if self._is_unseen(shape):
                    self.found.has_hidden |= shape.find(f".//{A}t") is not None
                elif shape.tag == f"{P}grpSp":
                    yield from self.texts(shape, depth + 1)
                else:
                    yield from self._of_shape(shape)

    def _of_shape(self, shape: Any) -> Iterator[str]:
        if shape.tag == f"{P}pic":
            self.found.images += 1
            if alternative := self._alternative(shape):
                yield f"[Picture: {alternative}]"
        elif shape.tag == f"{P}graphicFrame":
            yield from self._of_frame(shape)
        elif (body := shape.find(f"{P}txBody")) is not None:
            kind = self._placeholder(shape)
            if kind in _FURNITURE:
                return
            lines = paragraphs_of(body, lambda run: self._is_hidden(run, shape))
            if kind in ("title", "ctrTitle") and not self.found.title:
                self.found.title = " ".join(" ".join(lines).split())
            else:
                yield "\n".join(lines)

    def _of_frame(self, frame: Any) -> Iterator[str]:
        for table in frame.iter(f"{A}tbl"):
            yield "\n".join(table_rows(table, lambda run: self._is_hidden(run, None)))
        for reference, attribute, text in (
            (next(frame.iter(f"{C}chart", f"{EX}chart"), None), f"{R}id", chart_text),
            (next(frame.iter(f"{_DIAGRAM}relIds"), None), f"{R}dm", diagram_text),
        ):
            id = "" if reference is None else reference.get(attribute, "")
            part = self.package.xml(self.relations[id][1]) if id in self.relations else None
            if part is not None:
                yield text(part)

    def _placeholder(self, shape: Any) -> str:
        placeholder = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
        return "" if placeholder is None else str(placeholder.get("type", "body"))

    def _alternative(self, picture: Any) -> str:
        properties = picture.find(f"{P}nvPicPr/{P}cNvPr")
        return "" if properties is None else alternative_text(properties.get("descr", ""))

    def _is_unseen(self, shape: Any) -> bool:
        """Whether a shape is switched off or lies outside the slide."""
        properties = next(shape.iter(f"{P}cNvPr"), None)
        if properties is not None and properties.get("hidden") in ("1", "true"):
            return True
        place = shape.find(f"{P}spPr/{A}xfrm") if shape.tag != f"{P}graphicFrame" else shape.find(f"{P}xfrm")
        if place is None or shape.getparent().tag == f"{P}grpSp":
            return False
        offset, extent = place.find(f"{A}off"), place.find(f"{A}ext")
        if offset is None or extent is None:
            return False
        left, top = _number(offset.get("x")), _number(offset.get("y"))
        right, bottom = left + _number(extent.get("cx")), top + _number(extent.get("cy"))
        return right <= 0 or bottom <= 0 or left >= self.size[0] or top >= self.size[1]

    def _is_hidden(self, run: Any, shape: Any) -> bool:
        properties = run.find(f"{A}rPr")
        if properties is None:
            return False
        size = properties.get("sz")
        is_hidden = (size is not None and _number(size) < _SMALLEST) or self.colors.hides(properties, shape)
        self.found.has_hidden |= is_hidden and bool((run.findtext(f"{A}t") or "").strip())
        return is_hidden


def _number(value: str | None) -> int:
    digits = (value or "").removeprefix("-")
    return int(value or "") if digits.isdecimal() and digits.isascii() and len(digits) < 16 else 0
