"""Word documents: their text with headings, lists and tables; nothing in them runs, and nothing they name is fetched.

python-docx reads XML without entities and keeps addresses of outside parts as words; what it would unpack is weighed
before (zip bombs), and hidden text is left out (T08, T22).
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services.files import text
from services.files.upload import FileRefused, Readable

MOST_PARTS = 2_000
LARGEST_XML = 25_000_000
"""Bytes of all parts that are read as XML, unpacked."""
LARGEST_UNPACKED = 120_000_000
MOST_MARKS = 1_500_000
"""Tags of all XML; a book of 500 pages has about half as many."""
_OLD = b"\xd0\xcf\x11\xe0"
"""How files of old Office programs begin, and locked ones of new programs too (MS-CFB 2.2)."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SIGNS = {_W + "t": "", _W + "tab": "\t", _W + "br": "\n", _W + "cr": "\n", _W + "noBreakHyphen": "-"}
"""What a run is made of, and what stands for it; a `t` brings its own words, a `delText` is none of them."""
_HIDING = (_W + "vanish", _W + "webHidden")
_DOCUMENT = "word/document.xml"
_MACROS = re.compile(r"vbaproject|activex|\.bin$", re.IGNORECASE)
_TYPES = "[Content_Types].xml"
_BROKEN = "This Word document is damaged and cannot be opened."
_ANEW = "Open it in Word, save it again as .docx or PDF, and attach that."


def read(content: bytes) -> Readable:
    """Raises `FileRefused` for one that is locked, damaged, has macros, or unpacks to far too much."""
    if content.startswith(_OLD):
        raise FileRefused(
            "This is an old Word document, or one that is locked with a password.",
            next_step="Save it as .docx without a password, or as PDF, and attach that.",
        )
    _weigh(content)
    return text.readable("word", "\n\n".join(_parts(content)))


def _weigh(content: bytes) -> None:
    """Look at the list of parts alone: what is declared there is the most that will be unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            names = {part.filename for part in parts}
            is_word = _DOCUMENT in names and _TYPES in names
            weight = sum(part.file_size for part in parts)
            xml = sum(part.file_size for part in parts if part.filename.endswith((".xml", ".rels")))
            is_bomb = len(parts) > MOST_PARTS or weight > LARGEST_UNPACKED or xml > LARGEST_XML
            is_bomb = is_bomb or _marks(archive, parts) > MOST_MARKS
            has_macros = not is_bomb and is_word and (_has_macro_part(names) or _says_macros(archive))
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, zlib.error):
        raise FileRefused("This is not a Word document, whatever its name says.", next_step=_ANEW) from None
    if is_bomb:
        raise FileRefused("This Word document unpacks to far too much.", next_step=_ANEW)
    if not is_word:
        raise FileRefused("This is not a Word document, whatever its name says.", next_step=_ANEW)
    if has_macros:
        raise FileRefused(
            "This Word document has macros in it.", next_step="Save it as a plain .docx, and attach that."
        )


def _marks(archive: zipfile.ZipFile, parts: Sequence[zipfile.ZipInfo]) -> int:
    """How many tags there are: a few bytes for each would unpack to gigabytes of elements."""
    return sum(archive.read(part).count(b"<") for part in parts if part.filename.endswith((".xml", ".rels")))


def _has_macro_part(names: set[str]) -> bool:
    return any(_MACROS.search(name) for name in names if not name.startswith("word/embeddings/"))


def _says_macros(archive: zipfile.ZipFile) -> bool:
    return b"macroenabled" in archive.read(_TYPES).lower()


def _parts(content: bytes) -> list[str]:
    # Imported where it is wanted: it costs a tenth of a second, and most messages bring no Word document.
    from docx import Document
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        document = Document(io.BytesIO(content))
        styles = {style.style_id: str(style.name) for style in document.styles}
        return [block for block in _blocks(document.element.body, styles) if block.strip()]
    except (OpcError, LxmlError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError):
        raise FileRefused(_BROKEN, next_step=_ANEW) from None
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        # A damaged file breaks the reader in many ways.
        raise FileRefused(_BROKEN, next_step=_ANEW) from None


def _blocks(body: Any, styles: Mapping[str, str]) -> Iterator[str]:
    """Read from the elements themselves: the library's own rows and styles take minutes over a hostile table."""
    for element in body.iterchildren():
        if element.tag == _W + "p":
            yield _paragraph(element, styles)
        elif element.tag == _W + "tbl":
            yield "\n".join(_rows(element))
        elif element.tag == _W + "sdt":
            for inner in element.iterchildren(_W + "sdtContent"):
                yield from _blocks(inner, styles)


def _paragraph(paragraph: Any, styles: Mapping[str, str]) -> str:
    """Markdown's marks for headings and lists, so that the model sees how the text is built."""
    words = _seen(paragraph).strip()
    if not words:
        return ""
    style = styles.get(paragraph.style or "", "")
    if style == "Title":
        return f"# {words}"
    if heading := re.fullmatch(r"Heading ([1-6])", style):
        return f"{'#' * int(heading[1])} {words}"
    return f"- {words}" if style.startswith("List") else words


def _seen(paragraph: Any) -> str:
    """The words without those that are marked as hidden or as deleted."""
    return "".join(_SIGNS.get(one.tag) or one.text or "" for one in paragraph.iter(*_SIGNS) if not _is_hidden(one))


def _is_hidden(sign: Any) -> bool:
    run = sign.getparent()
    marks = [] if run is None else [mark for own in run.iterchildren(_W + "rPr") for mark in own.iterchildren()]
    return any(m.tag in _HIDING and m.get(_W + "val", "1") not in ("0", "false", "off") for m in marks)


def _rows(table: Any) -> Iterator[str]:
    """A line for each row; a table within a table is read with its cell."""
    for row in table.iterchildren(_W + "tr"):
        cells = (" / ".join(_lines(cell)) for cell in row.iterchildren(_W + "tc"))
        yield "| " + " | ".join(cells) + " |"


def _lines(cell: Any) -> Iterator[str]:
    words = (" ".join(_seen(paragraph).split()) for paragraph in cell.iter(_W + "p"))
    return (line for line in words if line)
