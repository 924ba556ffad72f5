"""What is due to review today, with the one button that begins it, and how many cards a day may hold."""

import streamlit as st

from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.study.review.review_preferences import MOST_NEW_A_DAY, MOST_REVIEWS_A_DAY
from services.study.review.review_results import ReviewQueue
from ui import session
from ui.flash_message import flash
from ui.local_time import days_until
from ui.session_guard import guarded_callback
from ui.study.study_views import open_review

REVIEWS, NEW = "study-reviews-a-day", "study-new-a-day"


def draw_due(student: Student, course_key: str) -> None:
    """Draw today's portion of a course, or of all."""
    services = session.services()
    queue = services.study.reviews.queue(student, course_key, limit=0)
    now = services.clock()
    with st.container(key="study-now", gap="small"):
        if queue.due + queue.new:
            _draw_review_button(queue)
            if facts := _facts(queue):
                st.caption(facts)
        else:
            st.markdown(gettext("**Nothing to review now**"))
            words = gettext("Done for today.") if queue.done else ""
            if queue.next_at is not None:
                when = days_until(queue.next_at, now, student)
                coming = gettext("The next cards come {when}.", when=when)
                words = f"{words} {coming}".strip()
            elif not queue.done:
                words = gettext("Cards that you keep come here when it is time to see them again.")
            st.caption(words)


def draw_due_button(student: Student, course_key: str) -> None:
    """Draw the button that begins today's portion; nothing when there is none."""
    queue = session.services().study.reviews.queue(student, course_key, limit=0)
    if queue.due + queue.new:
        _draw_review_button(queue)


def _draw_review_button(queue: ReviewQueue) -> None:
    st.button(
        ngettext(
            "Review {n} card · about {minutes} min",
            "Review {n} cards · about {minutes} min",
            queue.due + queue.new,
            minutes=formats.number(max(1, queue.minutes)),
        ),
        icon=":material/play_arrow:",
        type="primary",
        width="stretch",
        key="study-review",
        on_click=open_review,
    )


def _facts(queue: ReviewQueue) -> str:
    facts = []
    if queue.new and queue.due:
        facts.append(ngettext("{n} of them is new", "{n} of them are new", queue.new))
    if queue.done:
        facts.append(ngettext("{n} done today", "{n} done today", queue.done))
    if queue.later:
        facts.append(ngettext("{n} more comes on another day", "{n} more come on other days", queue.later))
    return " · ".join(facts)


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
