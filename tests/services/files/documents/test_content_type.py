"""Content types: by the bytes, with a sentence for what is not read."""

import io
import zipfile

import pytest

from services.files.documents.content_type import content_type
from services.files.upload import FileRefused


def archive(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name in names:
            packed.writestr(name, "content")
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("starter.zip", archive("maze.py")),
        ("novel.epub", archive("mimetype", "chapter.xhtml")),
        ("essay.odt", archive("mimetype", "content.xml")),
        ("recording.mp4", b"\x00\x00\x00\x18ftypmp42" + bytes(500)),
        ("song.mp3", b"ID3\x04\x00\x00" + bytes(500)),
        ("program.exe", b"MZ\x90\x00" + bytes(500)),
    ],
)
def test_a_kind_that_is_not_read_is_told_as_such(name: str, content: bytes) -> None:
    with pytest.raises(FileRefused, match="Files of this kind"):
        content_type(name, content)


@pytest.mark.parametrize("name", ["slides.pptx", "essay.docx"])
def test_an_archive_under_the_name_of_an_office_file_is_damaged(name: str) -> None:
    with pytest.raises(FileRefused, match="damaged"):
        content_type(name, archive("maze.py"))


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("slides.dat", b"%PDF-1.7\n", "pdf"),
        ("notes", b"plain words", "text"),
        ("notes.txt", "caf\u00e9".encode("utf-16"), "text"),
        ("letter.rtf", b"{\\rtf1\\ansi Dear students}", "rich_text"),
        ("page.php", b"<!doctype html><p>Words</p>", "web"),
        ("chart.txt", b"\x89PNG\r\n\x1a\n" + bytes(40), "image"),
    ],
)
def test_the_bytes_say_what_a_file_is(name: str, content: bytes, kind: str) -> None:
    assert content_type(name, content) == kind
