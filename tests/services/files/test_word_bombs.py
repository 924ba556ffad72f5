"""A Word document that lies about its size, or is built to be slow, is refused or read at once (T22, T23)."""

import io
import struct
import time
import zipfile

import pytest
from docx import Document

from services.files.readers import read_upload
from services.files.upload import FileRefused, Upload

WORDS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SECONDS = 5.0
"""Each of these took minutes or gigabytes once; now a blink."""


def _document(body: str, *, main: str = "word/document.xml", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made, out = io.BytesIO(), io.BytesIO()
    Document().save(made)
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(out, "w", method) as archive:
        for name in source.namelist():
            content = source.read(name)
            if name in ("_rels/.rels", "[Content_Types].xml"):
                content = content.replace(b"word/document.xml", main.encode())
            if name != "word/document.xml" or main != name:
                archive.writestr(name, content)
        archive.writestr(main, f"<w:document {WORDS}><w:body>{body}</w:body></w:document>")
    return out.getvalue()


def _declaring(content: bytes, size: int, name: str = "word/document.xml") -> bytes:
    """The same archive with another size of this part in its list, as `PK 1 2` begins an entry of it."""
    lying, at = bytearray(content), content.find(b"PK\x01\x02")
    while content[at + 46 : at + 46 + len(name)] != name.encode():
        at = content.find(b"PK\x01\x02", at + 4)
    struct.pack_into("<I", lying, at + 24, size)
    return bytes(lying)


def _read(content: bytes) -> str:
    began = time.process_time()
    try:
        return read_upload(Upload(name="essay.docx", content=content)).content.decode()
    finally:
        assert time.process_time() - began < SECONDS


def test_no_more_is_unpacked_than_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    lying = _declaring(_document(f"<!--{' ' * 30_000_000}-->"), 500)
    largest = 0
    unpack = zipfile.ZipExtFile._read1  # type: ignore[attr-defined]

    def watched(self: zipfile.ZipExtFile, n: int) -> bytes:
        nonlocal largest
        largest = max(largest, n)
        return bytes(unpack(self, n))

    monkeypatch.setattr(zipfile.ZipExtFile, "_read1", watched)
    with pytest.raises(FileRefused):
        _read(lying)
    assert 0 < largest <= 100_000


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_packing_that_no_word_document_has_is_refused_unopened(method: int) -> None:
    with pytest.raises(FileRefused):
        _read(_document("<w:p/>", method=method))


def test_a_part_that_does_not_say_it_is_xml_is_not_read_as_xml() -> None:
    with pytest.raises(FileRefused):
        _read(_document("<w:p><w:r><w:t>hidden</w:t></w:r></w:p>", main="word/document.png"))


def test_very_many_words_in_one_run_take_a_moment() -> None:
    assert _read(_document(f"<w:p><w:r>{'<w:t/>' * 100_000}<w:t>end</w:t></w:r></w:p>")) == "end"


def test_paragraphs_within_paragraphs_are_read_once() -> None:
    nested = "<w:p>" * 200 + "<w:r><w:t>x</w:t></w:r>" * 20_000 + "</w:p>" * 200
    assert _read(_document(f"<w:tbl><w:tr><w:tc>{nested}</w:tc></w:tr></w:tbl>")) == f"| {'x' * 20_000} |"
