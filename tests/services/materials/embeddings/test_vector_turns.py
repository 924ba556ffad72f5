"""Vectors of many students: a large library holds up no small one, and a process that was killed nobody."""

import os
import signal
import threading
from collections.abc import Callable, Sequence

from services.materials.embeddings import own_vectors
from services.materials.embeddings.library_vectors import LibraryVectors, PassageText, UnembeddedMaterial
from services.materials.embeddings.own_vectors import OwnVectors
from services.materials.material import Material, MaterialKind, MaterialPage, MaterialText, PageUnit
from services.materials.search.library_index import IndexedMaterial
from services.materials.search.material_index import index_text

TEXT = MaterialText(
    unit=PageUnit.PAGE, pages=(MaterialPage(number=1, text="Water moves to where there is more salt."),)
)


class FakeVectors:
    """Source of vectors that waits before its first one."""

    def __init__(self, may_begin: threading.Event) -> None:
        self._may_begin = may_begin

    def of_question(self, question: str) -> None:
        return None

    def of_material(self, title: str, passages: Sequence[PassageText]) -> str:
        self._may_begin.wait(5)
        return "made"

    def with_vectors(self, entry: IndexedMaterial, encoded: str) -> IndexedMaterial:
        return entry


def unembedded(save: Callable[[str], None]) -> UnembeddedMaterial:
    material = Material(id="m", course_key="canvas-101", kind=MaterialKind.FILE, title="Lecture")
    return UnembeddedMaterial(
        material=material, source="school", index=index_text(TEXT), pages=lambda: TEXT.pages, save=save
    )


def test_a_large_library_holds_up_no_small_one() -> None:
    may_begin, saved = threading.Event(), list[str]()
    vectors = LibraryVectors(FakeVectors(may_begin), lambda *_: True)
    vectors.add("maya", [unembedded(lambda _: saved.append("maya"))] * 5, lambda: saved.append("all of maya"))
    vectors.add("diego", [unembedded(lambda _: saved.append("diego"))], lambda: None)

    may_begin.set()
    vectors.wait(10)

    assert saved == ["maya", "diego", *["maya"] * 4, "all of maya"]


def test_a_material_that_cannot_be_read_holds_up_no_other_student() -> None:
    may_begin, saved = threading.Event(), list[str]()
    vectors = LibraryVectors(FakeVectors(may_begin), lambda *_: True)
    vectors.add("maya", [unembedded(lambda _: saved.remove("nothing"))] * 2, lambda: None)
    vectors.add("diego", [unembedded(lambda _: saved.append("diego"))] * 2, lambda: None)

    may_begin.set()
    vectors.wait(10)

    assert saved == ["diego", "diego"]


def test_a_process_that_was_killed_is_started_anew() -> None:
    own_vectors._processes.cache_clear()
    vectors, passages = OwnVectors(), [PassageText(label="", text="Water moves to where there is more salt.")]
    vectors.of_material("First", passages)
    process = own_vectors._processes()._idle[-1]
    assert process is not None
    os.kill(process._process.pid, signal.SIGKILL)
    process._process.wait()

    assert vectors.of_material("Second", passages)
