"""What a Word file embeds: pictures are counted; charts, SmartArt, pages and texts told; the rest said to be unread."""

from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default as modern
from typing import Any

from services.files.documents.office.chart import EX, C, chart_text
from services.files.documents.office.drawing_ml import A, alternative_text, diagram_text
from services.files.documents.office.package import OfficePackage
from services.files.documents.sections import Block
from services.files.documents.web_blocks import web_blocks
from services.files.text import decoded, decoded_page
from services.files.upload import FileRefused, extension

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_PLACE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_VML = "{urn:schemas-microsoft-com:vml}"
_OFFICE = "{urn:schemas-microsoft-com:office:office}"
_SHAPE = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}wsp"
DRAWINGS = (f"{W}drawing", f"{W}pict", f"{W}object", f"{W}contentPart")
UNREAD_DRAWING = "[a drawing that was not read]"
ReadWord = Callable[[OfficePackage], Iterator[Block]]
UNREAD_TEXT = "[an embedded text that was not read]"
_LINES = ("line", "straightConnector1", "bentConnector3", "curvedConnector3")


class WordDrawings:
    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        self._parts: dict[str, tuple[str, str]] | None = None

    @staticmethod
    def images(drawing: Any) -> int:
        """Number of pictures in a drawing."""
        return sum(
            isinstance(part.tag, str) and (part.tag == f"{A}blip" or part.tag.endswith("}imagedata"))
            for part in drawing.iter()
        )

    def text(self, drawing: Any) -> str:
        """What a drawing without text boxes says; for one that says nothing, that it was not read."""
        chart, diagram = (
            next(drawing.iter(f"{C}chart", f"{EX}chart"), None),
            next(drawing.iter(f"{_DIAGRAM}relIds"), None),
        )
        if chart is not None and (root := self._part(chart.get(f"{_R}id", ""))) is not None:
            return f"\n{chart_text(root)}\n"
        if diagram is not None:
            root = self._part(diagram.get(f"{_R}dm", ""))
            words = "" if root is None else diagram_text(root)
            return f"\n{words}\n" if words else UNREAD_DRAWING
        program = next((part.get("ProgID", "") for part in drawing.iter(f"{_OFFICE}OLEObject")), None)
        if program is not None:
            is_formula = program.startswith("Equation")
            return "[a formula that was not read]" if is_formula else "[an embedded file that was not read]"
        if words := _alternative(drawing):
            return f"[Picture: {words}]"
        return "" if self.images(drawing) or _is_line(drawing) else UNREAD_DRAWING

    def _part(self, id: str) -> Any:
        if self._parts is None:
            self._parts = self._package.relations(self._package.main)
        return self._package.xml(self._parts[id][1]) if id in self._parts else None


def _alternative(drawing: Any) -> str:
    """What the author wrote about a picture or a drawing, in today's form or in that of Word 2007."""
    for part in drawing.iter(f"{_PLACE}docPr", f"{_VML}shape"):
        if words := alternative_text(part.get("descr", "") or part.get("alt", "")):
            return words
    return ""


def _is_line(drawing: Any) -> bool:
    """A mere line or arrow, or a rule across the page, which says nothing."""
    if drawing.tag == f"{W}pict":
        shapes = [part for part in drawing.iter() if isinstance(part.tag, str) and part.tag.startswith(_VML)]
        return not shapes or any(shape.tag.endswith("}line") or shape.get(f"{_OFFICE}hr") for shape in shapes)
    kinds = [shape.get("prst", "") for shape in drawing.iter(f"{A}prstGeom")]
    return bool(kinds) and all(kind in _LINES for kind in kinds)


def embedded_blocks(package: OfficePackage, chunk: Any, read_word: ReadWord | None) -> Iterator[Block]:
    """Blocks of an embedded text, or one that says that it was not read.

    read_word: reader of Word files; None where the file stands in another one itself, and no further one is opened.
    """
    _, name = package.relations(package.main).get(chunk.get(f"{_R}id", ""), ("", ""))
    try:
        blocks = list(_blocks(name, package.bytes(name), read_word))
    except FileRefused:
        blocks = []
    yield from blocks or [Block(UNREAD_TEXT)]


def _blocks(name: str, content: bytes, read_word: ReadWord | None) -> Iterator[Block]:
    ending = extension(name.rpartition("/")[2])
    if ending in ("html", "htm", "xhtml"):
        yield from web_blocks(decoded_page(content))
    elif ending in ("mht", "mhtml"):
        body = message_from_bytes(content, policy=modern).get_body(("html",))
        yield from web_blocks(body.get_content()) if body is not None else ()
    elif ending == "txt":
        yield from (Block(line) for line in decoded(content).split("\n\n") if line.strip())
    elif ending == "docx" and read_word is not None:
        yield from read_word(OfficePackage(content))
