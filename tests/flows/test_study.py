"""From a reading to the first review, on one's own: a quiz of it, its result, cards of it, and their schedule; cards
from Anki and out to it.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, expect

from services.files.upload import Upload
from services.study.flashcard import FlashcardState
from tests.flows.backstage import Backstage
from tests.flows.person import Person
from tests.flows.test_accessible import Visitor
from tests.services.study.exchange.anki_files import archive, new_collection, new_package, picture
from tests.services.study.quiz_samples import ALL, store_quiz

pytestmark = pytest.mark.browser

NOTES = b"""# Osmosis

Osmosis is the net movement of water across a membrane that lets water pass but not what is dissolved in it.

# Diffusion

Diffusion is the movement of particles from where there are many to where there are few.

# Active transport

Active transport is the movement of particles against their gradient, which needs energy in the form of ATP.
"""
WRITTEN_MS = 60_000


def test_a_reading_becomes_a_quiz_and_cards_and_a_review(maya: Person, backstage: Backstage) -> None:
    page, services, student = maya.page, backstage.services, backstage.student(maya.name)
    course = services.materials.add_own_course(student, "Cell transport")
    material = services.materials.add_upload(student, course.key, Upload(name="Transport.md", content=NOTES))

    maya.open(f"/materials?open={material.id}&page=1")
    page.get_by_role("link", name="Practise this").click()
    form = page.get_by_role("dialog", name="Make questions or cards")
    expect(form.get_by_text("Transport.md").first).to_be_visible()
    form.get_by_role("textbox", name="Only these pages").fill("")
    form.get_by_role("textbox", name="Only these pages").press("Enter")
    expect(form.get_by_text(re.compile("^Takes about a minute"))).to_be_visible()
    form.get_by_role("button", name="Make 8 questions").click()
    expect(form).to_have_count(0)
    expect(maya.button("Begin")).to_be_visible(timeout=WRITTEN_MS)
    maya.press("Begin")
    page.get_by_role("button", name="Begin").click()
    skip = page.get_by_role("button", name="I don’t know")
    expect(skip).to_be_visible()
    quiz = page.url
    skip.click()
    expect(page.get_by_role("link", name=re.compile("Transport"))).to_be_visible()
    page.reload()
    assert page.url == quiz
    maya.press("Back to Study")

    page.get_by_role("radio", name="Cards").click()
    maya.press("Make cards")
    expect(form.get_by_text(re.compile("^Choose what to practise"))).to_be_visible()
    form.get_by_role("radio", name="My own text").click()
    form.get_by_role("textbox", name="Your text").fill(NOTES.decode())
    form.get_by_role("textbox", name="Your text").press("Control+Enter")
    form.get_by_role("button", name=re.compile("^Make 12 cards")).click()
    keep_all = page.get_by_role("button", name=re.compile(r"^\W*Keep (all )?\d+ card"))
    expect(keep_all).to_be_visible(timeout=WRITTEN_MS)
    keep_all.click()
    maya.sees(re.compile("(is|are) kept, and come"))
    page.get_by_role("radio", name="Now").click()
    page.get_by_role("button", name=re.compile(r"Review \d+ cards? · about")).click()
    page.get_by_role("button", name="Show answer").click()
    with page.expect_response("**/live/study/review/rate"):
        page.get_by_role("button", name=re.compile("^Good")).click()
    expect(page.get_by_role("button", name="Show answer")).to_be_visible()

    kept = services.study.cards.count(student, state=FlashcardState.KEPT)
    assert kept >= 1
    assert services.study.reviews.queue(student).undo
    maya.tab.assert_quiet()


HOSTILE = (
    ("g1", "What is osmosis? <script>document.title = 'taken'</script>", "Water <b>moving</b> through a membrane"),
    (
        "g2",
        "<img src=x onerror=\"document.title = 'taken'\">What is a cell?",
        "<iframe src='//evil.test'></iframe>A room",
    ),
    ("g3", "<a href='javascript:document.title=1'>What is ATP?</a>", "<img src='../../passwd.png'>Energy"),
)


def test_cards_from_anki_are_looked_at_added_once_and_go_out_again(
    maya: Person, backstage: Backstage, tmp_path: Path
) -> None:
    page, cards, student = maya.page, backstage.services.study.cards, backstage.student(maya.name)
    maya.open("/study?view=cards")
    dialog = choose_file(maya, "bomb.apkg", archive({"collection.anki21b": b"\x28\xb5\x2f\xfd", "media": b"{}"}))
    expect(dialog.get_by_text("not a package of Anki")).to_be_visible()
    package = new_package(new_collection(tmp_path, HOSTILE), {"../../passwd.png": picture()})
    dialog = choose_file(maya, "unit-2.apkg", package)
    expect(dialog.get_by_text("3 new cards")).to_be_visible()
    dialog.get_by_role("button", name="Add 3 cards").click()
    maya.sees("3 cards are added.")

    dialog = choose_file(maya, "unit-2 (1).apkg", package)
    expect(dialog.get_by_text("3 that you have already")).to_be_visible()
    expect(dialog.get_by_role("button", name=re.compile(r"Add \d|Update the cards"))).to_have_count(0)
    page.keyboard.press("Escape")
    with page.expect_download() as told:
        page.get_by_role("button", name="To Anki").click()
    dialog = choose_file(maya, "back.apkg", Path(told.value.path()).read_bytes())
    expect(dialog.get_by_text("3 that you have already")).to_be_visible()

    kept = cards.count(student, state=FlashcardState.KEPT)
    assert (kept, "Study" in page.title()) == (3, True)
    assert page.locator("iframe[src*=evil], [onerror], a[href^=javascript]").count() == 0
    maya.tab.assert_quiet()


@pytest.mark.soak
def test_five_thousand_cards_of_a_table_are_added_once(maya: Person, backstage: Backstage) -> None:
    table = "".join(f"Term {number},Meaning of term {number}\n" for number in range(5_000)).encode()
    maya.open("/study?view=cards")
    dialog = choose_file(maya, "terms.csv", table)
    dialog.get_by_role("button", name="Add 5,000 cards").click(timeout=WRITTEN_MS)
    expect(maya.page.get_by_text("5,000 cards are added.")).to_be_visible(timeout=WRITTEN_MS)
    dialog = choose_file(maya, "terms.csv", table)
    expect(dialog.get_by_text("5,000 that you have already")).to_be_visible(timeout=WRITTEN_MS)

    assert backstage.services.study.cards.count(backstage.student(maya.name), state=FlashcardState.KEPT) == 5_000
    maya.tab.assert_quiet()


def choose_file(maya: Person, name: str, content: bytes) -> Locator:
    """Open the dialog that brings in cards, where it is not open, and choose a file in it."""
    dialog = maya.page.get_by_role("dialog", name="Bring in cards")
    if not dialog.count():
        maya.press("Bring in cards")
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    dialog.locator("input[type=file]").set_input_files([file])
    return dialog


@pytest.mark.soak
def test_study_keeps_nobody_out(maya: Person, backstage: Backstage) -> None:
    newcomer = Visitor(maya)
    page, study, student = newcomer.page, backstage.services.study, backstage.student(newcomer.person.name)
    dialog = page.get_by_role("dialog")
    newcomer.opens("/study", "Nothing to practise yet")
    newcomer.inspects("Study without anything", tablet=True)
    newcomer.person.press("Make a quiz")
    expect(dialog.get_by_text("Paste a text first.")).to_be_visible()
    newcomer.inspects("dialog that makes questions", tablet=True)
    store_quiz(backstage.services.store, student.id, ALL)
    deck = study.cards
    deck.add(student, [deck.new_card(front="Nernst", back=r"$$E = \frac{RT}{zF}$$", topic="Membranes")])
    deck.add_drafts(student, [deck.new_card(front="A draft", back="Its back", topic="Membranes")])
    study.notes.add(student, "Mixes up diffusion and osmosis.", topic="Membranes")
    newcomer.opens("/study", re.compile("^Review 1 card"))
    page.locator(".st-key-study-notes summary").click()
    expect(page.get_by_text(re.compile("^Membranes.*Mixes up"))).to_be_visible()
    newcomer.inspects("Study with cards, a quiz and a note", tablet=True)
    newcomer.opens("/study?view=quizzes", "Begin")
    newcomer.inspects("quizzes", tablet=True)
    newcomer.opens("/study?view=cards", "A draft")
    newcomer.inspects("cards", tablet=True)
    newcomer.person.press("Bring in cards")
    expect(dialog.get_by_text("A package of Anki")).to_be_visible()
    newcomer.inspects("dialog that brings in cards", tablet=True)
    newcomer.opens("/study?view=exams", "Add an exam")
    newcomer.person.press("Add an exam")
    expect(dialog.get_by_role("button", name="Save")).to_be_visible()
    newcomer.inspects("dialog of an exam", tablet=True)
    dialog.get_by_role("textbox", name="Name").fill("Midterm")
    dialog.get_by_role("textbox", name="Name").press("Enter")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("button", name="Keep it here only")).to_be_visible()
    newcomer.inspects("plan until an exam", tablet=True)
