"""Word reader: text with headings, lists and tables; nothing in a document runs, and nothing it names is fetched.

python-docx reads XML without entities and keeps addresses of outside parts as words; what it would unpack is weighed
before (zip bombs), and hidden text is left out.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from services.files import text
from services.files.upload import FileRefused, Readable
from services.i18n import gettext, gettext_noop

MOST_PARTS = 2_000
LARGEST_XML = 25_000_000
"""Bytes of all parts that are read as XML, unpacked."""
LARGEST_UNPACKED = 120_000_000
MOST_MARKS = 1_500_000
"""Tags of all XML; a book of 500 pages has about half as many."""
MOST_RELATIONS = 20_000
"""Tags of the lists that say which part belongs to which, and what is linked to."""
_PIECE = 65_536
_XML, _RELATIONS = (".xml", ".rels"), ".rels"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The two that a Word document may be packed with (ISO/IEC 29500-2, annex B)."""
_OLD = b"\xd0\xcf\x11\xe0"
"""First bytes of files of old Office programs, and of locked ones of new programs (MS-CFB 2.2)."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SIGNS = {_W + "t": "", _W + "tab": "\t", _W + "br": "\n", _W + "cr": "\n", _W + "noBreakHyphen": "-"}
"""Elements of a run and their text; a `t` brings its own words, a `delText` is left out."""
_HIDING = (_W + "vanish", _W + "webHidden")
_DOCUMENT = "word/document.xml"
_MACROS = re.compile(r"vbaproject|activex|\.bin$", re.IGNORECASE)
_TYPES = "[Content_Types].xml"
_BROKEN = gettext_noop("This Word document is damaged and cannot be opened.")
_ANEW = gettext_noop("Open it in Word, save it again as .docx or PDF, and attach that.")


def read_word(content: bytes) -> Readable:
    """Read a .docx; raises `FileRefused` for one that is locked, damaged, has macros, or unpacks to far too much."""
    if content.startswith(_OLD):
        raise FileRefused(
            gettext("This is an old Word document, or one that is locked with a password."),
            next_step=gettext("Save it as .docx without a password, or as PDF, and attach that."),
        )
    return text.readable("word", "\n\n".join(_parts(_plain(_weighed(content)))))


def _weighed(content: bytes) -> Mapping[str, bytes]:
    """Each part by its name, unpacked where it is XML and empty where it is not: nothing else is read."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            names = {part.filename for part in parts}
            is_word = _DOCUMENT in names and _TYPES in names
            weight = sum(part.file_size for part in parts)
            xml = sum(part.file_size for part in parts if part.filename.endswith(_XML))
            is_bomb = len(parts) > MOST_PARTS or weight > LARGEST_UNPACKED or xml > LARGEST_XML
            read = {} if is_bomb else {part.filename: _unpacked(archive, part) for part in parts}
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, zlib.error):
        raise FileRefused(
            gettext("This is not a Word document, whatever its name says."), next_step=gettext(_ANEW)
        ) from None
    if is_bomb or _marks(read) > MOST_MARKS or _marks(read, _RELATIONS) > MOST_RELATIONS:
        raise FileRefused(gettext("This Word document unpacks to far too much."), next_step=gettext(_ANEW))
    if not is_word:
        raise FileRefused(gettext("This is not a Word document, whatever its name says."), next_step=gettext(_ANEW))
    if _has_macro_part(names) or b"macroenabled" in read[_TYPES].lower():
        raise FileRefused(
            gettext("This Word document has macros in it."),
            next_step=gettext("Save it as a plain .docx, and attach that."),
        )
    return read


def _unpacked(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """Unpack in pieces: at once, the library would unpack everything before it looks at the declared size."""
    if not part.filename.endswith(_XML):
        return b""
    if part.compress_type not in _METHODS:
        raise zipfile.BadZipFile
    with archive.open(part) as packed:
        return b"".join(iter(partial(packed.read, _PIECE), b""))


def _marks(read: Mapping[str, bytes], ending: str = "") -> int:
    """Count the tags: a few bytes for each would unpack to gigabytes of elements."""
    return sum(content.count(b"<") for name, content in read.items() if name.endswith(ending))


def _plain(read: Mapping[str, bytes]) -> bytes:
    """An archive of what was weighed and nothing more, so that no other reader unpacks anything again."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, content in read.items():
            archive.writestr(name, content)
    return whole.getvalue()


def _has_macro_part(names: set[str]) -> bool:
    return any(_MACROS.search(name) for name in names if not name.startswith("word/embeddings/"))


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
        raise FileRefused(gettext(_BROKEN), next_step=gettext(_ANEW)) from None
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        # A damaged file breaks the reader in many ways.
        raise FileRefused(gettext(_BROKEN), next_step=gettext(_ANEW)) from None


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
    runs: dict[Any, bool] = {}
    signs = (element for element in paragraph.iter(*_SIGNS) if not _is_hidden(element.getparent(), runs))
    return "".join(_SIGNS.get(sign.tag) or sign.text or "" for sign in signs)


def _is_hidden(run: Any, known: dict[Any, bool]) -> bool:
    """known: what was found of each run, so that one of very many words is looked through once."""
    if run not in known:
        marks = [mark for own in run.iterchildren(_W + "rPr") for mark in own.iterchildren()]
        known[run] = any(m.tag in _HIDING and m.get(_W + "val", "1") not in ("0", "false", "off") for m in marks)
    return known[run]


def _rows(table: Any) -> Iterator[str]:
    """A line for each row; a table within a table is read with its cell."""
    for row in table.iterchildren(_W + "tr"):
        cells = (" / ".join(_lines(cell)) for cell in row.iterchildren(_W + "tc"))
        yield "| " + " | ".join(cells) + " |"


def _lines(cell: Any) -> Iterator[str]:
    """A paragraph within a paragraph, as text boxes have them, is read with the outer one."""
    outer = (element for element in cell.iter(_W + "p") if next(element.iterancestors(_W + "p"), None) is None)
    words = (" ".join(_seen(paragraph).split()) for paragraph in outer)
    return (line for line in words if line)
