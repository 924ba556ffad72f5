"""What somebody types in the first minutes: worries, corrections, odd things, days around a holiday, "undo that"."""

import pytest

from sandbox.model.rules.language.messages import messages
from tests.sandbox.model_thoughts import fits, turn
from tests.sandbox.model_tools import TOOLS, answer

LISTING, EVENTS = "canvas_list_assignments", "calendar_list_events"


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ("what is due the week after thanksgiving?", LISTING, {"start": "2026-11-30", "end": "2026-12-06"}),
        ("what's on my calendar the week after christmas", EVENTS, {"start": "2026-12-28", "end": "2027-01-03"}),
        ("¿qué hay que entregar antes de Navidad?", LISTING, {"start": "2026-11-21", "end": "2026-12-24"}),
        ("the essay is due wednesday, not friday", LISTING, {}),
        ("i work until 8 on tuesday and my essay is due, what do i do", LISTING, {"start": "2026-11-24"}),
        ("delete everything on my calendar", EVENTS, {}),
        ("borra todos mis eventos", EVENTS, {}),
        ("qué entrego esta semana y cuánto vale cada cosa", LISTING, {}),
    ],
)
def test_what_is_meant_is_looked_up_and_nothing_is_changed(text: str, tool: str, arguments: dict[str, str]) -> None:
    calls, _ = turn([text], TOOLS, answer)

    assert any(fits(call, tool, arguments) for call in calls), calls
    assert all("list" in name for name, _ in calls)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("u suck", messages()["app.rude"][0]),
        ("lol what is this", messages()["app.what"][0]),
        ("is this real data?", messages()["app.real"][0]),
        ("¿eres chatgpt?", messages()["app.identity"][1]),
        ("will it rain tomorrow", messages()["app.weather"][0]),
        ("help me write my history essay", messages()["coach"][0]),
        ("make a page with 5 facts about cells", messages()["cannot_compose"][0]),
        ("undo that", messages()["nothing_to_undo"][0]),
    ],
)
def test_what_needs_no_tool_has_an_answer_of_its_own(text: str, said: str) -> None:
    calls, told = turn(["hello", text], TOOLS, answer)

    assert (calls, told) == ([], said)


def test_what_was_moved_goes_back_to_where_it_was() -> None:
    calls, _ = turn(["move my dentist appointment to 11am", "undo that"], TOOLS, answer)

    assert calls == [("calendar_update_event", {"event_id": "ev-dentist", "start": "2026-11-24T09:00"})]


def test_an_hour_longer_is_added_to_what_it_lasts() -> None:
    calls, _ = turn(["move my dentist appointment to 11am", "make it an hour longer"], TOOLS, answer)

    assert calls == [("calendar_update_event", {"event_id": "ev-dentist", "duration_minutes": 90})]


def test_the_one_of_a_list_that_is_worth_most_is_told() -> None:
    calls, said = turn(["what's due this week?", "which of those is worth the most?"], TOOLS, answer)

    assert calls == []
    assert said.startswith("Most points of these: 100.")
    assert "**Essay 2**" in said
    assert "https://c.example/62" in said


def test_due_times_that_fall_into_an_event_are_named_with_it() -> None:
    def met(name: str, given: object) -> str:
        lab = "- **Lab** — Fri 27 Nov 2026, 11:00 PM – 11:59 PM CST (id: e1)"
        study = "- **Study** — Fri 27 Nov 2026, 11:30 PM – 11:59 PM CST — marked as free (id: e2)"
        late = "- **Shift** — Wed 25 Nov 2026, 4:00 PM – 9:00 PM CST (id: e3)"
        return f"3 events.\n{lab}\n{study}\n{late}" if name == EVENTS else answer(LISTING, {})

    _, said = turn(["do any deadlines clash with my calendar?"], TOOLS, met)

    assert "1 of the next 3 due times" in said
    assert "**Essay 2**" in said
    assert "during **Shift**, Wed 25 Nov 2026, 4:00 PM – 9:00 PM" in said


def test_nothing_found_says_where_and_for_what_was_looked() -> None:
    _, said = turn(["cancel my karate practice"], TOOLS, answer)

    assert "I looked in your calendar for “karate practice” and found nothing" in said
