"""How students really write: one of a series, guests, two questions in one, and an answer in the language asked in."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sandbox.model.reply import Text
from sandbox.model.rules import think
from sandbox.model.rules.dates.recurrence import part_of_series
from sandbox.model.rules.language.detection import language_of
from sandbox.model.rules.language.messages import messages
from sandbox.model.rules.language.translation import all_in_spanish, in_spanish
from sandbox.model.rules.understanding.mentions import guests, with_names, without_invitations
from tests.sandbox.model_client import ToolFailed, says
from tests.sandbox.model_thoughts import NOW, turn
from tests.sandbox.model_tools import TOOLS, answer


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("cancel gym this thursday only", "this"),
        ("no yoga on the 3rd, just the one", "this"),
        ("skip choir this time", "this"),
        ("borra solo el del lunes", "this"),
        ("quita la clase de baile esta vez nada más", "this"),
        ("cancel swimming from now on", "following"),
        ("drop the rest of the series", "following"),
        ("no more chess after december 1", "following"),
        ("cancela el coro de ahora en adelante", "following"),
        ("borra las que quedan", "following"),
        ("delete the whole series", "all"),
        ("remove all the rehearsals", "all"),
        ("borra toda la serie", "all"),
        ("cancel my dentist appointment", None),
        ("cancela la cita del martes", None),
    ],
)
def test_how_much_of_a_series_is_meant_is_told_apart(text: str, part: str | None) -> None:
    assert part_of_series(text) == part


@pytest.mark.parametrize(
    ("text", "people", "left"),
    [
        ("tea with kim@x.edu on friday at 4 and send him an invite", ["kim@x.edu"], "tea with Kim on friday at 4"),
        ("cena con ana.ruiz@x.es el lunes, mándale la invitación", ["ana.ruiz@x.es"], "cena con Ana Ruiz el lunes"),
        (
            "sync with a@x.edu, b@y.edu tomorrow at 9. invite both",
            ["a@x.edu", "b@y.edu"],
            "sync with A, B tomorrow at 9",
        ),
        ("remember to mail kim@x.edu", [], "remember to mail Kim"),
    ],
)
def test_guests_are_named_by_addresses_and_inviting_is_no_title(text: str, people: list[str], left: str) -> None:
    assert guests(text) == people
    assert with_names(without_invitations(text)).strip(" .,") == left


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        (
            "What is due this week and when am I free on Monday?",
            ["canvas_list_assignments", "calendar_find_free_time"],
        ),
        (
            "whats due tmrw n am i free tonight",
            ["canvas_list_assignments", "calendar_find_free_time"],
        ),
        (
            "¿tengo hueco el martes? ¿y qué entrego ese día?",
            ["calendar_find_free_time", "canvas_list_assignments"],
        ),
        (
            "how are my grades, what's due on friday and did any prof announce something?",
            ["canvas_get_grades", "canvas_list_assignments", "canvas_list_announcements"],
        ),
    ],
)
def test_each_part_of_a_question_is_answered_in_its_order(text: str, tools: list[str]) -> None:
    calls, said = turn([text], TOOLS, answer)

    heads = [answer(name, {}).splitlines()[0] for name in tools]
    shown = [head if language_of(text) == "en" else all_in_spanish(head) or head for head in heads]
    assert [name for name, _ in calls] == tools
    assert [said.index(head) for head in shown] == sorted(said.index(head) for head in shown)


def test_the_day_of_the_first_part_is_that_day_in_the_second() -> None:
    calls, _ = turn(["am I free on Tuesday? and what is due the same day?"], TOOLS, answer)

    assert calls[1][1] == {"window": "range", "start": "2026-11-24", "end": "2026-11-24"}


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("what's due tomorrow and am I free in the evening?", {"day_start": "17:00", "day_end": "21:00"}),
        ("oye qué tengo que entregar mañana y tengo libre la tarde?", {"day_start": "12:00", "day_end": "20:00"}),
    ],
)
def test_a_part_of_no_day_is_that_of_the_day_before_it(text: str, hours: dict[str, str]) -> None:
    calls, _ = turn([text], TOOLS, answer)

    assert calls[1][1] == {"start": "2026-11-22", "end": "2026-11-22", **hours}


@pytest.mark.parametrize(
    ("texts", "start", "end"),
    [
        (["What is due next week?", "and the week after?"], "2026-11-30", "2026-12-06"),
        (["¿qué entrego la próxima semana?", "¿y la semana siguiente?"], "2026-11-30", "2026-12-06"),
        (["When am I free on Monday?", "and the day after?"], "2026-11-24", "2026-11-24"),
    ],
)
def test_what_comes_after_is_after_the_days_that_were_looked_at(texts: list[str], start: str, end: str) -> None:
    calls, _ = turn(texts, TOOLS, answer)

    assert (calls[-1][1]["start"], calls[-1][1]["end"]) == (start, end)


def test_classes_of_a_day_are_in_the_calendar_and_time_for_work_is_an_event() -> None:
    classes, _ = turn(["what classes do I have monday"], TOOLS, answer)
    block, _ = turn(["put 2 hrs to finish the research paper outline tomorrow at 6pm"], TOOLS, answer)

    assert classes == [("calendar_list_events", {"start": "2026-11-23", "end": "2026-11-23"})]
    assert block[-1][1] == {
        "title": "Finish the research paper outline",
        "start": "2026-11-22T18:00",
        "duration_minutes": 120,
    }


def test_listed_steps_are_drawn_and_without_any_the_way_to_ask_is_told() -> None:
    drawn, said = turn(["Dibuja los pasos: esquema, borrador -> versión [final]"], TOOLS, answer)
    _, told = turn(["draw the steps of mitosis"], TOOLS, answer)

    assert drawn == []
    assert 's0["Esquema"]\n    s1["Borrador"]\n    s2["Versión final"]\n    s0 --> s1\n    s1 --> s2' in said
    assert messages()["draws"][0] in told


def test_what_follows_a_list_is_a_paragraph_of_its_own() -> None:
    _, said = turn(
        ["what is due this week?"],
        TOOLS,
        lambda name, asked: "2 items.\n- **A** — x\n- **B** — y\nRanked by z.",
    )

    assert "- **A** — x\n- **B** — y\n\nRanked by z." in said


def test_every_clash_that_was_found_is_told() -> None:
    found = "2 clashes.\n- **“A week” and “B”** — both\n- **“C” and “D”** — both"
    tool = {**TOOLS[0], "name": "calendar_find_conflicts", "description": "Find events that clash."}
    _, said = turn(["Does anything clash next week?"], [*TOOLS, tool], lambda name, asked: found)

    assert "“A week” and “B”" in said
    assert "“C” and “D”" in said


def test_a_title_that_was_asked_for_is_taken_and_thanks_are_none() -> None:
    named, _ = turn(["book an hour tomorrow at 5pm", "the outline"], TOOLS, answer)
    thanked, said = turn(["book an hour tomorrow at 5pm", "thanks!!"], TOOLS, answer)

    assert named[-1][1]["title"] == "the outline"
    assert (thanked, said) == ([], messages()["thanks"][0])


def test_what_is_looked_up_and_then_written_asks_which_one_where_several_fit() -> None:
    calls, said = turn(["what's due this week, and put two hours for it on Sunday afternoon"], TOOLS, answer)
    more, _ = turn(
        ["what's due this week, and put two hours for it on Sunday afternoon", "the lab report"], TOOLS, answer
    )

    assert [name for name, _ in calls] == ["canvas_list_assignments"]
    assert said.endswith(messages()["which_for"][0])
    assert more[-1][1] == {"title": "Work on Lab report 6", "start": "2026-11-22T12:00", "duration_minutes": 120}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("que tengo mañana", "es"),
        ("y la semana que viene?", "es"),
        ("qué me toca entregar de aquí al viernes", "es"),
        ("buenas", "es"),
        ("whats due tmrw", "en"),
        ("and bio?", "en"),
        ("cuánto saqué en “Lab Report 6: Mitosis in the onion”", "es"),
        ("ok?", None),
        ("CS 101", None),
    ],
)
def test_the_language_of_a_message_is_told_by_its_words(text: str, language: str | None) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text", ["¿qué tengo que entregar esta semana?", "cómo voy", "que anuncios hay", "hola", "gracias"]
)
def test_a_question_in_spanish_is_answered_in_spanish(text: str) -> None:
    _, said = turn([text], TOOLS, answer)

    quoted = ("Lab report 6", "Biology 101", "World History", "Calculus I", "Problem set 5", "Essay 2", "Room change")
    for title in (*quoted, "Lab moves to room 204", "Chemistry 110 could not be read"):
        said = said.replace(title, "")
    assert language_of(said) == "es"
    said = re.sub("«.*?»", "", said)
    assert not [word for word in ("due", "points", "as of", "[open]", "Here is", "Fri 20") if word in said]


@pytest.mark.parametrize(
    ("prompt", "said_before", "expected"),
    [
        ("They read Homeroom in Spanish.", [], messages()["fine"][1]),
        ("They read Homeroom in English.", [], messages()["fine"][0]),
        ("They read Homeroom in Spanish.", ["thanks a lot"], messages()["fine"][0]),
        ("", ["hola"], messages()["fine"][1]),
    ],
)
def test_a_message_without_a_language_keeps_the_last_one_or_the_one_of_the_prompt(
    prompt: str, said_before: list[str], expected: str
) -> None:
    sent = [message for text in said_before for message in (says(text), {"role": "assistant", "content": "."})]

    reply = think({"system": prompt, "messages": [*sent, says("ok?")], "tools": TOOLS}, NOW)

    assert expected in "".join(block.text for block in reply.blocks if isinstance(block, Text))


def test_a_silent_service_is_told_in_the_language_of_the_question() -> None:
    def failing(name: str, given: Mapping[str, Any]) -> str:
        raise ToolFailed("Canvas did not answer in time. Try again in a moment.")

    _, said = turn(["¿qué tengo que entregar mañana?"], TOOLS, failing)

    assert said == "(modelo de demostración) " + messages()["cannot_see"][1].format(service="Canvas")


@pytest.mark.parametrize(
    ("line", "spanish"),
    [
        (
            "**Quiz due soon** — quiz — due Mon 23 Nov 2026, 9:45 PM CST — 10 points — not handed in yet — [open](https://x.y)",
            "**Quiz due soon** — cuestionario — para el lun 23 nov 2026, 21:45 CST — 10 puntos — "
            "sin entregar todavía — [abrir](https://x.y)",
        ),
        ("**Talk** — The room is open until noon", "**Talk** — The room is open until noon"),
        ("12 events, Sat 21 Nov – Fri 27 Nov 2026", "12 eventos, sáb 21 nov – vie 27 nov 2026"),
    ],
)
def test_only_what_tools_say_themselves_is_put_into_spanish(line: str, spanish: str) -> None:
    assert in_spanish(line) == spanish


def test_each_sentence_of_the_model_exists_in_both_languages() -> None:
    pairs = messages().values()

    assert all(len(pair) == 2 and all(pair) for pair in pairs)
    assert all(_places(english) == _places(spanish) for english, spanish in pairs)


def test_this_week_is_the_week_that_the_calendar_shows_on_every_day_of_it() -> None:
    zone = ZoneInfo("America/Chicago")
    asked = []
    for day in range(16, 23):
        now = datetime(2026, 11, day, 10, 0, tzinfo=zone)
        told = {"type": "text", "text": f"<context>Now: {now:%A %d %B %Y, %H:%M} (America/Chicago)</context>"}
        message = {"role": "user", "content": [told, {"type": "text", "text": "what's due this week?"}]}
        reply = think({"messages": [message], "tools": TOOLS}, now)
        asked.append({name: value for name, value in reply.blocks[0].input.items() if name != "window"})  # type: ignore[union-attr]

    assert asked == [{"start": "2026-11-16", "end": "2026-11-22"}] * 7


def _places(text: str) -> set[str]:
    return {part.partition("}")[0] for part in text.split("{")[1:]}
