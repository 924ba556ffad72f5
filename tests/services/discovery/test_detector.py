"""What messages are about: plain cases of every context, conversations, and what must find nothing."""

import threading

import pytest

from services.discovery import classifier, lexicon
from services.discovery.contexts import MAIN_CONTEXTS
from services.discovery.detector import Detector
from tests.mcp_tools import listed, mcp_tool

DETECTOR = Detector()
DUE = (
    {"role": "user", "content": "what's due this week?"},
    {"role": "assistant", "content": "Two things: the stats problem set on Thursday and the history essay on Friday."},
)
CALENDAR = (
    {"role": "user", "content": "add coffee with Lena to my calendar tomorrow at 3"},
    {"role": "assistant", "content": "Done: coffee with Lena, Sunday 22 November, 3:00 to 4:00 PM."},
)
OFFER = (
    {"role": "user", "content": "explain the krebs cycle"},
    {"role": "assistant", "content": "It turns acetyl-CoA into energy carriers. Shall I save this to your notes?"},
)
GREETED = (
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "Hi! Would you like today's campus headlines?"},
)
TEAM = tuple(
    mcp_tool("tracker", name) for name in ("jira_add_comment", "jira_list_sprints", "jira_get_user", "jira_get_issue")
)


def names(message: str, history=(), **given) -> set[str]:
    return {found.name for found in DETECTOR.detect(message, history, **given)}


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("What's due this week?", {"courses"}),
        ("whats my grade in bio rn", {"courses"}),
        ("am I free on Thursday afternoon?", {"calendar"}),
        ("open my notes on photosynthesis", {"notes"}),
        ("google the opening hours of the city library", {"search"}),
        ("any new posts on the blogs I follow?", {"news"}),
        ("list the open pull requests in our repo", {"github"}),
        ("is https://example.org/old dead?", {"links"}),
        ("put my assignment deadlines into my calendar", {"courses", "calendar"}),
        ("¿Qué tareas tengo que entregar esta semana?", {"courses"}),
        ("recuérdame mañana a las 9 llamar al dentista", {"calendar"}),
        ("busca en mis apuntes lo de la mitosis", {"notes"}),
        ("wann ist die Klausur in Statistik?", {"courses"}),
        ("when is my asignment due", {"courses"}),
        ("cancle my apointment on tusday", {"calendar"}),
        ('put "Read the news" on my calendar for Friday', {"calendar"}),
        ('open the page "Exam dates"', {"notes"}),
    ],
)
def test_a_message_finds_what_it_needs(message: str, wanted: set[str]) -> None:
    assert names(message) == wanted


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("What is overdue?", {"courses"}),
        ("What is late?", {"courses"}),
        ("what's on my plate", {"courses"}),
        ("what should I do now", {"courses"}),
        ("what's my workload like next week", {"courses"}),
        ("What is new on campus?", {"news"}),
        ("Email my biology professor", {"mail"}),
        ("quiz me on chapter 3", {"courses", "notes"}),
        ("¿Qué tengo atrasado?", {"courses"}),
        ("¿qué me falta entregar?", {"courses"}),
        ("¿qué debería hacer ahora?", {"courses"}),
        ("¿cómo viene mi carga de trabajo la próxima semana?", {"courses"}),
        ("¿Qué hay de nuevo en el campus?", {"news"}),
        ("Escríbele un correo a mi profesora de biología", {"mail"}),
        ("hazme preguntas del capítulo 3", {"courses", "notes"}),
    ],
)
def test_the_plainest_questions_never_need_a_search(message: str, wanted: set[str]) -> None:
    assert wanted <= names(message)


@pytest.mark.parametrize(
    "message",
    [
        "hi!",
        "thank you so much",
        "tell me a joke",
        "what is photosynthesis?",
        "explain binary search",
        "how do I write a for loop in python",
        "translate 'good morning' into French",
        "I'm so stressed today",
        "gracias, eres genial",
        "how do you say 'my assignment is due on Monday' in Dutch",
        'is the grammar right in "we has a meeting tomorrow"?',
        "",
        "   ",
    ],
)
def test_a_message_that_needs_nothing_finds_nothing(message: str) -> None:
    assert names(message) == set()


