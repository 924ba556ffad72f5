"""`MakingDesk`: quizzes made from pasted text by a model that plays a script, over one store."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from services.identity.students import Student
from services.llm.chat_model import ModelRequest
from services.materials.library import MaterialLibrary
from services.safety.consent_terms import ConsentTerms, model_provider
from services.storage.documents import Documents
from services.storage.leases import Leases
from services.storage.store import Store
from services.study.generation.generated_items import GeneratedCards, GeneratedQuestions
from services.study.generation.generation_job import GenerationJob
from services.study.generation.open_quizzes import OpenQuiz
from services.study.generation.question_writer import QuestionWriter
from services.study.generation.quizzes import Quizzes
from services.study.generation.request_passages import RequestPassages
from services.study.generation.writing_round import RoundWriter
from services.study.question import Question, SourceKind
from services.study.quiz import Quiz, QuizRequest, SourceChoice
from services.study.review.deck import Deck
from services.study.review.exam_cap import ExamCaps, StoredExamDates
from services.study.review.review_preferences import ReviewPreferencesRepository
from services.study.store.card_repository import CardRepository
from services.study.store.quiz_repository import QuizRepository
from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeClock
from tests.services.study.assessment.desk import FakeUsage

ORGANS = ("heart", "liver", "kidney", "lung", "spleen", "stomach", "pancreas", "bladder", "thyroid", "retina")
DEEDS = (
    "pumps blood through arteries",
    "stores glycogen for hunger",
    "filters salts from plasma",
    "exchanges oxygen with alveoli",
    "recycles worn erythrocytes",
    "digests proteins with pepsin",
    "secretes insulin after meals",
    "collects urine before voiding",
    "releases thyroxine for metabolism",
    "turns light into impulses",
)
SENTENCES = tuple(f"The {organ} {deed}." for organ, deed in zip(ORGANS, DEEDS, strict=True))
TEXT = "\n\n".join(SENTENCES)
PASTED = SourceChoice(kind=SourceKind.TEXT, title="Organs", text=TEXT)


def cloze(number: int, **changes: Any) -> dict[str, Any]:
    """A question that holds, about sentence `number` of the text."""
    sentence = SENTENCES[number]
    item = {
        "kind": "cloze",
        "passage": 1,
        "quotation": sentence,
        "topic": "Organs",
        "prompt": sentence.replace(ORGANS[number], "____"),
        "options": [],
        "correct": [],
        "accepted": [ORGANS[number]],
        "key": "",
        "points": [],
        "explanation": "",
    }
    return {**item, **changes}


def card(number: int) -> dict[str, Any]:
    front = SENTENCES[number].replace(ORGANS[number], "____")
    return {"passage": 1, "quotation": SENTENCES[number], "topic": "", "front": front, "back": ORGANS[number]}


def answer(*items: Mapping[str, Any], stop_reason: str = "end_turn") -> list[Any]:
    """The model's reply with these items."""
    return says(json.dumps({"items": items}), stop_reason=stop_reason)


def writes_on(request: ModelRequest) -> list[Any]:
    """A model that writes as many questions as are asked for, from sentences that were not asked about before."""
    asked = str(request.messages[-1]["content"][-1]["text"])
    count = int(asked.split()[1])
    free = [number for number, organ in enumerate(ORGANS) if f"____ {DEEDS[number]}" not in asked]
    make = card if "cards" in asked.splitlines()[0] else cloze
    return answer(*(make(number) for number in free[:count]))


class FakeOpenQuizzes:
    """Quizzes that are open for a grade. failure: raised instead."""

    def __init__(self) -> None:
        self.open: list[OpenQuiz] = []
        self.failure: Exception | None = None

    def of(self, student: Student, course_key: str) -> Sequence[OpenQuiz]:
        if self.failure:
            raise self.failure
        return self.open


class MakingDesk:
    def __init__(self, engine: Documents, *script: object, clock: FakeClock | None = None) -> None:
        self.store, self.clock = Store(engine), clock or FakeClock()
        self.maya: Student | None = Student(id="maya", name="Maya", email="maya@example.edu")
        self.model, self.usage, self.open_quizzes = FakeModel(*(script or (writes_on,))), FakeUsage(), FakeOpenQuizzes()
        self.terms = ConsentTerms(model_provider(None, ""), public_url="", are_given=True)
        self.repository, self.leases = QuizRepository(self.store), Leases(self.store, self.clock)
        cards, preferences = CardRepository(self.store), ReviewPreferencesRepository(self.store)
        caps = ExamCaps(cards, StoredExamDates(self.store), preferences, self.clock)
        self.deck = Deck(cards, caps, self.clock)
        self.products = {
            "quiz": GeneratedQuestions(self.repository, self.clock),
            "cards": GeneratedCards(self.repository, self.deck),
        }
        self.job = self.replica()
        self.quizzes = Quizzes(
            repository=self.repository,
            passages=self.passages,
            job=self.job,
            products=self.products,
            model_name="claude-haiku-5-5",
            terms=self.terms,
            clock=self.clock,
        )

    def get(self, id: str) -> Student | None:
        return self.maya

    @property
    def passages(self) -> RequestPassages:
        return RequestPassages(
            library=cast(MaterialLibrary, None),
            texts={},
            quizzes=self.open_quizzes,
            is_agreed=lambda *_: True,
            clock=self.clock,
            public_url="",
        )

    def replica(self, model: FakeModel | None = None) -> GenerationJob:
        """The job as another process has it, over the same store."""
        return GenerationJob(
            repository=self.repository,
            passages=self.passages,
            rounds=RoundWriter(QuestionWriter(model or self.model, "claude-haiku-5-5")),
            products=self.products,
            usage=self.usage,
            leases=Leases(self.store, self.clock),
            students=self,
            terms=self.terms,
            clock=self.clock,
        )

    @property
    def student(self) -> Student:
        assert self.maya is not None
        return self.maya

    def ask(self, *, key: str = "", **request: Any) -> Quiz:
        """Ask for a quiz of the pasted text."""
        wanted = replace(QuizRequest(sources=(PASTED,), count=3), **request)
        return self.quizzes.make(self.student, wanted, key=key)

    def make(self, **request: Any) -> Quiz:
        """Ask for a quiz, and run the job until it has nothing to do."""
        quiz = self.ask(**request)
        self.run()
        return self.quizzes.quiz(self.student, quiz.id)

    def run(self) -> None:
        while self.job.run_once():
            pass

    def questions(self, quiz: Quiz) -> list[Question]:
        return self.quizzes.questions(self.student, quiz.id)

    def stored(self, collection: str) -> int:
        return self.store.for_student("maya").count(collection, {})
