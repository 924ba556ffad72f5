"""`Quizzes`: a student's quizzes: asked for, looked at, renamed, deleted; the making itself is `GenerationJob`'s."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import get_args

from babel import Locale, UnknownLocaleError

from services.errors import ApprovalRequired, BadArguments, ItemNotFound, UsedTooOften
from services.i18n import gettext
from services.identity.students import Student
from services.runtime.clock import Clock
from services.safety.consent_terms import ConsentTerms
from services.safety.text import one_line, plain
from services.study.generation.generated_items import GeneratedItems
from services.study.generation.generation_job import GenerationJob
from services.study.generation.request_passages import LONGEST_TEXT, RequestPassages
from services.study.generation.writing_round import estimate_of, largest_estimate
from services.study.question import Difficulty, Question, QuestionKind, SourceKind
from services.study.quiz import (
    ACTIVE,
    MOST_QUESTIONS,
    GenerationEstimate,
    Product,
    Quiz,
    QuizRequest,
    QuizState,
)
from services.study.store.quiz_repository import QuizRecord, QuizRepository, new_quiz_id

MOST_A_DAY = 200
"""Questions and cards that are made for one student in 24 hours."""
MOST_WAITING = 5
"""Quizzes of one student that are made or wait for it."""
MOST_SOURCES, MOST_PAGES = 12, 200
LONGEST_MOCK_MINUTES = 240
_DAY = timedelta(days=1)
_TRIES = 5


class Quizzes:
    """Quizzes of all students; every method takes the student first and sees nothing of anybody else.

    Raises `ItemNotFound` for a quiz or question that there is not, `BadArguments` for a request that cannot be made,
    `StorageError`.
    """

    def __init__(
        self,
        *,
        repository: QuizRepository,
        passages: RequestPassages,
        job: GenerationJob,
        products: Mapping[str, GeneratedItems],
        model_name: str,
        terms: ConsentTerms,
        clock: Clock,
    ) -> None:
        self._repository, self._passages, self._job, self._clock = repository, passages, job, clock
        self._products, self._model_name, self._terms = products, model_name, terms

    def estimate(self, student: Student, request: QuizRequest) -> GenerationEstimate:
        """Tell what making takes, with what is left of today's limit; reads the sources, as they are now.

        Raises as `MaterialLibrary.pages` does, and `ConsentRequired`.
        """
        request = checked_request(request)
        passages = self._passages.of(student, request)
        made = estimate_of(self._model_name, request, passages)
        return replace(made, left_today=self.left_today(student))

    def left_today(self, student: Student) -> int:
        """How many questions more may be made for the student in these 24 hours."""
        recent = self._repository.quizzes(student.id, since=self._clock() - _DAY)
        used = sum(
            record.quiz.request.count if record.quiz.state in ACTIVE else len(record.quiz.question_ids)
            for record in recent
        )
        return max(0, MOST_A_DAY - used)

    def make(self, student: Student, request: QuizRequest, *, key: str = "", is_agreed: bool = False) -> Quiz:
        """Ask for a quiz, or for drafts of cards: stored at once, made behind. key: the same again gives the same quiz.
        is_agreed: the student was told what it takes, and said yes.

        Raises `ConsentRequired` without the consent to the chat, `UsedTooOften` where a limit is reached,
        `ApprovalRequired` for a large one without the student's yes, and as `estimate` does.
        """
        request = checked_request(request)
        if key and (known := self._repository.quiz(student.id, new_quiz_id(key))) is not None:
            return known.quiz
        self._terms.require_chat(student.consent)
        self._require_room(student, request.count)
        if not is_agreed and self._is_large(student, request):
            raise ApprovalRequired(gettext("This takes a lot to make, so it waits for approval."))
        now = self._clock()
        quiz = Quiz(id=new_quiz_id(key), request=request, state=QuizState.QUEUED, made_at=now, due_at=now)
        added = self._repository.add(student.id, quiz)
        try:
            self._require_room(student, 0, beside=added)
        except UsedTooOften:
            # Others were asked for at the same moment.
            self._repository.delete(student.id, added.id)
            raise
        self._job.wake()
        return added

    def all(self, student: Student, course_key: str = "") -> list[Quiz]:
        """The student's quizzes, the latest first; those of one course where it is given."""
        found = [record.quiz for record in self._repository.quizzes(student.id)]
        return [quiz for quiz in found if not course_key or quiz.request.course_key == course_key]

    def latest(self, student: Student, course_key: str = "", *, product: str = "", limit: int) -> list[Quiz]:
        """The latest of the student's quizzes; of one course, or of one product, where it is given."""
        found = self._repository.latest(student.id, course_key=course_key, product=product, limit=limit)
        return [record.quiz for record in found]

    def course_keys(self, student: Student) -> list[str]:
        """The courses that there are questions of; "" for those of no course."""
        return self._repository.course_keys(student.id)

    def quiz(self, student: Student, quiz_id: str) -> Quiz:
        return self._record(student, quiz_id).quiz

    def questions(self, student: Student, quiz_id: str) -> list[Question]:
        """The questions that are there so far, in their order."""
        return self._repository.questions(student.id, self._record(student, quiz_id).quiz.question_ids)

    def question(self, student: Student, question_id: str) -> Question:
        return self._found(self._repository.question(student.id, question_id))

    def questions_of_course(self, student: Student, course_key: str) -> list[Question]:
        """The student's questions of a course, the latest first; of "" those of no course."""
        return self._repository.questions_of_course(student.id, course_key)

    def retry(self, student: Student, quiz_id: str) -> Quiz:
        """Make what is missing of a quiz that ended early, was cancelled, or waits for its next try."""
        now = self._clock()
        for _ in range(_TRIES):
            record = self._record(student, quiz_id)
            missing = record.quiz.request.count - len(record.quiz.question_ids)
            if record.quiz.state in (QuizState.READY, QuizState.WRITING) or missing <= 0:
                return record.quiz
            if record.quiz.state not in ACTIVE:
                self._terms.require_chat(student.consent)
                self._require_room(student, missing)
            anew = {"state": QuizState.QUEUED, "due_at": now, "trouble": "", "tries": 0, "barren": 0}
            # A later round is another version: what still writes for the earlier one adds nothing any more.
            if changed := self._repository.change(student.id, record, {**anew, "round": record.round + 1}):
                self._job.wake()
                return changed.quiz
        return self._record(student, quiz_id).quiz

    def cancel(self, student: Student, quiz_id: str) -> Quiz:
        """Make no more questions for a quiz; those that are there stay."""
        for _ in range(_TRIES):
            record = self._record(student, quiz_id)
            if record.quiz.state not in ACTIVE:
                return record.quiz
            state = QuizState.PARTIAL if record.quiz.question_ids else QuizState.CANCELLED
            ended = {"state": state, "due_at": None, "trouble": gettext("You stopped it.")}
            self._job.cancel(student.id, quiz_id)
            if changed := self._repository.change(student.id, record, ended):
                return changed.quiz
        return self._record(student, quiz_id).quiz

    def rename(self, student: Student, quiz_id: str, title: str) -> Quiz:
        words = one_line(title, 120)
        if not words:
            raise BadArguments(gettext("A quiz needs a name."), field="title", next_step=gettext("Write one."))
        self._record(student, quiz_id)
        self._repository.rename(student.id, quiz_id, words)
        return self._record(student, quiz_id).quiz

    def delete(self, student: Student, quiz_id: str) -> None:
        """Delete a quiz with its questions, or the cards of it that are drafts still; what was answered of it is the
        `Attempts`' to delete.
        """
        quiz = self._record(student, quiz_id).quiz
        self._job.cancel(student.id, quiz_id)
        self._repository.delete(student.id, quiz_id)
        self._products[quiz.request.product].discard(student, quiz)

    def _is_large(self, student: Student, request: QuizRequest) -> bool:
        """Tell whether making costs much; the sources are read only for what might."""
        might = largest_estimate(self._model_name, request).is_large
        return might and estimate_of(self._model_name, request, self._passages.of(student, request)).is_large

    def _require_room(self, student: Student, count: int, *, beside: Quiz | None = None) -> None:
        """Raise `UsedTooOften` where a limit is reached. beside: one that is stored already; earlier ones go first."""
        waiting = [r.quiz for r in self._repository.quizzes(student.id, limit=50) if r.quiz.state in ACTIVE]
        if beside is not None:
            waiting = [quiz for quiz in waiting if (quiz.made_at, quiz.id) < (beside.made_at, beside.id)]
        if len(waiting) >= MOST_WAITING:
            raise UsedTooOften(
                gettext("{n} quizzes or sets of cards are being made already.", n=len(waiting)),
                retry_after_s=60,
                next_step=gettext("Wait until one is ready, or stop one of them."),
            )
        left = self.left_today(student)
        if count > left:
            raise UsedTooOften(
                gettext(
                    "{n} questions and cards are made in one day; {left} are left for today.", n=MOST_A_DAY, left=left
                ),
                retry_after_s=3600,
                next_step=gettext("Ask for fewer, practise those that you have, or come back tomorrow."),
            )

    def _record(self, student: Student, quiz_id: str) -> QuizRecord:
        record = self._repository.quiz(student.id, quiz_id)
        if record is None:
            raise _not_found()
        return record

    def _found(self, question: Question | None) -> Question:
        if question is None:
            raise _not_found()
        return question