@pytest.mark.parametrize(
    ("history", "message", "wanted"),
    [
        (DUE, "and next week?", {"courses"}),
        (CALENDAR, "move it to Friday", {"calendar"}),
        (CALENDAR, "make it 45 minutes", {"calendar"}),
        (OFFER, "yes, do that", {"notes"}),
        (DUE[:1], "and next week?", {"courses"}),
        (CALENDAR[:1], "move it to Friday", {"calendar"}),
        (DUE, "what does the second one ask for", {"courses"}),
        (CALENDAR, "undo", {"calendar"}),
        (OFFER, "sure", {"notes"}),
        (GREETED, "sí, por favor", {"news"}),
        (GREETED, "three", {"news"}),
    ],
)
def test_a_follow_up_inherits_what_it_refers_to(history, message: str, wanted: set[str]) -> None:
    assert names(message, history) == wanted


@pytest.mark.parametrize("history", [DUE, CALENDAR, DUE[:1], CALENDAR[:1]])
@pytest.mark.parametrize("message", ["thanks!", "haha nice", "phew, what a relief", "tell me a joke"])
def test_thanks_and_what_needs_nothing_inherit_nothing(history, message: str) -> None:
    assert names(message, history) == set()


@pytest.mark.parametrize("message", ["no thanks", "not now", "no, don't save it", "mejor no", "no lo guardes"])
def test_a_refused_offer_needs_nothing(message: str) -> None:
    assert names(message, OFFER) == set()


def test_a_new_subject_takes_only_its_own() -> None:
    assert names("list the open pull requests in our repo", DUE) == {"github"}


def test_the_surest_comes_first_and_confidence_is_a_rounded_share() -> None:
    found = DETECTOR.detect("put my assignment deadlines into my calendar")

    assert list(found) == sorted(found, key=lambda context: -context.confidence)
    assert all(0 < context.confidence <= 1 and context.confidence == round(context.confidence, 2) for context in found)


def test_the_same_message_is_always_read_the_same_way_from_every_thread() -> None:
    detector, answers = Detector(classifier.shipped_classifier), []
    threads = [
        threading.Thread(target=lambda: answers.append(detector.detect("and next week?", DUE))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(answers) == 8
    assert len(set(answers)) == 1


def test_habits_break_ties_and_nothing_else() -> None:
    tied = FakeClassifier(chances={"courses": 0.47, "notes": 0.47, "news": 0.2})
    detector = Detector(lambda: tied)

    assert detector.detect("x") == ()
    assert [context.name for context in detector.detect("x", profile={"notes": 1.0})] == ["notes"]
    assert [context.name for context in detector.detect("x", profile={"news": 1.0})] == []


def test_only_a_server_of_that_kind_brings_jira() -> None:
    assert "jira" in names("PROJ-12 is blocked, who has it?", tools=listed("tracker"))
    assert "jira" not in names("PROJ-12 is blocked, who has it?", tools=())
    assert "jira" in names("PROJ-12 is blocked, who has it?")


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("I need to check PROJ-123 ticket comments", {"jira", "communication"}),
        ("who is watching PROJ-12?", {"jira", "users"}),
        ("is PROJ-7 in the current sprint", {"jira", "agile"}),
        ("¿quién comentó en PROJ-12? léeme los mensajes", {"jira", "users", "communication"}),
    ],
)
def test_the_words_of_a_teams_work_count_beside_a_tracker(message: str, wanted: set[str]) -> None:
    assert wanted <= names(message)
    assert wanted <= names(message, tools=[*listed("tracker"), *TEAM])
    assert {"jira", "agile", "communication", "users"}.isdisjoint(names(message, tools=()))


def test_comments_sprints_and_people_without_a_tracker_are_not_a_teams_work() -> None:
    for message in ("give me a sprint training plan", "who wrote Hamlet?", "any comments on my essay from the prof?"):
        assert {"jira", "agile", "communication", "users"}.isdisjoint(names(message))


def test_the_data_is_small_and_knows_the_main_contexts() -> None:
    assert classifier.FILE.stat().st_size + lexicon.FILE.stat().st_size < 2_000_000
    assert set(MAIN_CONTEXTS) < set(classifier.shipped_classifier().labels)
    assert all(
        0.1 <= threshold <= 0.9 for threshold in classifier.shipped_classifier().thresholds[: len(MAIN_CONTEXTS)]
    )


class FakeClassifier:
    """Predicts the same probabilities for every message; each context is found from 0.5 on."""

    def __init__(self, chances: dict[str, float]) -> None:
        self.labels = tuple(chances)
        self.thresholds = [0.5] * len(chances)
        self._chances = list(chances.values())

    def predict(self, message: str, history: object) -> classifier.Prediction:
        return classifier.Prediction(probabilities=self._chances, words=(), ideas=frozenset(), kinds=frozenset())  # type: ignore[arg-type]
