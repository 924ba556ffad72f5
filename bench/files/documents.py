"""Documents by page: pages a second and memory of a reader process; and fifty hostile files that come at once."""

import io
import time
import zipfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from bench.files.attachments import MemoryWatch, swelling_docx, swelling_pdf
from services.errors import HomeroomError
from services.files.documents.document_reader import MEMORY_LIMIT, DocumentReader
from services.files.reader_process import ReaderProcesses
from services.files.upload import Upload

TITLE = "Documents: read by page, one process, again and again for three seconds"
HEAD = ("document", "its bytes", "pages", "first page after", "pages a second", "reader's memory", "a picture takes")
HOSTILE_TITLE = "Documents: fifty hostile ones at once, two processes"
HOSTILE_HEAD = ("document", "its bytes", "read or refused", "pages read", "largest reader", "all 50 in")
AT_ONCE = 50
_READ_S = 3.0


def measure(_data_dir: Path, read_s: float = _READ_S) -> list[list[str]]:
    """Rows of a table: a kind each, from the campus's own teaching texts."""
    from sandbox.canvas.documents.render import rendered
    from sandbox.canvas.documents.source import all_sources

    largest = {kind: max((s for s in all_sources() if s.kind == kind), key=lambda s: len(s.body)) for kind in _KINDS}
    return [_row(kind, Upload(name=f"a.{_KINDS[kind]}", content=rendered(s)), read_s) for kind, s in largest.items()]


_KINDS = {"pdf": "pdf", "pptx": "pptx", "docx": "docx", "gdoc": "html", "scan": "pdf"}
"""Kinds of the campus's sources, each with the extension of its files."""


def _row(kind: str, upload: Upload, read_s: float) -> list[str]:
    with closing(ReaderProcesses(processes=1, memory_limit=MEMORY_LIMIT)) as processes, MemoryWatch() as watch:
        reader, first = DocumentReader(processes), list[float]()
        began = time.perf_counter()
        count = len(reader.read(upload, lambda *_: first.append(time.perf_counter() - began)).pages)
        pages, began_again = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - began_again) < read_s:
            pages += len(reader.read(upload).pages)
        picture = _picture_seconds(reader, upload)
    return [
        f"{kind}",
        f"{len(upload.content):,}",
        f"{count}",
        f"{first[0]:.2f} s",
        f"{pages / elapsed:,.0f}",
        f"{watch.reader / 1e6:.0f} MB",
        "" if picture is None else f"{picture * 1000:.0f} ms",
    ]


def _picture_seconds(reader: DocumentReader, upload: Upload) -> float | None:
    began = time.perf_counter()
    try:
        reader.picture(upload, 1)
    except HomeroomError:
        return None
    return time.perf_counter() - began


def measure_hostile(_data_dir: Path, at_once: int = AT_ONCE) -> list[list[str]]:
    """Rows of a table: a kind of hostile file each, with a pool of its own."""
    kinds: Mapping[str, Callable[[], bytes]] = {
        "pdf, 280 MB unpacked": swelling_pdf,
        "pdf, 10,000 pages": lambda: many_pages(10_000),
        "docx, 300 MB unpacked": swelling_docx,
        "pptx, a slide of 300 MB": swelling_slide,
        "html, a million tags": lambda: b"<!doctype html>" + b"<p><b>x" * 500_000,
        "txt, one line of 50 MB": lambda: b"x" * 50_000_000,
    }
    return [_hostile_row(kind, make(), at_once) for kind, make in kinds.items()]


def _hostile_row(kind: str, content: bytes, at_once: int) -> list[str]:
    upload = Upload(name=f"a.{kind.partition(',')[0]}", content=content)
    with closing(ReaderProcesses(processes=2, memory_limit=MEMORY_LIMIT)) as processes:
        reader, began = DocumentReader(processes), time.perf_counter()
        with MemoryWatch() as watch, ThreadPoolExecutor(at_once) as pool:
            pages = list(pool.map(lambda _: _pages_read(reader, upload), range(at_once)))
    return [
        kind,
        f"{len(content):,}",
        f"{sum(map(bool, pages))} / {sum(not count for count in pages)}",
        f"{max(pages):,}",
        f"{watch.reader / 1e6:.0f} MB",
        f"{time.perf_counter() - began:.1f} s",
    ]


def _pages_read(reader: DocumentReader, upload: Upload) -> int:
    try:
        return len(reader.read(upload).pages)
    except HomeroomError:
        return 0


def many_pages(count: int) -> bytes:
    """A PDF of so many pages with a line of text each."""
    line = b"BT /F1 12 Tf 72 700 Td (The same line of text on very many pages) Tj ET"
    kids = b" ".join(b"%d 0 R" % (5 + number) for number in range(count))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(line), line),
        *[page] * count,
    ]
    made, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(made))
    return bytes(made) + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def swelling_slide() -> bytes:
    """Slides, one part of which unpacks to 300 MB of shapes."""
    office = "http://schemas.openxmlformats.org"
    names = f'xmlns:p="{office}/presentationml/2006/main" xmlns:r="{office}/officeDocument/2006/relationships"'
    relation = '<Relationship Id="r1" Type="{}/{}" Target="{}"/>'
    lists = f'<Relationships xmlns="{office}/package/2006/relationships">{{}}</Relationships>'
    main = lists.format(relation.format(f"{office}/officeDocument/2006/relationships", "officeDocument", "ppt/p.xml"))
    slide = lists.format(relation.format(f"{office}/officeDocument/2006/relationships", "slide", "s.xml"))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as folder:
        folder.writestr("[Content_Types].xml", "<Types/>")
        folder.writestr("_rels/.rels", main)
        folder.writestr("ppt/_rels/p.xml.rels", slide)
        folder.writestr("ppt/p.xml", f'<p:presentation {names}><p:sldId r:id="r1"/></p:presentation>')
        with folder.open("ppt/s.xml", "w", force_zip64=True) as part:
            part.write(f"<p:sld {names}>".encode())
            for _ in range(300):
                part.write(b"<p:sp/>" * 150_000)
    return made.getvalue()
