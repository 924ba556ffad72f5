import json
from typing import Any

import pytest

from services.assistants.assistant import Assistant, UsefulLink
from services.errors import SettingsError
from services.integrations.campus_links import capabilities, static_links
from services.tools.result import ToolResult
from tests.tool_calls import FakeSettings, container_of, run

SHARED = json.dumps(
    [
        {"title": "Tutoring center", "url": "https://campus.example/tutoring", "note": "Drop in", "topics": ["math"]},
        {"title": "Library", "url": "https://campus.example/library", "topics": ["books", "rooms"]},
    ]
)
CLUB = UsefulLink(title="Chess club", url="https://chess.example/")


def look(shared: str = SHARED, own: tuple[UsefulLink, ...] = (), **arguments: Any) -> ToolResult:
    container = container_of(settings=FakeSettings({"campus_links": {"LINKS": shared}}))
    return run(static_links, arguments, container=container, chosen=Assistant(id="a", name="A", links=own))


def test_all_links_come_with_what_they_are_good_for_the_assistants_own_first() -> None:
    result = look(own=(CLUB,))

    assert result.output.splitlines() == [
        "3 links (set up by whoever runs Homeroom).",
        "- **Chess club** — [open](https://chess.example/)",
        "- **Tutoring center** — Drop in — [open](https://campus.example/tutoring)",
        "- **Library** — [open](https://campus.example/library)",
    ]
    assert len(result.sources) == 3


@pytest.mark.parametrize("topic", ["tutoring", "Tutor", "math", "maths", "the tutoring center", "MATH tutoring"])
def test_a_topic_finds_what_stands_in_title_note_or_topics(topic: str) -> None:
    titles = [link["title"] for link in look(topic=topic).data["links"]]

    assert titles == ["Tutoring center"]


def test_a_link_that_shares_one_word_of_the_topic_is_not_passed_off_as_the_thing_itself() -> None:
    center = UsefulLink(title="Writing center", url="https://campus.example/writing")

    alone, beside = look(topic="writing center").output, look(topic="writing center", own=(center,)).output

    assert "Tutoring center" in alone
    assert alone.endswith("Note: no link fits all of these words; one of these may be something else.")
    assert "Tutoring center" not in beside
    assert "Note:" not in beside


def test_a_topic_that_nothing_fits_says_what_there_is() -> None:
    output = look(topic="parking").output

    assert output.startswith("No links about “parking”")
    assert output.endswith("Note: there are links about other topics: Tutoring center, Library.")


def test_no_links_at_all_is_an_answer_too() -> None:
    assert look(shared="").output == "No links (set up by whoever runs Homeroom)."


@pytest.mark.parametrize(
    "written", ["not json", "{}", '[{"title": "x"}]', '[{"title": "x", "url": "javascript:alert(1)"}]', "[1]"]
)
def test_a_setting_that_does_not_fit_is_named_at_the_start(written: str) -> None:
    with pytest.raises(SettingsError, match="CAMPUS_LINKS"):
        capabilities({"LINKS": written})
