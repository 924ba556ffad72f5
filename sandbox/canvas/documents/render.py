"""Files that sources become: laid out when first asked for, then kept."""

import io
import zipfile
from collections import OrderedDict

from sandbox.canvas.documents.pictures import LAYOUT, page_png, scan_pdf
from sandbox.canvas.documents.source import Source

MOST_KEPT = 200
MP4_HEAD = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"
"""How a recording begins; the rest of it is sent as it is asked for, and shows nothing."""
_kept: OrderedDict[str, bytes] = OrderedDict()


def rendered(source: Source) -> bytes:
    """The bytes of a source's file; the same source always gives the same bytes."""
    mark = f"{source.key}/{source.digest}"
    with LAYOUT:
        if mark not in _kept:
            _kept[mark] = _made(source)
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(mark)
        return _kept[mark]


def _made(source: Source) -> bytes:
    kind = source.kind
    if kind in ("pptx", "gslides"):
        from sandbox.canvas.documents.pptx_slides import slides_pptx

        return slides_pptx(source)
    if kind == "docx":
        from sandbox.canvas.documents.docx_text import text_docx

        return text_docx(source)
    if kind in ("html", "login", "gdoc"):
        from sandbox.canvas.documents.html_text import login_page, page_file

        return login_page(source) if kind == "login" else page_file(source)
    if kind in ("md", "txt", "csv"):
        return source.body.encode()
    if kind == "zip":
        return _archive(source)
    if kind == "mp4":
        return MP4_HEAD
    return _paper(source)


def pdf_of(source: Source) -> bytes:
    """The source as a PDF, whatever its kind: as paper, or as slides where three hyphens begin one."""
    from sandbox.canvas.documents.pdf_slides import slides_pdf
    from sandbox.canvas.documents.pdf_text import text_pdf

    return slides_pdf(source) if source.is_slides else text_pdf(source)


def _paper(source: Source) -> bytes:
    pdf = pdf_of(source)
    if source.kind == "scan":
        return scan_pdf(pdf, source.key)
    if source.kind == "png":
        return page_png(pdf)
    return encrypted(pdf, source.head["password"], source.key) if source.kind == "encrypted" else pdf


def _archive(source: Source) -> bytes:
    """The body's blocks of code, each named by the first line in it."""
    from sandbox.canvas.documents.blocks import CodeBlock
    from sandbox.canvas.documents.office import PACKED

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for block in (block for leaf in source.leaves for block in leaf.blocks if isinstance(block, CodeBlock)):
            name, _, text = block.text.partition("\n")
            archive.writestr(zipfile.ZipInfo(name.strip("# "), PACKED), text + "\n", zipfile.ZIP_DEFLATED)
    return file.getvalue()


def encrypted(pdf: bytes, password: str, seed: str) -> bytes:
    """A PDF that opens with a password only (128 bits RC4, as older office printers set it)."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import ArrayObject, ByteStringObject

    writer = PdfWriter(PdfReader(io.BytesIO(pdf)))
    # Left alone, pypdf makes ids by chance, and other bytes each time; the first is a part of the key.
    mark = ByteStringObject(seed.encode()[:16].ljust(16, b"."))
    writer._ID = ArrayObject((mark, mark))
    writer.encrypt(password, algorithm="RC4-128")
    writer._ID = ArrayObject((mark, mark))
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()
