"""`RequestPassages`: the parts of a request's sources that questions are made from, each with its place."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from services.errors import BadArguments, ConsentRequired, ItemNotFound
from services.i18n import gettext
from services.identity.students import Student
from services.materials.library import MaterialLibrary
from services.materials.material import Material, MaterialKind, MaterialPage, PageUnit
from services.materials.results import MaterialHit
from services.navigation import material_address
from services.runtime.clock import Clock
from services.safety.text import one_line, plain
from services.study.generation import end_reasons
from services.study.generation.open_quizzes import OpenQuizzes, without_open_quizzes
from services.study.generation.source_passage import SourcePassage, cut_passage
from services.study.question import SourceKind
from services.study.quiz import QuizRequest, SourceChoice

FEWEST_CHARACTERS = 30
"""Characters of a passage that can bear a question."""
MOST_PASSAGES = 400
LONGEST_TEXT = 60_000
"""Characters of a pasted text, a page of notes or a chat that are used."""
MOST_HITS = 12
"""Pages of a course that are used for a topic alone."""
_ORGANISING = (MaterialKind.ANNOUNCEMENT, MaterialKind.ASSIGNMENT, MaterialKind.DISCUSSION, MaterialKind.SYLLABUS)
"""Texts that say how a course runs rather than what it teaches: used for a topic where nothing else has it."""


@dataclass(frozen=True, kw_only=True)
class SourceText:
    """Text of a page of notes or of a chat, as its student may read it now. url: opens it; "" where nothing does."""

    title: str = field(repr=False)
    url: str = field(default="", repr=False)
    text: str = field(repr=False)


class SourceTexts(Protocol):
    """Reader of sources that are no materials, each with the student's own rights."""

    def read(self, student: Student, choice: SourceChoice) -> SourceText:
        """Read a page of notes or a chat; raises `ServiceError`, `ConsentRequired`."""


IsAgreed = Callable[[str, Material], bool]
"""Whether the account through which a student (by id) has this material may be read by the model."""


class RequestPassages:
    """Passages of all sources; every method takes the student first and reads with their rights at that moment."""

    def __init__(
        self,
        *,
        library: MaterialLibrary,
        texts: Mapping[SourceKind, SourceTexts],
        quizzes: OpenQuizzes,
        is_agreed: IsAgreed,
        clock: Clock,
        public_url: str,
    ) -> None:
        """quizzes: what is open for a grade, and therefore no source."""
        self._library, self._texts, self._quizzes, self._is_agreed = library, texts, quizzes, is_agreed
        self._clock, self._public_url = clock, public_url

    def of(self, student: Student, request: QuizRequest) -> list[SourcePassage]:
        """Read the passages of a request, in their order, without what is open for a grade now.

        Raises as the sources do, `BadArguments` where nothing is left, `ServiceUnavailable` where nobody can tell what
        is open.
        """
        if request.sources:
            found = [passage for choice in request.sources for passage in self._of_source(student, choice)]
        else:
            found = self._about(student, request)
        passages = [passage for passage in found if len(passage.text.strip()) >= FEWEST_CHARACTERS][:MOST_PASSAGES]
        if passages:
            courses = self._courses(student, request)
            listed = [quiz for key in courses for quiz in self._quizzes.of(student, key)]
            passages = without_open_quizzes(passages, listed, student, self._clock())
        if not passages:
            raise BadArguments(
                end_reasons.too_little_text(request.product),
                field="sources",
                next_step=gettext("Choose another material, or paste a text."),
            )
        return passages

    def _courses(self, student: Student, request: QuizRequest) -> set[str]:
        """The courses whose quizzes may stand in the sources; "" for any."""
        materials = [choice.id for choice in request.sources if choice.kind is SourceKind.MATERIAL]
        keys = {self._library.material(student, id).course_key for id in materials}
        is_all_of_materials = bool(materials) and len(materials) == len(request.sources)
        return keys if is_all_of_materials else keys | {request.course_key}

    def _of_source(self, student: Student, choice: SourceChoice) -> Iterator[SourcePassage]:
        if choice.kind is SourceKind.MATERIAL:
            yield from self._of_material(student, choice)
        elif choice.kind is SourceKind.TEXT:
            title = one_line(choice.title, 120) or gettext("Your text")
            yield from cut_passage(
                SourcePassage(source=choice.kind, place=title, text=plain(choice.text)[:LONGEST_TEXT])
            )
        else:
            read = self._texts[choice.kind].read(student, choice)
            whole = SourcePassage(
                source=choice.kind,
                source_id=choice.id,
                place=one_line(read.title, 120),
                url=read.url,
                text=plain(read.text)[:LONGEST_TEXT],
            )
            yield from cut_passage(whole)

    def _of_material(self, student: Student, choice: SourceChoice) -> Iterator[SourcePassage]:
        material = self._library.material(student, choice.id)
        if not self._is_agreed(student.id, material):
            raise _not_agreed(self._public_url)
        read = self._library.pages(student, choice.id, choice.pages or None)
        if choice.pages and not read.pages:
            raise ItemNotFound(
                "Homeroom",
                gettext("These pages are not in the material."),
                next_step=gettext("It has {n} pages.", n=read.count),
            )
        for page in read.pages:
            yield from self._of_page(read.material, page, read.unit, read.count)

    def _about(self, student: Student, request: QuizRequest) -> list[SourcePassage]:
        """Pages of the course, or of all courses, that are about the topic; in the order of the course."""
        keys = [request.course_key] if request.course_key else None
        found = self._library.search(student, request.topic, course_keys=keys, limit=2 * MOST_HITS).hits
        hits = [hit for hit in found if hit.material.kind not in _ORGANISING][:MOST_HITS] or found[:MOST_HITS]
        agreed = [hit for hit in hits if self._is_agreed(student.id, hit.material)]
        if hits and not agreed:
            raise _not_agreed(self._public_url)
        ordered = sorted(agreed, key=lambda hit: (hit.material.course_key, hit.material.position, hit.page.number))
        whole = {(hit.material.id, hit.page.number): hit for hit in ordered}
        return [passage for hit in whole.values() for passage in self._of_hit(hit)]

    def _of_hit(self, hit: MaterialHit) -> Iterator[SourcePassage]:
        return self._of_page(hit.material, hit.page, hit.unit, hit.count)

    def _of_page(self, material: Material, page: MaterialPage, unit: PageUnit, count: int) -> Iterator[SourcePassage]:
        notes = f"\n\n{page.notes}" if page.notes else ""
        whole = SourcePassage(
            source=SourceKind.MATERIAL,
            source_id=material.id,
            page=page.number,
            place=_place(material, page, unit, count),
            url=material_address(self._public_url, material.id, page.number),
            label=one_line(page.label, 120),
            text=plain(f"{page.text}{notes}"),
        )
        yield from cut_passage(whole)


def _place(material: Material, page: MaterialPage, unit: PageUnit, count: int) -> str:
    title = one_line(material.title, 120)
    if unit is PageUnit.SLIDE:
        return gettext("{title}, slide {n}", title=title, n=page.number)
    if unit is PageUnit.PAGE:
        return gettext("{title}, page {n}", title=title, n=page.number)
    label = one_line(page.label, 120).rpartition("›")[2].strip()
    return f"{title}, {label}" if label and label != title and count > 1 else title


def _not_agreed(public_url: str) -> ConsentRequired:
    return ConsentRequired(
        gettext("You have not agreed that the model reads this account, so nothing of it was sent."),
        next_step=gettext("Agree on the page Connections, or use a file of your own."),
        address=f"{public_url}/connections",
    )
