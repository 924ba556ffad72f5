"""Memory while fifty hostile files are attached at once: of the app's process, and of the processes that read them."""

import io
import os
import threading
import time
import zipfile
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from services.files.reader_process import ReaderProcesses
from services.files.upload import FileRefused, Upload

TITLE = "Files: memory while fifty hostile ones are attached at once"
HEAD = ("file", "its bytes", "read or refused", "app grows by", "largest reader", "all 50 in")
AT_ONCE = 50


def measure(_data_dir: Path, at_once: int = AT_ONCE) -> list[list[str]]:
    """Rows of a table: one kind of file each, with pools of their own."""
    from PIL import Image

    kinds: dict[str, Callable[[], bytes]] = {
        "jpg, long and narrow, 80 MP": lambda: _image(Image.new("RGB", (51_000, 1_560)), "JPEG"),
        "jpg, progressive, 79 MP": lambda: _image(Image.new("RGB", (8_900, 8_900)), "JPEG", progressive=True),
        "png, with transparency, 24 MP": lambda: _image(Image.new("RGBA", (4_890, 4_900)), "PNG"),
        "webp, 24 MP": lambda: _image(Image.new("RGBA", (4_890, 4_900)), "WEBP", lossless=True, method=0),
        "pdf, 280 MB unpacked": swelling_pdf,
        "docx, 300 MB unpacked": swelling_docx,
    }
    return [_row(kind, make(), at_once) for kind, make in kinds.items()]


def _image(picture: object, kind: str, **options: object) -> bytes:
    made = io.BytesIO()
    picture.save(made, kind, **options)  # type: ignore[attr-defined]
    return made.getvalue()


def swelling_pdf() -> bytes:
    """A page whose one stream unpacks to ten million lines of text."""
    stream = zlib.compress(b"BT /F1 12 Tf (too much) Tj ET\n" * 10_000_000)
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
        b"<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream" % (len(stream), stream),
    )
    made, places = b"%PDF-1.4\n", list[int]()
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(made)
    return made + b"xref\n0 5\n0000000000 65535 f \n" + table + end


def swelling_docx() -> bytes:
    """A document whose one part unpacks to nine million paragraphs."""
    namespace = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    made = io.BytesIO()
    with (
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as folder,
        folder.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        part.write(b'<w:document xmlns:w="%s"><w:body>' % namespace)
        for _ in range(300):
            part.write(b"<w:p><w:r><w:t>x</w:t></w:r></w:p>" * 30_000)
        part.write(b"</w:body></w:document>")
    return made.getvalue()


def _row(kind: str, content: bytes, at_once: int) -> list[str]:
    upload = Upload(name=f"a.{kind.partition(',')[0]}", content=content)
    with closing(ReaderProcesses()) as processes, ThreadPoolExecutor(at_once) as pool:
        before, began = _resident_bytes(os.getpid()), time.perf_counter()
        with MemoryWatch() as watch:
            outcomes = list(pool.map(lambda _: _outcome(processes, upload), range(at_once)))
        seconds = time.perf_counter() - began
    return [
        kind,
        f"{len(content):,}",
        " / ".join(str(outcomes.count(outcome)) for outcome in ("read", "refused")),
        f"{max(0, watch.own - before) / 1e6:.0f} MB",
        f"{watch.reader / 1e6:.0f} MB",
        f"{seconds:.1f} s",
    ]


def _outcome(processes: ReaderProcesses, upload: Upload) -> str:
    try:
        processes.read(upload)
    except FileRefused:
        return "refused"
    return "read"


class MemoryWatch:
    """Thread that notes the most memory of this process and of its readers, a hundred times a second."""

    def __init__(self) -> None:
        self.own = self.reader = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "MemoryWatch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.01):
            self.own = max(self.own, _resident_bytes(os.getpid()))
            self.reader = max(self.reader, *(_resident_bytes(child) for child in _children()), 0)


def _children() -> list[int]:
    found: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        try:
            found += [int(id) for id in (task / "children").read_text().split()]
        except OSError:
            continue
    return found


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0
