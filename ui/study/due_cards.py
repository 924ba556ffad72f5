"""What is due to review today and how long it takes, with the one button that begins it."""

import streamlit as st

from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.study.review.review_results import ReviewQueue
from ui import session
from ui.local_time import days_until
from ui.study.study_views import open_review


def draw_due(student: Student, course_key: str) -> None:
    """Draw today's portion of a course, or of all."""
    services = session.services()
    queue = services.study.reviews.queue(student, course_key, limit=0)
    now = services.clock()
    with st.container(key="study-now", gap="small"):
        if count := queue.due + queue.new:
            st.button(
                ngettext(
                    "Review {n} card · about {minutes} min",
                    "Review {n} cards · about {minutes} min",
                    count,
                    minutes=formats.number(max(1, queue.minutes)),
                ),
                icon=":material/play_arrow:",
                type="primary",
                width="stretch",
                key="study-review",
                on_click=open_review,
            )
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


def _facts(queue: ReviewQueue) -> str:
    facts = []
    if queue.new and queue.due:
        facts.append(ngettext("{n} of them is new", "{n} of them are new", queue.new))
    if queue.done:
        facts.append(ngettext("{n} done today", "{n} done today", queue.done))
    if queue.later:
        facts.append(ngettext("{n} more comes on another day", "{n} more come on other days", queue.later))
    return " · ".join(facts)
