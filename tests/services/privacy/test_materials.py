"""What an export and a deletion make of a library."""

import io
import zipfile
from pathlib import Path

import pytest

from services.files.upload import Upload
from services.privacy.data_export import export_archive
from tests.fakes import FakeDocuments
from tests.services.materials.school import BIOLOGY, ROME, LibraryRoom


@pytest.fixture
def library_room(tmp_path: Path) -> LibraryRoom:
    return LibraryRoom(FakeDocuments(), tmp_path)


def test_an_export_holds_texts_and_uploads_of_this_student_alone(library_room: LibraryRoom) -> None:
    ben = library_room.sign_in("ben")
    library_room.read_ahead(BIOLOGY)
    library_room.library.add_upload(library_room.maya, BIOLOGY, Upload(name="../rome.md", content=ROME))
    library_room.library.add_upload(ben, BIOLOGY, Upload(name="bens.md", content=ROME))

    with zipfile.ZipFile(io.BytesIO(export_archive(library_room.services, library_room.maya))) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if name.startswith("materials/")}

    assert sorted(name.rpartition("/")[2] for name in files) == [
        "000-Lecture 1.txt",
        "000-rome.md",
        "000-rome.md.txt",
    ]
    assert all(name.startswith("materials/Biology 201-") for name in files)
    text = next(content for name, content in files.items() if name.endswith("Lecture 1.txt")).decode()
    assert "--- section 1: Osmosis ---\n\n" in text
    assert "movement of water" in text
    assert next(content for name, content in files.items() if name.endswith("000-rome.md")) == ROME


def test_a_deletion_leaves_nothing_of_a_library(library_room: LibraryRoom) -> None:
    library_room.read_ahead(BIOLOGY)
    library_room.library.add_upload(library_room.maya, BIOLOGY, Upload(name="rome.md", content=ROME))

    library_room.services.account_deletion.delete(library_room.maya.id)

    collections = ("material_courses", "materials", "material_texts", "material_indexes", "material_uploads")
    assert [library_room.stored(name) for name in collections] == [0] * 5
