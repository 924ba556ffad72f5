"""Quiz to take: mounted here, drawn by `components/homeroom_live`, answered by `api/live/study_quiz.py`."""

from collections.abc import Callable

from services.approvals.approval import Approval, ApprovalStatus
from services.i18n import gettext
from ui.browser_component import live_component
from ui.streamlit_compat import chunk_addresses

_MADE = (ApprovalStatus.DONE, ApprovalStatus.UNDO_REFUSED)
_MAKES = "study_make_quiz"
"""Tool whose quiz is taken in the chat, below the card of what it made."""


def made_quiz(approval: Approval) -> str:
    """Id of the quiz that an action has made; "" for none, and for one that was taken back."""
    is_made = approval.tool == _MAKES and approval.status in _MADE
    return str((approval.undo or {}).get("quiz_id", "")) if is_made else ""


def draw_quiz(quiz_id: str, *, key: str = "", on_close: Callable[[], None] | None = None) -> None:
    """Draw a quiz: how far it is written, the way to begin it, the attempt under way, or how the last one came out.

    key: of the place, where a page has the same quiz several times. on_close: what leaving it does; without it there is
    no way to leave, as in a chat.
    """
    data = {
        "part": "quiz",
        "quiz": quiz_id,
        "place": f"{key}/{quiz_id}",
        "closes": on_close is not None,
        "words": _words(),
        "chunks": chunk_addresses(),
    }
    live_component()(key=f"quiz-panel-{key or quiz_id}", data=data, on_close_change=on_close or _stay)


def _stay() -> None:
    """A trigger is told to the page only where it has a callback."""


def _words() -> dict[str, str]:
    return {**_step_words(), **_answer_words(), **_mark_words(), **_result_words()}


def _step_words() -> dict[str, str]:
    return {
        "quiz": gettext("Quiz"),
        "begin": gettext("Begin"),
        "exam_told": gettext(
            "The clock runs on when you leave the page. You can go back and forth and change your answers; the marks "
            "come at the end."
        ),
        "writing_told": gettext("It goes on by itself when it is ready. You can leave the page meanwhile."),
        "failed": gettext("This quiz could not be written."),
        "retry": gettext("Try again"),
        "offline": gettext("Homeroom cannot be reached right now."),
        "kept": gettext("Homeroom cannot be reached. Your answer is kept here and sent as soon as it can be."),
        "waits": gettext("Your answers are kept here. The rest comes when Homeroom can be reached again."),
        "signed_out": gettext("You are signed out. Your answer is kept in this tab; sign in again to send it."),
        "rest_one": gettext("1 left"),
        "rest_some": gettext("{count} left", count="{count}"),
        "again_one": gettext("Once more: 1 left"),
        "again_some": gettext("Once more: {count} left", count="{count}"),
        "finish_now": gettext("Finish now"),
        "finish_ask": gettext("Finish here?"),
        "question_of": gettext("Question {number} of {count}", number="{number}", count="{count}"),
        "clock": gettext("{time} left", time="{time}"),
        "left": gettext("{minutes} min left", minutes="{minutes}"),
        "time_over": gettext("The time is over. What you had answered counts."),
        "close": gettext("Back to Study"),
    }


def _answer_words() -> dict[str, str]:
    return {
        "answer": gettext("Check"),
        "skip": gettext("I don’t know"),
        "next": gettext("Next question"),
        "back": gettext("Back"),
        "look_over": gettext("Look it over"),
        "hand_in": gettext("Hand in"),
        "questions": gettext("Questions"),
        "question_n": gettext("Question {number}", number="{number}"),
        "answered": gettext("answered"),
        "open": gettext("open"),
        "key_enter": gettext("Enter"),
        "key_send": gettext("Ctrl + Enter checks it."),
        "key_move": gettext("Alt + ↑ or ↓ moves a line."),
        "choose_first": gettext("Answer first, or press “I don’t know”."),
        "comparing": gettext("Comparing it with the right answer …"),
        "gap": gettext("gap"),
        "missing": gettext("Missing words"),
        "your_answer": gettext("Your answer"),
        "true": gettext("True"),
        "false": gettext("False"),
        "place_of": gettext("{place} of {count}: {name}", place="{place}", count="{count}", name="{name}"),
        "moved": gettext("{name} is now {place} of {count}.", place="{place}", count="{count}", name="{name}"),
        "move_up": gettext("Move up: {name}", name="{name}"),
        "move_down": gettext("Move down: {name}", name="{name}"),
    }


def _mark_words() -> dict[str, str]:
    return {
        "verdict_right": gettext("Right"),
        "verdict_partly": gettext("Partly right"),
        "verdict_wrong": gettext("Not quite"),
        "verdict_skipped": gettext("Left open"),
        "verdict_pending": gettext("Not marked yet"),
        "own_right": gettext("Counts as right, by your word"),
        "own_wrong": gettext("Counts as not right, by your word"),
        "is_right": gettext("right"),
        "is_not_right": gettext("not right"),
        "it_is": gettext("It is"),
        "also": gettext("or"),
        "full_answer": gettext("A full answer says:"),
        "source": gettext("Where it stands"),
        "see_result": gettext("See how it went"),
        "pending_told": gettext(
            "The assistant compares it with the right answer as soon as it can. You can also judge it yourself:"
        ),
        "had_it": gettext("I had it"),
        "had_it_not": gettext("Not yet"),
        "disagree": gettext("I disagree"),
        "report": gettext("Something is wrong with this question"),
        "disagree_told": gettext("Your word counts. What is not right here?"),
        "report_told": gettext("It is not asked again. Your answer stays right."),
        "ask_no_more": gettext("Don’t ask it again"),
        "mine_is_right": gettext("My answer is right, too"),
        "mine_fits": gettext("What I wrote fits the gap as well"),
        "question_is_wrong": gettext("The question or its right answer is wrong"),
        "why": gettext("Why, if you like"),
        "count_it": gettext("Count it as right"),
        "cancel": gettext("Cancel"),
        "counted": gettext("Done. Your word counts."),
    }


def _result_words() -> dict[str, str]:
    return {
        "hand_in_ask": gettext("Hand it in?"),
        "none_open": gettext("Every question has an answer."),
        "one_open": gettext("One question is still open."),
        "some_open": gettext("{count} questions are still open.", count="{count}"),
        "hand_in_now": gettext("Hand in now"),
        "by_topic": gettext("By topic"),
        "each_question": gettext("Each question"),
        "you_said": gettext("You said:"),
        "right_is": gettext("Right is:"),
        "one_pending": gettext("One answer is not marked yet; it is as soon as the assistant answers."),
        "some_pending": gettext(
            "{count} answers are not marked yet; they are as soon as the assistant answers.", count="{count}"
        ),
        "practise_one": gettext("Practise the one that was not right"),
        "practise_some": gettext("Practise the {count} that were not right", count="{count}"),
        "take_again": gettext("Take it again"),
    }
