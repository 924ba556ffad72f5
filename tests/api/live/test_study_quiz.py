"""The routes of taking a quiz: no key before its answer, one count for each answer, the student's own quiz alone."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from services.errors import ModelPaused
from services.study.quiz import QuizState
from tests.agent_fakes import FakeModel
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom
from tests.fakes import FakeClock
from tests.services.study.assessment.desk import compared
from tests.services.study.quiz_samples import ALL, CHOICE, CLOZE, ORDERING, QUOTE, SHORT, TRUE_FALSE, store_quiz

MakeApi = Callable[..., ApiRoom]


class QuizBrowser:
    """Maya's browser over a quiz of hers."""

    def __init__(self, room: ApiRoom, subject: str = "maya") -> None:
        self.room, self.browser, self.sent = room, LiveBrowser(room.client, room.services, subject), 0

    def store(self, *questions: Any, **more: Any) -> None:
        store_quiz(self.room.services.store, self.room.maya.student.id, questions or ALL, **more)

    def post(self, what: str, **body: Any) -> httpx2.Response:
        headers = {**self.browser.headers, **body.pop("headers", {})}
        return self.browser.client.post(f"/live/study/quiz/{what}", headers=headers, json=body)

    def start(self) -> dict[str, Any]:
        told: dict[str, Any] = self.post("start", quiz="quiz-1").json()
        return told

    def answer(self, told: dict[str, Any], number: int, *chosen: int, **more: Any) -> httpx2.Response:
        self.sent += 1
        body = {"id": f"a{self.sent}", "chosen": chosen, **more}
        attempt = told["attempt"]
        return self.post("answer", attempt=attempt["id"], question=attempt["order"][number], number=number, **body)


@pytest.fixture
def maya(make_api: MakeApi) -> QuizBrowser:
    return QuizBrowser(make_api())


def place_of(told: dict[str, Any], id: str, words: str) -> int:
    """Where an option is shown."""
    options = told["questions"][id]["options"]
    return next(at for at, blocks in enumerate(options) if words in blocks[0]["html"])


def test_no_key_reaches_the_browser_before_its_answer(maya: QuizBrowser) -> None:
    maya.store()

    told = maya.start()

    assert list(told["questions"]) == [question.id for question in ALL]
    sent = json.dumps(told, ensure_ascii=False)
    assert not any(words in sent for words in (QUOTE, SHORT.key, SHORT.points[0]))
    assert all(set(shown) == {"kind", "prompt", "options"} for shown in told["questions"].values())
    assert "membrane" not in json.dumps(told["questions"][CLOZE.id])
    shown = [blocks[0]["html"] for blocks in told["questions"][ORDERING.id]["options"]]
    assert shown != [f"<p>{option}</p>" for option in ORDERING.options]
    assert sorted(shown) == sorted(f"<p>{option}</p>" for option in ORDERING.options)


def test_an_answer_brings_its_mark_with_the_key_and_the_page(maya: QuizBrowser) -> None:
    maya.store(CHOICE, TRUE_FALSE)
    told = maya.start()

    answered = maya.answer(told, 0, place_of(told, CHOICE.id, "Salt")).json()

    feedback = answered["feedback"]
    assert (feedback["verdict"], feedback["right"]) == ("wrong", [place_of(told, CHOICE.id, "Water")])
    assert "<strong>water</strong>" in feedback["explanation"][0]["html"]
    assert feedback["source"]["words"] == QUOTE
    assert feedback["source"]["url"].startswith("http://localhost:8501/materials?open=")
    assert answered["attempt"]["order"] == [CHOICE.id, TRUE_FALSE.id, CHOICE.id]
    assert answered["attempt"]["number"] == 1


def test_a_sentence_of_the_page_stands_once_below_an_answer(maya: QuizBrowser) -> None:
    same = replace(SHORT, key=QUOTE, explanation=QUOTE)
    other = replace(TRUE_FALSE, explanation=f"{QUOTE[:-1].upper()}!")
    maya.store(other, same)
    told = maya.start()

    statement = maya.answer(told, 0, 0).json()["feedback"]
    result = maya.post("finish", attempt=told["attempt"]["id"]).json()["result"]
    text = json.dumps(result["review"][1])

    assert (statement["explanation"], statement["source"]["words"]) == ([], QUOTE)
    assert text.count(QUOTE) == 1
    assert result["review"][1]["source"]["place"] == "Lecture 4, page 3"


def test_an_ordering_is_marked_by_what_was_shown(maya: QuizBrowser) -> None:
    maya.store(ORDERING)
    told = maya.start()
    right = [place_of(told, ORDERING.id, option) for option in ORDERING.options]

    answered = maya.answer(told, 0, *right).json()

    assert (answered["feedback"]["verdict"], answered["feedback"]["right"]) == ("right", right)
    assert answered["attempt"]["is_finished"]


def test_a_reload_shows_the_same_options_and_goes_on(maya: QuizBrowser) -> None:
    maya.store()
    told = maya.start()
    maya.answer(told, 0, 1)

    again = maya.post("state", quiz="quiz-1").json()

    assert again["questions"] == told["questions"]
    assert again["attempt"]["number"] == 1


def test_an_answer_that_is_sent_again_counts_once(maya: QuizBrowser) -> None:
    maya.store(CHOICE, TRUE_FALSE)
    told = maya.start()
    first = maya.answer(told, 0, 1, id="same").json()

    assert maya.answer(told, 0, 1, id="same").json() == first


def test_a_tab_that_is_behind_gets_what_is_asked_now(maya: QuizBrowser) -> None:
    maya.store(CHOICE, TRUE_FALSE)
    told = maya.start()
    maya.answer(told, 0, place_of(told, CHOICE.id, "Water"))

    refused = maya.answer(told, 0, 1)

    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "changed_elsewhere")
    assert refused.json()["error"]["state"]["attempt"]["number"] == 1


