"""What is said once to whoever comes: who reads what they write, which clock counts, which language is spoken."""

from collections.abc import Callable
from unittest.mock import PropertyMock

import pytest
from streamlit.runtime.context import ContextProxy

from services.i18n import LANGUAGE_COOKIE
from tests.fakes import FakeDocuments
from tests.pages.conftest import Visitor

WHO_READS = "writes the answers"
MakeVisitor = Callable[..., Visitor]


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets what a browser says of itself: `browser(timezone="Europe/Madrid", cookies={…})`. AppTest has none."""

    def says(**facts: object) -> None:
        for name, value in facts.items():
            monkeypatch.setattr(ContextProxy, name, PropertyMock(return_value=value))

    return says


def test_who_reads_is_told_until_the_first_message_and_on_no_device_after_it(maya: Visitor) -> None:
    maya.opens()
    before = maya.words
    maya.asks("What is due?")
    after = maya.words
    elsewhere = Visitor(maya.room)
    elsewhere.opens()

    assert WHO_READS in before
    assert WHO_READS not in after + elsewhere.words


def test_outside_the_demo_it_is_told_what_leaves_for_whom(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(settings={"ANTHROPIC_API_KEY": "key"})

    maya.opens()
    settings = Visitor(maya.room)
    settings.opens("settings")

    for page in (maya, settings):
        assert "what it looks up for you to Anthropic's Claude" in page.words


def test_in_the_demo_settings_do_not_say_that_something_goes_to_claude(maya: Visitor) -> None:
    maya.opens("settings")

    assert "a scripted model stands in for Claude" in maya.words
    assert "Anthropic's Claude" not in maya.words


def test_another_clock_than_the_students_is_told_until_it_is_used(maya: Visitor, browser: Callable[..., None]) -> None:
    browser(timezone="Europe/Madrid")
    maya.opens()
    assert "Times are those of Chicago, but this device is set to Madrid." in maya.words

    maya.presses("Use Madrid instead")

    assert "this device" not in maya.words
    assert maya.room.services.students.get(maya.student.id).timezone == "Europe/Madrid"


def test_a_clock_that_the_student_keeps_is_not_asked_about_again_until_they_are_elsewhere(
    maya: Visitor, browser: Callable[..., None]
) -> None:
    browser(timezone="Europe/Madrid")
    maya.opens()
    maya.presses("Keep Chicago")
    kept = maya.words
    elsewhere = Visitor(maya.room)
    again = elsewhere.opens()
    browser(timezone="Asia/Tokyo")
    again.run()

    assert "this device" not in kept
    assert "this device is set to Tokyo." in elsewhere.words
    assert maya.room.services.students.get(maya.student.id).timezone == "America/Chicago"


@pytest.mark.parametrize("zone", [None, "America/Winnipeg", "America/Chicago", "Mars/Olympus"])
def test_a_clock_that_shows_the_same_or_none_is_no_news(
    maya: Visitor, browser: Callable[..., None], zone: str | None
) -> None:
    browser(timezone=zone)

    maya.opens()

    assert "this device" not in maya.words


def test_a_zone_chosen_in_settings_against_the_clock_is_not_asked_about(
    maya: Visitor, browser: Callable[..., None]
) -> None:
    browser(timezone="America/Chicago")
    maya.opens("settings")

    maya.page.selectbox(key="timezone").set_value("Europe/Madrid").run()

    chat = Visitor(maya.room)
    chat.opens()
    assert "this device" not in chat.words


def test_the_language_chosen_before_the_sign_in_is_that_of_a_new_student_and_of_nobody_else(
    make_visitor: MakeVisitor, browser: Callable[..., None]
) -> None:
    browser(locale="en-US", cookies={LANGUAGE_COOKIE: "es"})
    visitor = make_visitor(name=None)
    visitor.opens()
    assert visitor.page.title[0].value == "Tu semana, en un lugar tranquilo."
    assert "English" in visitor.labels

    new = make_visitor(name="ana", claims={"sub": "new"}).opens()
    known = make_visitor().opens()

    assert new.title[0].value.startswith("Buenas tardes, Ana")
    assert known.title[0].value.startswith("Good morning")


class CountingDocuments(FakeDocuments):
    """Counts the reads of each collection."""

    def __init__(self, **given: object) -> None:
        super().__init__(**given)  # type: ignore[arg-type]
        self.searched: list[str] = []

    def find(self, collection: str, *arguments: object, **options: object) -> list[dict[str, object]]:
        self.searched.append(collection)
        return super().find(collection, *arguments, **options)  # type: ignore[arg-type]


def test_a_word_that_stays_in_the_search_is_looked_for_once_until_something_new_is_said(
    make_visitor: MakeVisitor,
) -> None:
    documents = CountingDocuments()
    maya = make_visitor(engine=documents)
    maya.room.ask("Where can I study?")
    maya.opens()
    maya.page.sidebar.text_input[0].set_value("study").run()
    documents.searched.clear()

    maya.page.run()
    looked_again = documents.searched.count("chat_words")
    maya.room.ask("When can I study?")
    maya.page.run()

    assert looked_again == 0
    assert any("**When can I study?**" in label for label in maya.labels)
