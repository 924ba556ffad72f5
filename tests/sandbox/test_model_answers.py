"""What the demo model says: only what results say, calmly, in the student's language, and what it will not do."""

import time
from collections.abc import Mapping
from typing import Any

import pytest

from sandbox.model.rules import think
from sandbox.model.rules.language.detection import to_the_student
from tests.sandbox.model_client import ToolFailed, says
from tests.sandbox.model_thoughts import NOW, turn
from tests.sandbox.model_tools import OTHER_TOOLS, TOOLS, answer

BIO = "pop a 2h study block for bio into my calendar on Friday at 3"


def test_the_answer_has_the_lines_their_links_and_the_notes_but_no_ids() -> None:
    _, said = turn(["What is due this week?"], TOOLS, answer)

    line = "- **Lab report 6** — Biology 101 — due 11:59 PM — 20 points — [open](https://c.example/61)"
    assert f"**Mon 23 Nov 2026**\n\n{line}" in said
    assert "Note: Chemistry 110 could not be read." in said
    assert "(id:" not in said


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("**PS 8** — BIOL 201: Cell Biology — due 5:00 PM CST", "**PS 8** — BIOL 201 — due 5:00 PM"),
        ("WRIT 110: College Writing: Arguing with Evidence: 91.7 % now", "WRIT 110: 91.7 % now"),
        ("BIOL 201: Cell Biology: A (94 % or more) is safe", "BIOL 201: A (94 % or more) is safe"),
        ("Files of BIOL 201: Cell Biology are being listed.", "Files of BIOL 201 are being listed."),
        ("**BIOL 201: Cell Biology** — with Anne", "**BIOL 201: Cell Biology** — with Anne"),
    ],
)
def test_a_line_leaves_out_the_zone_and_the_title_of_a_course_that_has_a_code(line: str, told: str) -> None:
    assert to_the_student(line) == told


def test_every_word_of_fact_in_an_answer_stands_in_a_result() -> None:
    _, said = turn(["What is due this week?"], TOOLS, answer)
    known = answer("canvas_list_assignments", {})

    facts = said.replace("(demo model) Here is what I found. ", "")
    assert facts
    assert all(word.strip("*") in known for word in facts.split())


GRADES = """Current grades in 2 courses (Canvas, as of 10:42).
- **Biology 101** — 91.35 % (A-) now — 67.6 % (D+) if everything without a grade stays at zero — [open](https://c.example/1/grades) (id: 1)
- **Calculus | honors** — nothing counts yet — [open](https://c.example/2/grades) (id: 2)"""  # noqa: E501


@pytest.mark.parametrize("asked", ["How are my grades?", "¿Cómo van mis calificaciones?"])
def test_grades_of_several_courses_are_a_list_of_links_with_their_scores(asked: str) -> None:
    _, said = turn([asked], TOOLS, lambda name, given: GRADES)

    first, second = [line for line in said.splitlines() if line.startswith("- ")]
    assert first.startswith("- **Biology 101** — 91.35 % (A-) ")
    assert first.endswith("](https://c.example/1/grades)")
    assert second.startswith("- **Calculus | honors** — ")


def test_who_asks_for_one_thing_gets_its_line() -> None:
    _, said = turn(["when is the essay due?"], TOOLS, answer)

    assert "Essay 2" in said
    assert "Problem set 5" not in said


def test_a_failing_tool_is_passed_on_calmly_and_can_be_tried_again() -> None:
    def failing(name: str, given: Mapping[str, Any]) -> str:
        raise ToolFailed("Canvas is temporarily unavailable. Try again in a moment.")

    _, said = turn(["what's due this week?"], TOOLS, failing)
    calls, _ = turn(["what's due this week?", "try again"], TOOLS, failing)

    assert said == "(demo model) That didn't work: Canvas is temporarily unavailable. Try again in a moment."
    assert [name for name, _ in calls] == ["canvas_list_assignments"]


def test_a_declined_approval_is_accepted() -> None:
    def declined(name: str, given: Mapping[str, Any]) -> str:
        return "The student declined this action. Nothing was changed."

    calls, said = turn([BIO], TOOLS, declined)

    assert len(calls) == 1
    assert said == "(demo model) All right, I left everything as it was."


def test_an_approval_that_ran_out_is_not_reported_as_done() -> None:
    _, said = turn([BIO], TOOLS, lambda name, given: "The student did not decide in time. Nothing was changed.")

    assert said == "(demo model) Nothing was changed: it was not approved."


def test_a_question_beside_results_of_an_older_turn_is_answered() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "calendar_create_event", "input": {"title": "Bio"}}
    late = {"type": "tool_result", "tool_use_id": "t1", "content": "Interrupted.", "is_error": True}
    question = says("What is due this week?")["content"]
    messages = [says(BIO), {"role": "assistant", "content": [call]}, {"role": "user", "content": [late, *question]}]

    reply = think({"messages": messages, "tools": TOOLS}, NOW)

    assert reply.blocks[0].name == "canvas_list_assignments"  # type: ignore[union-attr]


def test_of_two_messages_without_an_answer_the_last_one_is_answered() -> None:
    content = [*says("/say one")["content"], *says("/say two")["content"]]

    reply = think({"messages": [{"role": "user", "content": content}], "tools": TOOLS}, NOW)

    assert reply.blocks[0].text == "two"  # type: ignore[union-attr]


def test_an_answer_that_broke_off_goes_on_where_it_stopped() -> None:
    cut = {"role": "assistant", "content": [{"type": "text", "text": "one two "}]}
    rest = {"role": "user", "content": "Please continue from where you were cut off."}

    reply = think({"messages": [says("/say one two three four"), cut, rest], "tools": TOOLS}, NOW)

    assert reply.blocks[0].text == "three four"  # type: ignore[union-attr]