def test_the_result_has_topics_and_every_question(maya: QuizBrowser) -> None:
    maya.store(CHOICE, TRUE_FALSE)
    told = maya.start()
    maya.answer(told, 0, place_of(told, CHOICE.id, "Water"))
    maya.answer(told, 1, 0)

    result = maya.post("finish", attempt=told["attempt"]["id"]).json()["result"]

    assert (result["score"], result["missed"]) == ("1 of 2 right at once", 1)
    assert [topic["words"] for topic in result["topics"]] == ["1 of 1", "0 of 1"]
    assert [each["verdict"] for each in result["review"]] == ["right", "wrong"]


def test_the_wrong_ones_begin_anew(maya: QuizBrowser) -> None:
    maya.store(CHOICE, TRUE_FALSE)
    told = maya.start()
    maya.answer(told, 0, place_of(told, CHOICE.id, "Water"))
    maya.post("finish", attempt=told["attempt"]["id"])

    again = maya.post("start", quiz="quiz-1", only_wrong=True).json()

    assert (again["attempt"]["order"], again["attempt"]["is_finished"]) == ([TRUE_FALSE.id], False)


def test_a_mock_exam_tells_no_mark_and_its_clock_is_the_servers(make_api: MakeApi) -> None:
    clock = FakeClock()
    maya = QuizBrowser(make_api(clock=clock))
    maya.store(CHOICE, TRUE_FALSE, minutes=10)
    told = maya.start()
    clock.advance(minutes=4)

    answered = maya.answer(told, 1, 1)

    assert answered.json() == {"attempt": {**told["attempt"], "answered": 1, "left_s": 360.0}}
    again = maya.post("state", quiz="quiz-1").json()
    assert (again["given"], again["attempt"]["left_s"]) == ({TRUE_FALSE.id: {"chosen": [1], "text": ""}}, 360.0)
    clock.advance(minutes=7)
    refused = maya.answer(told, 0, 0)
    assert refused.status_code == 409
    assert "What was answered before counts" in refused.json()["error"]["message"]
    assert refused.json()["error"]["state"]["result"]["score"] == "1 of 2 right at once"


def test_the_students_word_counts(maya: QuizBrowser) -> None:
    maya.store(CHOICE)
    told = maya.start()
    maya.answer(told, 0, place_of(told, CHOICE.id, "Salt"))

    changed = maya.post("disagree", attempt=told["attempt"]["id"], question=CHOICE.id, words="Ions.").json()

    assert (changed["feedback"]["verdict"], changed["feedback"]["is_own"]) == ("right", True)
    assert changed["result"]["score"] == "1 of 1 right at once"


def test_a_short_answer_waits_while_the_model_is_away(make_api: MakeApi) -> None:
    away, back = ModelPaused("Away."), compared(("named", "water moves"), ("named", "a membrane"))
    maya = QuizBrowser(make_api(model=FakeModel(away, back)))
    maya.store(SHORT)
    told = maya.start()

    answered = maya.answer(told, 0, text="Water moves, through a membrane.").json()

    assert answered["feedback"]["verdict"] == "pending"
    assert answered["attempt"]["pending"] == 1


def test_a_quiz_that_is_being_written_says_how_far_it_is(maya: QuizBrowser) -> None:
    maya.store(CHOICE, TRUE_FALSE, state=QuizState.WRITING, count=8)

    told = maya.post("state", quiz="quiz-1").json()["quiz"]

    assert (told["is_made"], told["progress"]) == (False, "Writing question 3 of 8 …")
    assert maya.post("start", quiz="quiz-1").status_code == 422


def test_what_the_model_wrote_cannot_act(maya: QuizBrowser) -> None:
    hostile = replace(
        CHOICE, prompt="<img src=x onerror=alert(1)> [here](https://evil.example) ![x](https://evil.example/p)"
    )
    maya.store(hostile)

    sent = json.dumps(maya.start())

    assert "<img" not in sent
    assert "href" not in sent


@pytest.mark.parametrize("what", ["state", "start"])
def test_nobody_else_reaches_it(maya: QuizBrowser, what: str) -> None:
    maya.store()
    diego = QuizBrowser(maya.room, "diego")

    answer = diego.post(what, quiz="quiz-1")

    assert answer.status_code == 404
    told = maya.start()
    assert diego.answer(told, 0, 0).status_code == 404
    assert diego.post("finish", attempt=told["attempt"]["id"]).status_code == 404


@pytest.mark.parametrize(
    ("header", "status"),
    [({"x-requested-with": ""}, 403), ({"origin": "https://evil.example"}, 403), ({"cookie": ""}, 401)],
)
def test_only_a_page_of_ours_can_ask(maya: QuizBrowser, header: dict[str, str], status: int) -> None:
    maya.store()

    assert maya.post("start", quiz="quiz-1", headers=header).status_code == status


@pytest.mark.parametrize(
    "body",
    [
        {"chosen": [99]},
        {"chosen": [-1]},
        {"text": "x" * 9_000},
        {"id": "a b"},
        {"number": -1},
        {"chosen": [0, 0]},
        {"seconds": -1},
    ],
)
def test_a_body_that_does_not_fit_is_refused(maya: QuizBrowser, body: dict[str, Any]) -> None:
    maya.store(CHOICE)
    told = maya.start()
    whole = {"attempt": told["attempt"]["id"], "question": CHOICE.id, "number": 0, "chosen": [0], "id": "a", **body}

    assert maya.post("answer", **whole).status_code == 422
