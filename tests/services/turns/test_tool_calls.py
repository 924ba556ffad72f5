"""What a page shows of a call that failed: words for the student, not those for the model."""

import re

import pytest

from services.errors import BadArguments, HomeroomError, NameUnknown, ServiceUnavailable
from services.safety.fetch import AddressRefused
from services.tools.failures import failed_result
from services.turns.tool_calls import WRONG_ARGUMENT, CallResult

CALL = {"id": "a", "name": "mail_draft", "input": {}}


def _shown(error: HomeroomError) -> str:
    return str(CallResult(call=CALL, result=failed_result(error)).meta["sentence"])


def test_words_about_an_argument_reach_the_model_and_not_the_student() -> None:
    answer = CallResult(call=CALL, result=failed_result(BadArguments("to: Input should be a valid list", field="to")))

    assert answer.meta["sentence"] == WRONG_ARGUMENT
    assert "to: Input should be a valid list" in str(answer.block)


@pytest.mark.parametrize(
    "error", [ServiceUnavailable("Canvas", "Canvas is down."), AddressRefused("web", "This is not a public address.")]
)
def test_every_other_reason_reaches_both(error: HomeroomError) -> None:
    assert str(error) in _shown(error)


@pytest.mark.parametrize(
    "error",
    [
        BadArguments("This database has 2 tables: say which one.", next_step="Call notion_search and give the id."),
        NameUnknown(
            "assignment: none is called that. There are: “Lab 1” (id 7).",
            field="assignment",
            next_step="If one of these is meant, call again with its id.",
            said="Nothing with that name was found. There are: Lab 1.",
        ),
    ],
)
def test_what_the_model_is_to_do_next_does_not_reach_the_student(error: BadArguments) -> None:
    shown = _shown(error)

    assert error.next_step in str(CallResult(call=CALL, result=failed_result(error)).block)
    assert error.next_step not in shown
    assert "id" not in re.findall(r"\w+", shown)
    assert "assignment:" not in shown


def test_a_question_back_says_what_is_asked_and_is_no_failure_of_homeroom() -> None:
    unclear = failed_result(
        BadArguments(
            "course: 2 fit “bio”: “BIOL 201” (id 1); “BIOL 101” (id 2).",
            field="course",
            next_step="Ask the student which one they mean, then call again with its id.",
            said="More than one fits: BIOL 201, BIOL 101.",
        )
    )
    meta = CallResult(call=CALL, result=unclear).meta
    broken = CallResult(call=CALL, result=failed_result(ServiceUnavailable("Canvas", "Canvas is down."))).meta

    assert (meta["sentence"], meta["asks_back"]) == ("More than one fits: BIOL 201, BIOL 101.", True)
    assert "asks_back" not in broken


def test_the_model_reads_which_argument_a_sentence_is_about() -> None:
    about_start = failed_result(BadArguments("The plan cannot begin in the past.", field="start"))
    named = failed_result(BadArguments("day_end must be later than day_start.", field="day_end"))

    assert about_start.error == f"The plan cannot begin in the past. (argument: start) {BadArguments.next_step}"
    assert named.error == f"day_end must be later than day_start. {BadArguments.next_step}"
    assert CallResult(call=CALL, result=about_start).meta["sentence"] == "The plan cannot begin in the past."
