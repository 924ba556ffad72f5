"""Review of flashcards: mounted here, drawn by `components/homeroom_live`, answered by `api/live/study_review.py`."""

from services.i18n import gettext
from ui.browser_component import live_component
from ui.streamlit_compat import chunk_addresses
from ui.study.study_views import StudyView, show_view

REVIEW_PANEL = "study-review-panel"


def draw_review(course_key: str = "") -> None:
    """Draw the review of a course's cards, or of all; its close button leads to what there is to do now."""
    live_component()(
        key=REVIEW_PANEL,
        data={"part": "review", "course": course_key, "words": _words(), "chunks": chunk_addresses()},
        on_close_change=_close,
    )


def _close() -> None:
    show_view(StudyView.TODAY)


def _words() -> dict[str, str]:
    return {
        "review": gettext("Review"),
        "front": gettext("Front"),
        "back": gettext("Back"),
        "show": gettext("Show answer"),
        "key_space": gettext("Space"),
        "how_well": gettext("How well did you know it?"),
        "rating_1": gettext("Again"),
        "rating_2": gettext("Hard"),
        "rating_3": gettext("Good"),
        "rating_4": gettext("Easy"),
        "progress": gettext("{at} of {total} · about {minutes} min", at="{at}", total="{total}", minutes="{minutes}"),
        "progress_again": gettext(
            "{done} done · {left} to go, {again} of them once more · about {minutes} min",
            done="{done}",
            left="{left}",
            again="{again}",
            minutes="{minutes}",
        ),
        "undo": gettext("Undo"),
        "undone": gettext("Taken back."),
        "edit": gettext("Edit"),
        "save": gettext("Save"),
        "cancel": gettext("Cancel"),
        "not_for_exam": gettext("Not for this exam"),
        "is_not_for_exam": gettext("This card now comes when it is due, whatever the day of the exam."),
        "is_for_exam": gettext("This card is for the exam again."),
        "suspend": gettext("Set aside"),
        "suspended": gettext("Set aside. You find it among your cards, and can bring it back there."),
        "open_page": gettext("Open the page"),
        "done": gettext("Done for now"),
        "nothing": gettext("Nothing to review now"),
        "more": gettext("Go on with more"),
        "close": gettext("Finish"),
        "retry": gettext("Try again"),
        "offline": gettext("Homeroom cannot be reached right now."),
        "kept": gettext("Homeroom cannot be reached. Go on: your ratings are kept here and sent later."),
        "signed_out": gettext("You are signed out. Your ratings are kept here; sign in again to send them."),
    }
