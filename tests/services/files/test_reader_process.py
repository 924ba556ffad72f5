"""Hostile files are read in processes of their own: those may end, the app goes on (T22)."""

import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
from PIL import Image

from services.files.reader_process import ReaderProcesses
from services.files.readers import read_uploads
from services.files.upload import FileRefused, FilesRefused, Upload
from services.i18n import locale_scope
from services.settings import ROOT
from tests.file_samples import pdf

SMALL_BYTES = 96 * 1024 * 1024


def image(width: int, height: int, kind: str = "PNG") -> Upload:
    made = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 30)).save(made, kind)
    return Upload(name=f"picture.{kind.lower()}", content=made.getvalue())


def only_child(before: set[int]) -> int:
    (started,) = children() - before
    return started


def children() -> set[int]:
    found: set[int] = set()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        # A thread may end meanwhile.
        with suppress(FileNotFoundError):
            found |= {int(id) for id in (task / "children").read_text().split()}
    return found


@pytest.fixture
def processes() -> Iterator[ReaderProcesses]:
    with closing(ReaderProcesses(processes=1)) as processes:
        yield processes


def test_one_process_reads_one_file_after_another(processes: ReaderProcesses) -> None:
    before = children()

    kinds = [processes.read(upload).kind for upload in (image(30, 20), Upload(name="notes.pdf", content=pdf("Hi")))]

    assert kinds == ["image", "pdf"]
    assert only_child(before)


def test_files_are_read_where_the_system_refuses_the_limit_as_macos_does() -> None:
    refused = "import resource, runpy\ndef refuse(*_): raise ValueError('current limit exceeds maximum limit')\n"
    program = f"{refused}resource.setrlimit = refuse\nrunpy.run_module('services.files', run_name='__main__')"

    ended = subprocess.run(
        [sys.executable, "-c", program, "1000", "0"], cwd=ROOT, input=b"", capture_output=True, timeout=60
    )

    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_file_that_needs_more_memory_than_there_is_is_refused_and_the_next_is_read() -> None:
    with closing(ReaderProcesses(processes=1, memory_limit=SMALL_BYTES)) as processes:
        with pytest.raises(FileRefused):
            processes.read(image(4_800, 4_800))

        assert processes.read(image(30, 20)).kind == "image"


@pytest.mark.parametrize(
    "kind", ["PNG", *(pytest.param(kind, marks=pytest.mark.soak) for kind in ("WEBP", "GIF", "JPEG"))]
)
def test_no_image_that_passes_needs_more_than_the_limit(processes: ReaderProcesses, kind: str) -> None:
    assert processes.read(image(4_800, 4_950, kind)).kind == "image"


def test_a_jpeg_of_a_few_kilobytes_that_is_long_and_narrow_is_refused(processes: ReaderProcesses) -> None:
    """Unpacked it would take a gigabyte, and a JPEG is made smaller only when both sides are long."""
    with pytest.raises(FileRefused, match="too large to be unpacked"):
        processes.read(image(51_000, 1_560, "JPEG"))


def test_a_process_that_ends_refuses_its_file_and_another_takes_its_place(processes: ReaderProcesses) -> None:
    before = children()
    processes.read(image(30, 20))
    os.kill(only_child(before), signal.SIGKILL)

    with pytest.raises(FileRefused, match="too much memory or time"):
        processes.read(image(30, 20))

    assert processes.read(image(30, 20)).kind == "image"


def test_a_file_that_takes_too_long_is_given_up() -> None:
    with closing(ReaderProcesses(processes=1, limit_s=0.05)) as processes, pytest.raises(FileRefused):
        processes.read(image(4_800, 4_800))


def test_a_process_has_none_of_the_apps_settings(monkeypatch: pytest.MonkeyPatch, processes: ReaderProcesses) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary")
    before = children()
    processes.read(image(30, 20))

    assert b"canary" not in Path(f"/proc/{only_child(before)}/environ").read_bytes()


def test_what_is_wrong_is_said_in_the_language_of_the_student(processes: ReaderProcesses) -> None:
    with locale_scope("es"), pytest.raises(FileRefused, match="no es un PDF"):
        processes.read(Upload(name="notes.pdf", content=b"plain"))


def test_many_students_attach_at_once() -> None:
    with closing(ReaderProcesses(processes=2)) as processes, ThreadPoolExecutor(12) as pool:
        before = threading.active_count()
        found = list(pool.map(lambda side: processes.read(image(side, 20)).content, range(20, 60)))

    assert len({Image.open(io.BytesIO(content)).width for content in found}) == 40
    assert threading.active_count() <= before + 12


def test_the_files_of_a_message_are_read_there_and_texts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = [image(30, 20), Upload(name="a.txt", content=b"words")]
    monkeypatch.setattr("services.files.text.plain", lambda _: pytest.fail("a text is read in the app"))

    assert [readable.kind for readable in read_uploads(uploads)] == ["image", "text"]
    with pytest.raises(FilesRefused):
        read_uploads([image(51_000, 1_560, "JPEG")])