def checked_request(request: QuizRequest) -> QuizRequest:
    """Check a request, and fill in a title; raises `BadArguments`."""
    if request.product not in get_args(Product) or request.difficulty not in get_args(Difficulty):
        raise _refused(gettext("There is no such choice."), "difficulty")
    if not request.sources and not request.topic.strip():
        raise _refused(_no_source(request.product), "sources")
    if not 1 <= request.count <= MOST_QUESTIONS:
        raise _refused(_count_range(request.product), "count")
    if not 0 <= request.minutes <= LONGEST_MOCK_MINUTES:
        raise _refused(gettext("Choose a time of at most {n} minutes.", n=LONGEST_MOCK_MINUTES), "minutes")
    if len(request.sources) > MOST_SOURCES:
        raise _refused(gettext("Choose at most {n} sources.", n=MOST_SOURCES), "sources")
    if not _is_language(request.locale):
        raise _refused(gettext("Homeroom does not know this language."), "locale")
    sources = tuple(
        replace(
            choice,
            text=plain(choice.text)[:LONGEST_TEXT],
            title=one_line(choice.title, 120),
            pages=choice.pages[:MOST_PAGES],
        )
        for choice in request.sources
    )
    if any(choice.kind is SourceKind.TEXT and not choice.text.strip() for choice in sources):
        raise _refused(_no_source(request.product), "sources")
    topic = one_line(request.topic, 200)
    title = one_line(request.title, 120) or topic or next((c.title for c in sources if c.title), gettext("Quiz"))
    return replace(request, sources=sources, topic=topic, title=title, kinds=_kinds(request.kinds))


def _no_source(product: Product) -> str:
    if product == "cards":
        return gettext("There is nothing to make cards from.")
    return gettext("There is nothing to make questions from.")


def _count_range(product: Product) -> str:
    if product == "cards":
        return gettext("Choose between 1 and {n} cards.", n=MOST_QUESTIONS)
    return gettext("Choose between 1 and {n} questions.", n=MOST_QUESTIONS)


def _kinds(kinds: Sequence[str]) -> tuple[QuestionKind, ...]:
    try:
        return tuple(dict.fromkeys(QuestionKind(kind) for kind in kinds))
    except ValueError:
        raise _refused(gettext("There is no such kind of question."), "kinds") from None


def _is_language(tag: str) -> bool:
    try:
        return bool(Locale.parse(tag, sep="-").get_language_name("en"))
    except (ValueError, UnknownLocaleError):
        return False


def _refused(sentence: str, field: str) -> BadArguments:
    return BadArguments(sentence, field=field, next_step=gettext("Change this and try again."))


def _not_found() -> ItemNotFound:
    return ItemNotFound(
        "Homeroom",
        gettext("There is no such quiz any more."),
        next_step=gettext("Look at the list of your quizzes."),
    )
