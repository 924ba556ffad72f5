"""Study: quizzes, cards and exam plans, made once and shared."""

from dataclasses import dataclass

from services.connections.connections import Connections
from services.identity.students import Student
from services.integrations.base import Integrations
from services.llm.chat_model import ChatModel
from services.materials.library import MaterialLibrary
from services.runtime.clock import Clock
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings
from services.study.assessment.attempts import Attempts
from services.study.assessment.pending_marks import PendingMarks
from services.study.assessment.short_answer_marker import ShortAnswerMarker
from services.study.exam_plans.exam_plans import ExamPlans
from services.study.exchange.card_exchange import CardExchange
from services.study.generation.generation_job import GenerationJob
from services.study.learner_notes import LearnerNotes
from services.study.mastery import Mastery
from services.study.overview import StudyDays
from services.study.review.deck import Deck
from services.study.review.exam_cap import ExamCaps, StoredExamDates
from services.study.review.review_preferences import ReviewPreferencesRepository
from services.study.review.reviews import Reviews
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.card_repository import CardRepository
from services.study.store.exam_repository import ExamRepository
from services.study.store.quiz_repository import QuizRepository
from services.study.study_services import StudyServices
from services.tools.gateway import ToolGateway
from services.wiring.quiz_generation import generation_parts, source_passages
from services.wiring.repositories import Repositories


@dataclass(frozen=True, kw_only=True)
class StudyParts:
    """What the container holds of Study. The jobs that make quizzes stand beside it."""

    study: StudyServices
    quiz_making: GenerationJob


def study_of(
    settings: Settings,
    repositories: Repositories,
    materials: MaterialLibrary,
    connections: Connections,
    offered: Integrations,
    gateway: ToolGateway,
    *,
    model: ChatModel,
    terms: ConsentTerms,
    clock: Clock,
) -> StudyParts:
    """Make the parts of Study. model: the one that writes questions and marks short answers."""
    cards, preferences = CardRepository(repositories.store), ReviewPreferencesRepository(repositories.store)
    caps = ExamCaps(cards, StoredExamDates(repositories.store), preferences, clock)
    deck = Deck(cards, caps, clock)
    sources = source_passages(settings, repositories, materials, connections, offered, gateway, clock)
    made = generation_parts(settings, repositories, sources, deck, model=model, terms=terms, clock=clock)

    def course_names(student: Student) -> dict[str, str]:
        listed = materials.courses(student, live=False).courses
        return {status.course.key: status.course.name for status in listed}

    mastery = Mastery(AttemptRepository(repositories.store), QuizRepository(repositories.store), cards, clock)
    reviews = Reviews(cards, caps, preferences, clock)
    exams = ExamPlans(ExamRepository(repositories.store), materials, mastery, clock)
    study = StudyServices(
        quizzes=made.quizzes,
        attempts=_attempts(settings, repositories, model, terms, clock),
        notes=LearnerNotes(repositories.store, clock),
        cards=deck,
        reviews=reviews,
        exchange=CardExchange(deck, course_names),
        mastery=mastery,
        exams=exams,
        days=StudyDays(reviews, exams, clock),
    )
    return StudyParts(study=study, quiz_making=made.job)


def _attempts(
    settings: Settings, repositories: Repositories, model: ChatModel, terms: ConsentTerms, clock: Clock
) -> Attempts:
    def find_student(student_id: str) -> Student | None:
        """A student whose words may go to the model now."""
        student = repositories.students.get(student_id)
        may_ask = student is not None and not student.is_disabled and terms.is_chat_agreed(student.consent)
        return student if may_ask else None

    attempts, quizzes = AttemptRepository(repositories.store), QuizRepository(repositories.store)
    marker = ShortAnswerMarker(model, settings.model_quick, repositories.accounting)
    return Attempts(attempts, quizzes, PendingMarks(attempts, quizzes, marker, clock, find_student), clock)
