"""Files in a real browser: attached, read, shown with their message, had back, and refused without losing a word."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import file_samples as samples
from tests.flows.person import Person

pytestmark = pytest.mark.browser

PLAN = b"Buy onions\nCall Ana"


def attach(maya: Person, **files: bytes) -> None:
    """Put files into the field; the dot of an extension is written as two underscores."""
    chosen = [
        {"name": name.replace("__", "."), "mimeType": "application/octet-stream", "buffer": content}
        for name, content in files.items()
    ]
    maya.page.locator(".live-composer-root input[type=file]").set_input_files(chosen)
    expect(maya.page.get_by_role("button", name="Send message")).to_be_enabled()


def test_files_are_read_shown_and_had_back_and_a_bad_one_costs_nothing(maya: Person) -> None:
    maya.open("/")
    limits = maya.page.get_by_text("You can attach 5 files of 10 MB")
    expect(maya.field).to_be_visible()
    expect(limits).to_be_hidden()

    attach(maya, lecture__pdf=samples.pdf("Onion cells", "Root tips"), plan__txt=PLAN)
    expect(limits).to_be_visible()
    maya.ask("What is in these files?")
    maya.sees("a PDF of 2 pages")
    maya.waits_for_the_end()
    maya.page.reload()

    expect(maya.questions.get_by_role("button", name="lecture.pdf · 8")).to_be_visible()
    with maya.page.expect_download() as download:
        maya.questions.get_by_role("button", name="plan.txt").click()
    assert download.value.suggested_filename == "plan.txt"
    assert Path(download.value.path()).read_bytes() == PLAN

    attach(maya, locked__pdf=samples.locked_pdf(), fine__md=b"Read me", long__txt=b"a" * 11_000_000, odd__exe=b"MZ")
    maya.write("And these?")
    maya.sees("The file marked in red is not attached: a file may have 10 MB.")
    expect(maya.field).to_have_value("And these?")
    maya.press("Remove long.txt")
    maya.sees("odd.exe is not attached: it cannot be read here. These can: PDF")
    maya.press("Remove odd.exe")
    expect(maya.page.locator(".live-problem")).to_be_hidden()
    maya.field.press("Enter")
    maya.sees("locked.pdf: This PDF is locked with a password.")
    expect(maya.field).to_have_value("And these?")
    expect(maya.page.get_by_role("button", name="fine.md")).to_be_visible()
    maya.field.press("Enter")
    expect(maya.questions.last.get_by_role("button", name="fine.md")).to_be_visible()
    maya.sees("Read me")


def test_the_sixth_file_and_a_false_pdf_are_marked_before_they_are_sent(maya: Person) -> None:
    maya.open("/")
    marked = maya.page.locator(".live-files li.is-refused")

    attach(maya, **{f"part{number}__txt": PLAN for number in range(6)})
    expect(marked).to_have_text(re.compile("part5.txt"))
    maya.sees("A message takes 5 files.")
    for number in range(1, 6):
        maya.press(f"Remove part{number}.txt")
    attach(maya, essay__pdf=b"These are no pages.")

    expect(marked).to_have_text(re.compile("essay.pdf"))
    maya.sees("essay.pdf is not really a PDF.")


@pytest.mark.soak
def test_files_that_another_page_was_shown_between_are_there_and_not_said_to_be_gone(maya: Person) -> None:
    maya.open("/")
    attach(maya, plan__txt=PLAN)
    maya.go("Activity")
    maya.sees("Everything that Homeroom")
    maya.go("Today")

    expect(maya.page.get_by_role("button", name="Remove plan.txt")).to_be_visible()
    expect(maya.page.locator(".live-field")).to_be_visible()
    expect(maya.page.locator(".file-words .gone")).to_be_hidden()
