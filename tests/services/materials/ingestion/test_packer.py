"""`pack`: the same in a process of its own as here, and a long text nowhere else."""

import pytest

from services.files.reader_process import ReaderProcesses
from services.files.upload import FileRefused
from services.materials.ingestion import packer
from services.materials.ingestion.packer import SHORT, pack
from services.materials.material import MaterialPage, MaterialText, PageUnit
from services.materials.store.text_parts import pack_text, unpack_pages

LONG = MaterialText(
    unit=PageUnit.SLIDE,
    pages=[
        MaterialPage(
            number=n, label=f"Título {n}", text=f"Osmosis {n} \u2192 agua. " * 60, notes="say it", is_blank=n == 2
        )
        for n in range(1, 3 + SHORT // 1000)
    ],
    count=99,
    has_pictures=True,
    remarks=("One slide was left out.",),
)


def test_a_long_text_is_packed_elsewhere_as_it_is_here() -> None:
    packed = pack(LONG)

    assert packed == pack_text(LONG)
    assert [page for part in packed.parts for page in unpack_pages(part.data)] == list(LONG.pages)


def test_a_text_that_ends_its_process_is_refused_and_not_packed_in_the_app() -> None:
    dead = ReaderProcesses(processes=1, program="services.materials.no_such_program")
    packer._processes.cache_clear()
    original, packer._processes = packer._processes, lambda: dead
    try:
        with pytest.raises(FileRefused, match="too much memory or time"):
            pack(LONG)
    finally:
        packer._processes = original
