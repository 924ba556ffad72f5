"""Preferences of review: how many cards a day."""

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.study.review.review_preferences import MOST_NEW_A_DAY, MOST_REVIEWS_A_DAY
from ui import session
from ui.flash_message import flash
from ui.session_guard import guarded_callback

REVIEWS, NEW = "study-reviews-a-day", "study-new-a-day"


def draw_review_settings(student: Student) -> None:
    """Draw the daily limits, folded; they are saved at once."""
    with st.expander(gettext("Cards a day"), key="study-limits"):
        wanted = session.services().study.reviews.preferences(student)
        st.caption(gettext("What is over it waits for the next days; nothing gets lost."))
        left, right = st.columns(2)
        left.number_input(
            gettext("Reviews a day, at most"),
            0,
            MOST_REVIEWS_A_DAY,
            wanted.reviews_a_day,
            step=10,
            key=f"{REVIEWS}-{wanted.reviews_a_day}",
            on_change=_save,
            args=(student, wanted.reviews_a_day, wanted.new_a_day),
        )
        right.number_input(
            gettext("New cards a day, at most"),
            0,
            MOST_NEW_A_DAY,
            wanted.new_a_day,
            step=5,
            key=f"{NEW}-{wanted.new_a_day}",
            on_change=_save,
            args=(student, wanted.reviews_a_day, wanted.new_a_day),
        )


@guarded_callback
def _save(student: Student, reviews: int, new: int) -> None:
    """Save both. reviews, new: as they were drawn, which the keys of the fields hold."""
    state = st.session_state
    session.services().study.reviews.set_limits(
        student,
        reviews_a_day=int(state.get(f"{REVIEWS}-{reviews}", reviews)),
        new_a_day=int(state.get(f"{NEW}-{new}", new)),
    )
    flash(gettext("Saved."))
