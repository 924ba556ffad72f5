"""A JPEG that goes over its picture thousands of times is refused before it is unpacked (T22, T23)."""

import io

import pytest
from PIL import Image

from services.files.readers import read_upload
from services.files.upload import FileRefused, Upload

SIDE = 2_000


def _progressive(more_scans: int) -> bytes:
    """A plain picture whose last scan is said again and again."""
    made = io.BytesIO()
    Image.new("L", (SIDE, SIDE), 100).save(made, "JPEG", progressive=True)
    picture, end = made.getvalue()[:-2], made.getvalue()[-2:]
    return picture + picture[picture.rindex(b"\xff\xda") :] * more_scans + end


def test_scans_without_end_are_refused() -> None:
    bomb = _progressive(20_000)
    assert len(bomb) < 2_000_000
    with pytest.raises(FileRefused, match="too large to be unpacked"):
        read_upload(Upload(name="photo.jpg", content=bomb))


def test_a_progressive_photo_is_read() -> None:
    assert read_upload(Upload(name="photo.jpg", content=_progressive(0))).kind == "image"
