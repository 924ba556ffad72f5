"""Practice on Today: cards to review, sessions that are planned for today, and those that did not happen."""

import streamlit as st

from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.navigation import STUDY_PAGE
from services.safety.text import literal
from services.study.exam import SessionKind, session_title
from services.study.exam_plans.exam_plans import SessionOfExam
from services.week.today import Today
from ui.local_time import as_heading, clock_time

MOST_SESSIONS = 4
REVIEW, EXAMS = {"review": "1"}, {"view": "exams"}


def draw_practice(student: Student, today: Today) -> None:
    """Draw what is to be practised today; nothing where there is none."""
    if today.study.is_empty:
        return
    with st.container(key="today-practice", gap="xsmall"):
        heading = as_heading(gettext("Practice"))
        st.markdown(f"## {heading}")
        if today.study.due:
            _draw_cards(today)
        for planned in today.study.sessions[:MOST_SESSIONS]:
            _draw_session(student, planned)
        if today.study.missed:
            _draw_missed(len(today.study.missed))


def _draw_cards(today: Today) -> None:
    minutes = formats.number(max(1, today.study.minutes))
    cards = ngettext("{n} card to review", "{n} cards to review", today.study.due)
    length = gettext("about {n} min", n=minutes)
    _row("cards", f"**{cards}**  \n:small[:gray[{length}]]", gettext("Review"), REVIEW)


def _draw_session(student: Student, planned: SessionOfExam) -> None:
    session = planned.session
    facts = (
        clock_time(session.start, student),
        gettext("{n} minutes", n=session.minutes),
        gettext("for {exam}", exam=literal(planned.exam.title)),
    )
    title = literal(session_title(session, planned.exam))
    opens = REVIEW if session.kind is SessionKind.REVIEW else EXAMS
    _row(f"session-{session.id}", f"**{title}**  \n:small[:gray[{' · '.join(facts)}]]", gettext("Start"), opens)


def _draw_missed(count: int) -> None:
    words = ngettext("One planned session did not happen.", "{n} planned sessions did not happen.", count)
    _row("missed", f":gray[{words}]", gettext("Find a new time"), EXAMS)


def _row(key: str, words: str, action: str, query: dict[str, str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"today-row-{key}"):
        st.markdown(words, width="stretch")
        st.page_link(STUDY_PAGE.script, label=action, query_params=query)
