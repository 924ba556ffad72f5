"""`LibraryVectors`: vectors for students' libraries, made behind their searches; a search never waits for them long.

A `VectorSource` makes them: `OwnVectors` on this machine, `VoyageVectors` by a provider's API.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from services.errors import ServiceUnavailable, Throttled
from services.materials.material import Material, MaterialPage
from services.materials.search.library_index import IndexedMaterial
from services.materials.search.material_index import MaterialIndex
from services.materials.search.meanings import QuestionMeaning
from services.materials.search.vectors import Vectors
from services.runtime.deferred_work import DeferredWork

log = logging.getLogger(__name__)

AWAY_S, REFUSED_S = 60.0, 900.0
"""Seconds that nothing is asked after the API was away, and after it refused, as with a wrong key."""
MOST_PASSAGES = 20_000
"""Passages of one student that get vectors, some 14 MB in the store; the rest is found by words alone."""


QuestionVector = Vectors | QuestionMeaning
"""A provider's, and one that was made here."""


@dataclass(frozen=True, kw_only=True)
class PassageText:
    """Text of a passage, with the label of its page."""

    label: str
    text: str = field(repr=False)


class VectorSource(Protocol):
    """What makes vectors; raises `ServiceUnavailable`."""

    def of_question(self, question: str) -> QuestionVector | None:
        """The vector of a question; None for one that it can tell nothing of."""

    def of_material(self, title: str, passages: Sequence[PassageText]) -> str:
        """The vectors of a material's passages, as text for the store."""

    def with_vectors(self, entry: IndexedMaterial, encoded: str) -> IndexedMaterial:
        """The material with what is stored; the same where that does not fit."""


@dataclass(frozen=True, kw_only=True)
class UnembeddedMaterial:
    """Material without vectors. source: where it is from, as in its record. pages: reads its text; save: stores its
    vectors.
    """

    material: Material
    source: str
    index: MaterialIndex
    pages: Callable[[], Sequence[MaterialPage]] = field(repr=False)
    save: Callable[[str], None] = field(repr=False)


@dataclass
class _OwnedMaterials:
    """What still gets vectors of one student's materials. stored: how many have got theirs."""

    student_id: str
    materials: deque[UnembeddedMaterial] = field(repr=False)
    done: Callable[[], None] = field(repr=False)
    stored: int = 0


class LibraryVectors:
    """may_send: whether a student has agreed that who makes vectors gets their questions, and the texts of a source."""

    def __init__(
        self,
        vectors: VectorSource,
        may_send: Callable[[str, str], bool],
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._vectors, self._may_send, self._monotonic = vectors, may_send, monotonic
        self._work = DeferredWork()
        self._lock = threading.Lock()
        self._busy: set[str] = set()
        self._waiting: deque[_OwnedMaterials] = deque()
        self._away_until = 0.0

    def with_vectors(self, entry: IndexedMaterial, encoded: str) -> IndexedMaterial:
        """The material with its stored vectors; the same where there are none that fit."""
        return self._vectors.with_vectors(entry, encoded) if encoded else entry

    def of_question(self, student_id: str, question: str) -> QuestionVector | None:
        """The vector of a question; None where it cannot be had now, or may not be asked for."""
        if self._is_away() or not question.strip() or not self._may_send(student_id, ""):
            return None
        try:
            return self._vectors.of_question(question)
        except ServiceUnavailable as error:
            self._note(error)
            return None

    def add(self, student_id: str, materials: Sequence[UnembeddedMaterial], done: Callable[[], None]) -> None:
        """Make vectors behind, for one student once at a time. done: called when some have been stored."""
        with self._lock:
            if not materials or student_id in self._busy or self._is_away():
                return
            self._busy.add(student_id)
            self._waiting.append(_OwnedMaterials(student_id, deque(materials), done))
        # A call for each student, as one ends with its student's failure.
        self._work.submit("", [self._take_turns])

    def wait(self, timeout_s: float) -> None:
        """Wait for what was begun so far."""
        self._work.wait(timeout_s)

    def _take_turns(self) -> None:
        """Make the vectors of one material of each student in turn: a large library holds up no small one."""
        while (own := self._next()) is not None:
            is_over = True
            try:
                self._embed(own)
                is_over = not own.materials
            finally:
                if is_over:
                    self._finish(own)
                else:
                    self._waiting.append(own)

    def _next(self) -> _OwnedMaterials | None:
        try:
            return self._waiting.popleft()
        except IndexError:
            return None

    def _embed(self, own: _OwnedMaterials) -> None:
        material = own.materials.popleft()
        # Asked anew each time: a withdrawn consent counts from that moment on.
        if not self._may_send(own.student_id, material.source):
            return
        try:
            material.save(self._vectors.of_material(material.material.title, _texts(material)))
            own.stored += 1
        except ServiceUnavailable as error:
            own.materials.clear()
            self._note(error)

    def _finish(self, own: _OwnedMaterials) -> None:
        with self._lock:
            self._busy.discard(own.student_id)
        if own.stored:
            own.done()

    def _is_away(self) -> bool:
        return self._monotonic() < self._away_until

    def _note(self, error: ServiceUnavailable) -> None:
        is_passing = isinstance(error, Throttled)
        self._away_until = self._monotonic() + (AWAY_S if is_passing else REFUSED_S)
        log.warning("embeddings_unavailable passing=%s: %s", is_passing, error)


def _texts(unembedded: UnembeddedMaterial) -> list[PassageText]:
    pages = {page.number: page for page in unembedded.pages()}
    texts = []
    for number in range(len(unembedded.index.places)):
        passage = unembedded.index.passage(number)
        page = pages.get(passage.page)
        texts.append(PassageText(label=page.label, text=passage.of(page)) if page else PassageText(label="", text=""))
    return texts
