"""Quiz generation: the quizzes and the job that makes them, with the sources that lie outside of Study."""

from dataclasses import dataclass

from services.connections.connections import Connections
from services.integrations.base import Integrations
from services.llm.chat_model import ChatModel
from services.materials.library import MaterialLibrary
from services.materials.material import Material
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import Clock
from services.safety.consent import ConsentStatus
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings
from services.study.generation.generation_job import GenerationJob
from services.study.generation.passages import Passages
from services.study.generation.products import CardDrafts, ProductMaker, QuizQuestions
from services.study.generation.question_writer import QuestionWriter
from services.study.generation.quizzes import Quizzes
from services.study.generation.writing_round import RoundWriter
from services.study.question import SourceKind
from services.study.review.deck import Deck
from services.study.store.quiz_repository import QuizRepository
from services.tools.gateway import ToolGateway
from services.wiring.repositories import Repositories
from services.wiring.study_sources import ChatTexts, NotePages, OpenQuizLists


@dataclass(frozen=True, kw_only=True)
class GenerationParts:
    quizzes: Quizzes
    job: GenerationJob


def source_passages(
    settings: Settings,
    repositories: Repositories,
    library: MaterialLibrary,
    connections: Connections,
    offered: Integrations,
    gateway: ToolGateway,
    clock: Clock,
) -> Passages:
    """Make the reader of all sources."""
    materials = MaterialRepository(repositories.store, clock)

    def is_agreed(student_id: str, material: Material) -> bool:
        """Whether the model may read the account that a material is from; an upload is from none."""
        record = materials.material(student_id, material.id)
        account = connections.all(student_id).get(record.source) if record else None
        return account is None or connections.consents.status(account) is ConsentStatus.GIVEN

    return Passages(
        library=library,
        texts={
            SourceKind.NOTE: NotePages(gateway),
            SourceKind.CHAT: ChatTexts(repositories.conversations, settings.public_url),
        },
        quizzes=OpenQuizLists(offered, connections),
        is_agreed=is_agreed,
        clock=clock,
        public_url=settings.public_url,
    )


def generation_parts(
    settings: Settings,
    repositories: Repositories,
    passages: Passages,
    deck: Deck,
    *,
    model: ChatModel,
    terms: ConsentTerms,
    clock: Clock,
) -> GenerationParts:
    """Make the quizzes and their job, over this store."""
    quizzes = QuizRepository(repositories.store)
    products: dict[str, ProductMaker] = {"quiz": QuizQuestions(quizzes, clock), "cards": CardDrafts(quizzes, deck)}
    job = GenerationJob(
        repository=quizzes,
        passages=passages,
        rounds=RoundWriter(QuestionWriter(model, settings.model_quick)),
        products=products,
        usage=repositories.accounting,
        leases=repositories.leases,
        students=repositories.students,
        terms=terms,
        clock=clock,
    )
    made = Quizzes(
        repository=quizzes,
        passages=passages,
        job=job,
        products=products,
        model_name=settings.model_quick,
        terms=terms,
        clock=clock,
    )
    return GenerationParts(quizzes=made, job=job)
