"""What an instructor types into an assistant's form outlives the page, before a field is left or anything is saved."""

import time

import pytest
from playwright.sync_api import expect

from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit
from tests.flows.person import ANSWER_MS

pytestmark = pytest.mark.browser

WORDS = "Ask which unit it is about."
MORE = " Then quote the lecture."


def test_half_a_text_is_there_again_after_a_reload_and_students_have_what_was_published(
    visit: Visit, backstage: Backstage
) -> None:
    anne = visit("Anne Okafor")
    anne.open("/classroom")
    school_class = backstage.teach("Anne Okafor")
    instructor, classroom = backstage.student("Anne Okafor"), backstage.services.classroom
    [before] = classroom.assistants.of_class(instructor, school_class.id)
    address = f"/classroom?class={school_class.id}&view=assistants&assistant={before.id}"
    anne.open(address)
    anne.sees("Everything is saved.")
    words = anne.page.get_by_role("textbox", name="Words for the assistant", exact=True)
    words.fill("")
    words.press_sequentially(WORDS)
    anne.sees("Not saved yet. What you type is kept here")

    expect(words).to_be_focused()
    words.press_sequentially(MORE)
    ends_at = time.monotonic() + ANSWER_MS / 1000
    while (kept := classroom.unsaved_drafts.get(instructor, before.id)) is None or kept.typed.words != WORDS + MORE:
        assert time.monotonic() < ends_at
        anne.page.wait_for_timeout(100)
    anne.page.reload()

    expect(words).to_have_value(WORDS + MORE, timeout=ANSWER_MS)
    anne.sees("Not saved yet.")
    assert classroom.assistants.get(instructor, before.id) == before
    anne.press("Save the draft")
    anne.sees("Everything is saved.")
    anne.page.reload()
    expect(words).to_have_value(WORDS + MORE, timeout=ANSWER_MS)
    words.fill("Never mind")
    anne.press("Discard it")
    anne.page.get_by_role("dialog").get_by_role("button", name="Discard it").click()
    expect(words).to_have_value(WORDS + MORE, timeout=ANSWER_MS)
    anne.sees("Everything is saved.")
    assert classroom.unsaved_drafts.get(instructor, before.id) is None
    classroom.classes.delete(instructor, school_class.id)
