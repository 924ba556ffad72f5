"""Quiz generation: the quizzes and the job that makes them, with the sources outside of the materials: notes, chats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from services.connections.connections import Connections
from services.conversations.conversations import Conversations
from services.conversations.items import AssistantText, UserMessage
from services.errors import ItemNotFound, PermissionMissing, ReconnectRequired, RequestRefused, ServiceUnavailable
from services.i18n import gettext
from services.identity.students import Student
from services.integrations.base import Integrations
from services.llm.chat_model import ChatModel
from services.materials.library import MaterialLibrary
from services.materials.material import Material
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import Clock
from services.safety.consent import ConsentStatus
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings
from services.study.generation.generated_items import GeneratedCards, GeneratedItems, GeneratedQuestions
from services.study.generation.generation_job import GenerationJob
from services.study.generation.open_quizzes import OpenQuiz
from services.study.generation.question_writer import QuestionWriter
from services.study.generation.quizzes import Quizzes
from services.study.generation.request_passages import LONGEST_TEXT, RequestPassages, SourceText
from services.study.generation.writing_round import RoundWriter
from services.study.question import SourceKind
from services.study.quiz import SourceChoice
from services.study.review.deck import Deck
from services.study.store.quiz_repository import QuizRepository
from services.tools.gateway import ToolGateway
from services.tools.result import FailureKind
from services.wiring.repositories import Repositories

ASKED_BY = "Study"
NOTES_TOOL = "notion_read_page"
_PASSING = (FailureKind.UNAVAILABLE, FailureKind.TIMED_OUT, FailureKind.USED_TOO_OFTEN)


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
) -> RequestPassages:
    """Make the reader of all sources."""
    materials = MaterialRepository(repositories.store, clock)

    def is_agreed(student_id: str, material: Material) -> bool:
        """Whether the model may read the account that a material is from; an upload is from none."""
        record = materials.material(student_id, material.id)
        account = connections.all(student_id).get(record.source) if record else None
        return account is None or connections.consents.status(account) is ConsentStatus.GIVEN

    return RequestPassages(
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
    passages: RequestPassages,
    deck: Deck,
    *,
    model: ChatModel,
    terms: ConsentTerms,
    clock: Clock,
) -> GenerationParts:
    """Make the quizzes and their job, over this store."""
    quizzes = QuizRepository(repositories.store)
    products: dict[str, GeneratedItems] = {
        "quiz": GeneratedQuestions(quizzes, clock),
        "cards": GeneratedCards(quizzes, deck),
    }
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


class NotePages:
    """Pages of the student's notes, read as a tool call of theirs: with their rights, and their consent."""

    def __init__(self, gateway: ToolGateway) -> None:
        self._gateway = gateway

    def read(self, student: Student, choice: SourceChoice) -> SourceText:
        """Read a page; raises `ItemNotFound`, `ServiceUnavailable`, `RequestRefused`, `ConsentRequired`."""
        parts: list[str] = []
        page = self._part(student, choice.id, 0)
        parts.append(page["markdown"])
        while (start := sum(map(len, parts))) < min(page.get("total_characters", 0), LONGEST_TEXT) and parts[-1]:
            parts.append(self._part(student, choice.id, start)["markdown"])
        return SourceText(title=page.get("title") or choice.title, url=page.get("url", ""), text="".join(parts))

    def _part(self, student: Student, id: str, start: int) -> dict[str, Any]:
        result = self._gateway.call(student, NOTES_TOOL, {"page": id, "start": start}, asked_by=ASKED_BY)
        if result.success and isinstance(result.data, dict) and isinstance(result.data.get("markdown"), str):
            return result.data
        if result.error_kind in _PASSING:
            raise ServiceUnavailable("Notion", result.trouble)
        raise RequestRefused(
            "Notion",
            result.trouble or gettext("This is a database, not a page of text."),
            next_step=gettext("Choose another page, or look whether Notion is still connected."),
        )


class ChatTexts:
    """What was said in a chat of the student's."""

    def __init__(self, conversations: Conversations, public_url: str) -> None:
        self._conversations, self._public_url = conversations, public_url

    def read(self, student: Student, choice: SourceChoice) -> SourceText:
        """Read a chat; raises `ItemNotFound`."""
        chat = self._conversations.get(student.id, choice.id)
        items = self._conversations.view(student.id, choice.id)
        said = [item.text for item in items if isinstance(item, UserMessage | AssistantText)]
        address = f"{self._public_url}/?c={choice.id}"
        return SourceText(title=chat.title or choice.title, url=address, text="\n\n".join(said))


class OpenQuizLists:
    """Quizzes that are open for a grade, by every account that a student has connected."""

    def __init__(self, integrations: Integrations, connections: Connections) -> None:
        self._lists = {id: each.open_quizzes for id, each in integrations.items() if each.open_quizzes}
        self._connections = connections

    def of(self, student: Student, course_key: str) -> Sequence[OpenQuiz]:
        """As `OpenQuizzes.of`; an account that is to be connected anew lists none."""
        found: list[OpenQuiz] = []
        connected = self._connections.all(student.id)
        for id, list_open in self._lists.items():
            if id not in connected:
                continue
            try:
                found += list_open(self._connections.client(student.id, id), course_key)
            except (ReconnectRequired, PermissionMissing, ItemNotFound):
                continue
        return found
