"""Files changed at random end as text or in a sentence, and the processes that read them go on."""

import io
import random
import re
import zipfile
from collections.abc import Callable
from contextlib import closing

import pytest

from services.files.documents.document import DocumentText
from services.files.documents.document_reader import MEMORY_LIMIT, DocumentReader
from services.files.reader_process import ReaderProcesses
from services.files.upload import FileRefused, Upload
from tests.document_samples import drawn_pdf, heading_styles, paragraph, shape, slides, word_file, words_at

ODD = (b"-1", b"99999999999999999999", b"\0\0", b"<", b">", b"/", b" 0 R", b"NaN", b"\xff\xff\xff\xff", b"", b"1e99")
SAMPLES: dict[str, Callable[[], bytes]] = {
    "pdf": lambda: drawn_pdf(*[words_at(72, 700, f"Page {n} about membranes") for n in range(3)]),
    "pptx": lambda: slides(shape("Osmosis", kind="title") + shape("Water"), shape("More"), notes={1: "Say it slowly"}),
    "docx": lambda: word_file(paragraph("Methods", "T1") + paragraph("Iodine."), styles=heading_styles()),
    "html": lambda: b"<h2>Osmosis</h2><table><tr><td>a<td>b</table><p style='color:#fff'>x</p><ul><li>y</ul>",
    "md": lambda: b"# One\n\ntext\n\n```\ncode\n```\n\n## Two\n\n| a | b |\n",
}


def changed(content: bytes, chance: random.Random) -> bytes:
    """The bytes with some of them lost, doubled, or put in place of a number."""
    found = bytearray(content)
    for _ in range(chance.choice((1, 3, 10))):
        at = chance.randrange(len(found) + 1)
        match chance.randrange(5):
            case 0:
                found[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del found[at : at + chance.choice((1, 10, 300))]
            case 2:
                found[at:at] = found[chance.randrange(len(found) + 1) :][: chance.choice((1, 30, 300))]
            case 3:
                found[at:at] = chance.choice(ODD)
            case _:
                if numbers := list(re.finditer(rb"\d+", bytes(found))):
                    number = chance.choice(numbers)
                    found[number.start() : number.end()] = chance.choice(ODD)
    return bytes(found)


def repacked(content: bytes, chance: random.Random) -> bytes:
    """An archive with some of its parts changed, so that their changes are read and not only found to be torn."""
    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            if chance.random() < 0.5:
                part = re.sub(rb'"[^"]*"', lambda f: chance.choice((f[0],) * 12 + (b'""', b'"-1"', b'"9e99"')), part)
            if chance.random() < 0.2:
                part = changed(part, chance)
            if chance.random() > 0.05:
                new.writestr(name, part)
    return whole.getvalue()


@pytest.mark.soak
@pytest.mark.parametrize("ending", SAMPLES)
def test_a_file_changed_at_random_is_read_or_refused(ending: str) -> None:
    chance = random.Random(f"{ending} 18")
    sample = SAMPLES[ending]()
    change = repacked if ending in ("pptx", "docx") else changed
    outcomes: set[str] = set()
    with closing(ReaderProcesses(processes=1, memory_limit=MEMORY_LIMIT)) as processes:
        reader = DocumentReader(processes, page_limit_s=3.0)
        for _ in range(1_000):
            outcomes.add(_outcome(reader, Upload(name=f"file.{ending}", content=change(sample, chance))))

    assert "read" in outcomes
    assert "This file takes too much memory or time to read." not in outcomes


def test_a_hundred_changed_files_leave_no_fault_in_the_readers() -> None:
    """In this process, where a fault of a reader is an error of the test and no ended process."""
    from services.files.documents.document_worker import read_document

    chance = random.Random(18)
    endings = [ending for ending in SAMPLES if ending != "pdf"]
    refused = 0
    for at in range(100):
        ending = endings[at % len(endings)]
        change = repacked if ending in ("pptx", "docx") else changed
        try:
            list(read_document(Upload(name=f"file.{ending}", content=change(SAMPLES[ending](), chance))))
        except FileRefused:
            refused += 1

    assert 0 < refused < 100


def _outcome(reader: DocumentReader, upload: Upload) -> str:
    try:
        found = reader.read(upload)
    except FileRefused as refusal:
        return str(refusal)
    assert isinstance(found, DocumentText)
    return "read"