def test_nothing_is_changed_when_nothing_fits() -> None:
    calls, said = turn(["cancel my appointment with the astrologer"], TOOLS, answer)

    assert {name for name, _ in calls} == {"calendar_list_events"}
    assert "changed nothing" in said


def test_several_that_fit_lead_to_a_question() -> None:
    def two_labs(name: str, given: Mapping[str, Any]) -> str:
        lines = [
            "- **Biology lab A** — Mon 23 Nov 2026, 1:00 PM CST (id: a)",
            "- **Biology lab B** — Tue 24 Nov 2026, 1:00 PM CST (id: b)",
        ]
        return "\n".join(["2 events.", *lines]) if name == "calendar_list_events" else "Deleted “Biology lab B”."

    _, asked = turn(["cancel my biology lab"], TOOLS, two_labs)
    calls, _ = turn(["cancel my biology lab", "lab B"], TOOLS, two_labs)

    assert asked.endswith("Which one do you mean?")
    assert calls[-1] == ("calendar_delete_event", {"event_id": "b"})


def test_the_first_answer_says_that_this_is_the_demo_model_and_later_ones_do_not() -> None:
    _, first = turn(["hi"], TOOLS, answer)
    _, second = turn(["hi", "what's due?"], TOOLS, answer)

    assert first.startswith("(demo model)")
    assert not second.startswith("(demo model)")


def test_answers_are_in_the_students_language() -> None:
    _, said = turn(["¿qué tengo que entregar esta semana?"], TOOLS, answer)
    _, thanked = turn(["¿qué tengo que entregar esta semana?", "gracias"], TOOLS, answer)

    assert said.startswith("(modelo de demostración) Esto es lo que encontré.")
    assert thanked == "¡De nada! ¿Algo más?"


def test_an_essay_is_not_written_but_guided() -> None:
    calls, said = turn(["can you write my essay about the French Revolution for me"], TOOLS, answer)

    assert calls == []
    assert "academic integrity" in said
    assert "?" in said


def test_a_subject_is_not_explained_and_the_key_is_named() -> None:
    _, said = turn(["explain photosynthesis"], TOOLS, answer)

    assert "ANTHROPIC_API_KEY" in said
    assert "chloroplast" not in said.lower()


def test_abilities_are_those_of_the_tools_in_the_request() -> None:
    _, said = turn(["what can you do?"], TOOLS[-1:], answer)

    assert "Keep your tasks" in said
    assert "grades" not in said


@pytest.mark.parametrize(
    ("text", "system", "words"),
    [
        ("what's due this week?", "", "Canvas isn't connected"),
        ("what's on my calendar tomorrow?", "Google Calendar has to be connected again: reconnect Google "
                                            "Calendar.", "Google Calendar needs to be reconnected"),
        ("find my notes about mitosis", "", "Notion isn't connected"),
        ("¿qué nota tengo en cálculo?", "", "Canvas no está conectado"),
    ],
)  # fmt: skip
def test_a_missing_connection_is_named(text: str, system: str, words: str) -> None:
    body = {"messages": [says(text)], "tools": TOOLS[-2:], "system": system}
    reply = think(body, NOW)

    assert words in reply.blocks[0].text  # type: ignore[union-attr]


def test_without_tools_nothing_is_called() -> None:
    for text in ("what's due this week?", BIO, "hello", "cancel it"):
        calls, said = turn([text], [], answer)

        assert calls == []
        assert said


def test_other_tools_with_other_names_are_chained_too() -> None:
    def world(name: str, given: Mapping[str, Any]) -> str:
        return (
            "1 event.\n- **Dentist** — Tue 24 Nov 2026, 9:00 AM – 9:30 AM CST (id: ev-7)"
            if name == "agenda"
            else "Done."
        )

    calls, _ = turn(["move the dentist to Wednesday at 11"], OTHER_TOOLS, world)

    assert [name for name, _ in calls] == ["agenda", "moveEvent"]
    assert calls[-1][1] == {
        "eventId": "ev-7",
        "startTime": "2026-11-25T11:00:00-06:00",
        "endTime": "2026-11-25T11:30:00-06:00",
    }


def test_a_turn_makes_at_most_a_few_steps() -> None:
    calls, said = turn(["cancel the biology lab"], TOOLS, lambda name, given: "", most=12)

    assert len(calls) <= 6
    assert said


@pytest.mark.parametrize(
    "context",
    [
        "<context>Now: Monday 2 March 2026, 08:05 (Europe/Madrid, UTC+01:00)</context>",
        "Current time: 2026-03-02T08:05:00+01:00 (Europe/Madrid)",
        "<system-reminder>Today is Monday, March 2, 2026, 8:05 AM, Europe/Madrid.</system-reminder>",
    ],
)
def test_the_time_comes_from_the_requests_own_text(context: str) -> None:
    content = [{"type": "text", "text": context}, {"type": "text", "text": "put gym on my calendar tomorrow at 6pm"}]
    reply = think({"messages": [{"role": "user", "content": content}], "tools": TOOLS}, NOW)

    assert reply.blocks[0].input["start"] == "2026-03-03T18:00"  # type: ignore[union-attr]


def test_deciding_is_quick() -> None:
    body = {"messages": [says(BIO)], "tools": TOOLS}
    think(body, NOW)
    began = time.thread_time()
    for _ in range(10):
        think(body, NOW)

    assert (time.thread_time() - began) / 10 < 0.05
