"""A quiz is taken by keyboard at a phone's width: nothing is lost by a reload, a second tab or a lost line (R85)."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit
from tests.flows.test_accessible import Visitor
from tests.services.study.quiz_samples import ALL, CHOICE, CLOZE, ORDERING, SHORT, TRUE_FALSE, store_quiz

pytestmark = pytest.mark.browser

ADDRESS = "/study?quiz=quiz-1"


def choose(page: Page, words: str) -> None:
    """Press the number of an option."""
    options = page.locator(".quiz-option")
    expect(options.filter(has_text=words)).to_be_visible()
    shown = options.all_inner_texts()
    page.keyboard.press(str(1 + next(at for at, text in enumerate(shown) if words in text)))


def put_in_order(page: Page, right: tuple[str, ...]) -> None:
    """Move the lines with Alt and the arrows."""
    expect(page.locator(".quiz-step")).to_have_count(len(right))
    for place, name in enumerate(right):
        row = page.locator(".quiz-step").filter(has_text=name)
        # A page that has just been opened hides what it draws for a moment.
        expect(row).to_be_visible()
        names = [" ".join(text.split()) for text in page.locator(".quiz-step .quiz-line").all_text_contents()]
        for step in range(names.index(name), place, -1):
            row.press("Alt+ArrowUp")
            expect(page.locator(".quiz-step").nth(step - 1)).to_contain_text(name)


def test_a_quiz_is_taken_by_keyboard_through_a_reload_a_second_tab_and_a_lost_line(
    visit: Visit, backstage: Backstage
) -> None:
    maya = visit("Maya Chen", width=390)
    page, verdict = maya.page, maya.page.locator(".quiz-verdict")
    store_quiz(backstage.services.store, backstage.student(maya.name).id, (CHOICE, CLOZE, ORDERING, TRUE_FALSE))
    maya.open(ADDRESS)
    expect(page.locator(".quiz").get_by_role("button", name="Begin")).to_be_visible()
    Visitor(maya).tabs_to("Begin")
    page.keyboard.press("Enter")

    page.locator(".quiz-where").click()  # Safari gives the keyboard to no button and no option that is clicked.
    choose(page, "Salt")
    Visitor(maya).finds_nothing("a question")
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text("Not quite")
    expect(verdict).to_be_focused()
    expect(page.get_by_role("link", name="Lecture 4, page 3")).to_have_attribute("href", re.compile("open=canvas"))
    Visitor(maya).finds_nothing("a mark")

    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Missing words")).to_be_visible()
    Visitor(maya).tabs_to("Missing words")
    page.keyboard.type("membran")
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text("Right")
    expect(page.locator(".quiz-remark")).to_have_text("It is spelled “membrane”.")

    page.reload()
    expect(page.locator(".quiz-where")).to_have_text("2 left")
    other = page.context.new_page()
    other.goto(maya.app.url + ADDRESS)
    expect(other.locator(".quiz-where")).to_have_text("2 left")
    put_in_order(other, ORDERING.options)
    other.locator(".quiz-title").focus()
    other.keyboard.press("Enter")
    expect(other.locator(".quiz-verdict")).to_contain_text("Right")
    other.close()
    page.locator(".quiz-title").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".quiz-where")).to_have_text("1 left")

    page.context.set_offline(True)
    choose(page, "False")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your answer is kept here")).to_be_visible()
    page.context.set_offline(False)
    expect(verdict).to_contain_text("Right", timeout=20_000)
    page.keyboard.press("Enter")
    expect(page.locator(".quiz-where")).to_have_text("Once more: 1 left")
    choose(page, "Water")
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text("Right")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="3 of 4 right at once")).to_be_focused()
    expect(page.get_by_text("1 more was right when it came again.")).to_be_visible()
    Visitor(maya).finds_nothing("a result")
    (attempt,) = backstage.services.study.attempts.all(backstage.student(maya.name))
    assert [answer.question_id for answer in attempt.answers] == [
        q.id for q in (CHOICE, CLOZE, ORDERING, TRUE_FALSE, CHOICE)
    ]


@pytest.mark.soak
@pytest.mark.parametrize("width", [390, 768, 1280])
def test_a_mock_exam_keeps_its_clock_and_its_answers_in_every_tab(
    visit: Visit, backstage: Backstage, width: int
) -> None:
    maya = visit("Maya Chen", width=width)
    page = maya.page
    store_quiz(backstage.services.store, backstage.student(maya.name).id, ALL, minutes=30)
    maya.open(ADDRESS)
    page.locator(".quiz").get_by_role("button", name="Begin").click()
    expect(page.get_by_role("timer")).to_contain_text(re.compile(r"29:\d\d|30:00"))
    choose(page, "Water")
    page.locator(".quiz").get_by_role("button", name="Question 4, open").click()
    page.get_by_role("textbox", name="Missing words").fill("membrane")
    page.locator(".quiz").get_by_role("button", name="Question 6, open").click()
    page.get_by_role("textbox", name="Your answer").fill("Water moves across a membrane.")
    page.wait_for_timeout(1_200)

    page.reload()
    expect(page.get_by_role("button", name="Question 4, answered")).to_be_visible()
    expect(page.get_by_role("timer")).to_contain_text(re.compile(r"2\d:\d\d"))
    Visitor(maya).finds_nothing("a mock exam")
    page.locator(".quiz").get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("3 questions are still open.")).to_be_visible()
    page.get_by_role("button", name="Hand in now").click()

    expect(page.get_by_role("heading", name="3 of 6 right at once")).to_be_visible(timeout=20_000)
    page.locator("summary").filter(has_text="What is osmosis").click()
    expect(page.get_by_text(SHORT.key, exact=True)).to_be_visible()


@pytest.mark.soak
def test_a_quiz_is_finished_before_its_end_and_the_way_back_keeps_what_was_written(
    visit: Visit, backstage: Backstage
) -> None:
    maya = visit("Maya Chen", width=390)
    page, quiz = maya.page, maya.page.locator(".quiz")
    store_quiz(backstage.services.store, backstage.student(maya.name).id, (CLOZE, CHOICE, TRUE_FALSE))
    maya.open(ADDRESS)
    quiz.get_by_role("button", name="Begin").click()
    expect(page.locator(".quiz-where")).to_have_text("3 left")
    page.get_by_role("textbox", name="Missing words").fill("membr")

    quiz.get_by_role("button", name="Finish now").click()
    expect(page.get_by_text("3 questions are still open.")).to_be_visible()
    quiz.get_by_role("button", name="Back").click()
    expect(page.get_by_role("textbox", name="Missing words")).to_have_value("membr")
    page.get_by_role("textbox", name="Missing words").fill("membrane")
    page.keyboard.press("Enter")
    expect(page.locator(".quiz-verdict")).to_contain_text("Right")
    quiz.get_by_role("button", name="Finish now").click()
    quiz.get_by_role("button", name="Finish now").click()

    expect(page.get_by_role("heading", name="1 of 3 right at once")).to_be_visible()
    expect(page.get_by_text("2 were left open.")).to_be_visible()


@pytest.mark.soak
def test_a_disagreement_counts_at_once(visit: Visit, backstage: Backstage) -> None:
    maya = visit("Maya Chen", width=390)
    page = maya.page
    student = backstage.student(maya.name)
    store_quiz(backstage.services.store, student.id, (CLOZE, CHOICE))
    maya.open(ADDRESS)
    page.locator(".quiz").get_by_role("button", name="Begin").click()
    page.get_by_role("textbox", name="Missing words").fill("lipid bilayer")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I disagree").click()
    expect(page.get_by_role("radio", name="What I wrote fits the gap as well")).to_be_focused()
    Visitor(maya).finds_nothing("a disagreement")
    page.get_by_role("button", name="Count it as right").click()

    expect(page.locator(".quiz-verdict")).to_contain_text("Counts as right, by your word")
    assert backstage.services.study.quizzes.question(student, CLOZE.id).accepted == ("membrane", "lipid bilayer")
