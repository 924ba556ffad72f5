"""Content of the views of the Study page."""

from collections.abc import Mapping

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.navigation import CONNECTIONS_PAGE
from services.study.flashcard import FlashcardState
from ui import session
from ui.materials.course_picker import course_label
from ui.materials.materials_state import MaterialsState
from ui.study.card_dialog import DIALOG as CARD_DIALOG
from ui.study.card_import import draw_exchange
from ui.study.card_list import draw_cards
from ui.study.due_cards import draw_due, draw_due_button, draw_review_settings
from ui.study.exam_list import draw_exams
from ui.study.learner_notes import draw_learner_notes
from ui.study.make_dialog import DIALOG as MAKE_DIALOG
from ui.study.make_options import CARDS, MOCK, QUIZ
from ui.study.make_sources import Wish
from ui.study.open_dialog import open_dialog
from ui.study.quiz_list import SHOWN, draw_progress_of, draw_quizzes, shown_quizzes
from ui.study.study_views import StudyView
from ui.study.topic_bars import draw_topics, known_topics

SHOWN_NOW = 3
"""Quizzes of the first view."""


def draw_view(view: StudyView, student: Student, state: MaterialsState, course_key: str) -> None:
    """Draw a view of a course, or of all."""
    match view:
        case StudyView.QUIZZES:
            draw_quizzes_view(student, state, course_key)
        case StudyView.CARDS:
            draw_cards_view(student, state, course_key)
        case StudyView.EXAMS:
            draw_exams(student, state.courses, course_key)
        case _:
            draw_now_view(student, state, course_key)


def draw_now_view(student: Student, state: MaterialsState, course_key: str) -> None:
    """What is due, the latest quizzes, topics, and what one can set."""
    study = session.services().study
    has_quizzes = bool(study.quizzes.latest(student, course_key, limit=1))
    has_cards = bool(study.cards.count(student, course_key or None))
    if not has_quizzes and not has_cards:
        _draw_beginning(state, course_key)
    else:
        draw_due(student, course_key)
        with st.container(horizontal=True, key="study-make"):
            _draw_make_button(QUIZ, course_key)
            _draw_make_button(CARDS, course_key)
    if taken := study.quizzes.latest(student, course_key, product="quiz", limit=SHOWN_NOW):
        with st.container(key="study-quizzes", gap="small"):
            heading = gettext("Latest quizzes")
            st.markdown(f"## {heading}")
            draw_quizzes(student, taken, _names(state, course_key))
    _draw_known(student, state, course_key)
    draw_learner_notes(student, course_key)
    if has_cards:
        draw_review_settings(student)


def _draw_known(student: Student, state: MaterialsState, course_key: str) -> None:
    """Topics of the course, or with all of them the course that has the most to do."""
    topics = [topic for topic in known_topics(student, course_key) if topic.topic]
    if topics:
        with st.container(key="study-topics", gap="small"):
            heading = gettext("What you know so far")
            st.markdown(f"## {heading}")
            draw_topics(student, topics)


def draw_quizzes_view(student: Student, state: MaterialsState, course_key: str) -> None:
    """All quizzes."""
    quizzes = session.services().study.quizzes.latest(student, course_key, product="quiz", limit=shown_quizzes() + 1)
    with st.container(horizontal=True, key="study-make"):
        _draw_make_button(QUIZ, course_key)
        _draw_make_button(MOCK, course_key)
    if not quizzes:
        st.caption(
            gettext("No quizzes yet. Make one from a reading, a whole module, a topic, a chat or a text of your own.")
        )
    draw_quizzes(student, quizzes, _names(state, course_key))


def draw_cards_view(student: Student, state: MaterialsState, course_key: str) -> None:
    """All cards, those that are being written, and the way into the review as soon as none wait to be looked over."""
    if not session.services().study.cards.count(student, course_key or None, state=FlashcardState.DRAFT):
        draw_due_button(student, course_key)
    with st.container(horizontal=True, key="study-make"):
        _draw_make_button(CARDS, course_key)
        st.button(
            gettext("Write a card"), icon=":material/edit:", key="card-new", on_click=open_dialog, args=(CARD_DIALOG,)
        )
    makings = session.services().study.quizzes.latest(student, course_key, product="cards", limit=SHOWN)
    draw_progress_of(student, makings)
    has_cards = draw_cards(student, course_key, _names(state, course_key))
    draw_exchange(student, course_key, has_cards=has_cards)


def _names(state: MaterialsState, course_key: str) -> Mapping[str, str]:
    """Names of the courses, where more than one is shown."""
    return {} if course_key else {status.course.key: course_label(status) for status in state.courses}


MAKE_LABELS = {
    QUIZ: (lambda: gettext("Make a quiz"), ":material/quiz:"),
    MOCK: (lambda: gettext("Make a mock exam"), ":material/timer:"),
    CARDS: (lambda: gettext("Make cards"), ":material/style:"),
}


def _draw_make_button(shape: str, course_key: str) -> None:
    label, icon = MAKE_LABELS[shape]
    st.button(
        label(),
        icon=icon,
        key=f"study-make-{shape}",
        on_click=open_dialog,
        args=(MAKE_DIALOG, Wish(shape=shape, course_key=course_key)),
    )


def _draw_beginning(state: MaterialsState, course_key: str) -> None:
    """First step of somebody who has practised nothing yet."""
    with st.container(border=True, key="study-empty", gap="small"):
        st.markdown(gettext("**Nothing to practise yet**"))
        if state.courses:
            st.write(
                gettext(
                    "Choose something you have read: Homeroom asks you about it, shows the page of each answer, and "
                    "brings back what you did not know."
                )
            )
        else:
            st.write(
                gettext(
                    "Paste your notes or add a file, and Homeroom asks you about it and shows the place of each "
                    "answer. With Canvas connected it practises from the readings of your courses."
                )
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            _draw_make_button(QUIZ, course_key)
            _draw_make_button(CARDS, course_key)
            if not state.courses and not state.is_looking:
                st.page_link(CONNECTIONS_PAGE.script, label=gettext("Connect an account"), icon=":material/cable:")
