"""Address of the Study page: which view, course, quiz or review it shows."""

from enum import StrEnum

import streamlit as st

from services.i18n import gettext, gettext_noop

VIEW, COURSE, QUIZ, REVIEW = "view", "course", "quiz", "review"
CONTROL = "study-view"
ATTEMPT = "study-attempt"


class StudyView(StrEnum):
    """Part of the page. What is open in it, such as a quiz that is being taken, stands before all of them."""

    TODAY = "today"
    QUIZZES = "quizzes"
    CARDS = "cards"
    EXAMS = "exams"


VIEW_LABELS = {
    StudyView.TODAY: gettext_noop("Now"),
    StudyView.QUIZZES: gettext_noop("Quizzes"),
    StudyView.CARDS: gettext_noop("Cards"),
    StudyView.EXAMS: gettext_noop("Exams"),
}


def choose_view() -> StudyView:
    """Draw the choice of the view; returns it."""
    view = current_view()
    st.segmented_control(
        gettext("Show"),
        list(StudyView),
        format_func=lambda view: gettext(VIEW_LABELS[view]),
        default=view,
        required=True,
        key=f"{CONTROL}-{view}",
        on_change=_keep_view,
        args=(f"{CONTROL}-{view}",),
        label_visibility="collapsed",
        width="stretch",
    )
    return view


def draw_heading() -> None:
    st.title(gettext("Study"))
    st.caption(gettext("Practice from what you read, each question with its page."))


def draw_back(heading: str = "") -> None:
    """Way back from what is open to the view that it was opened from. heading: of what is open."""
    st.button(
        gettext("Back to Study"),
        icon=":material/chevron_left:",
        type="tertiary",
        key="study-back",
        on_click=leave,
    )
    if heading:
        with st.container(key="study-open"):
            st.title(heading)


def current_view() -> StudyView:
    """The view that the address names."""
    wanted = st.query_params.get(VIEW, "")
    return StudyView(wanted) if wanted in set(StudyView) else StudyView.TODAY


def opened_quiz() -> str:
    """Id of the quiz that is open; "" for none."""
    return str(st.query_params.get(QUIZ, ""))


def is_reviewing() -> bool:
    return REVIEW in st.query_params


def open_quiz(quiz_id: str) -> None:
    """Show this quiz with the next run."""
    leave()
    st.query_params[QUIZ] = quiz_id


def open_review() -> None:
    """Show the review with the next run."""
    leave()
    st.query_params[REVIEW] = "1"


def show_view(view: StudyView) -> None:
    """Show this view with the next run."""
    leave()
    if view is StudyView.TODAY:
        st.query_params.pop(VIEW, None)
    else:
        st.query_params[VIEW] = view


def _keep_view(widget: str) -> None:
    show_view(st.session_state[widget])


def leave() -> None:
    """Close what is open."""
    # What is practised meanwhile changes what one knows.
    st.session_state.pop("study-topics", None)
    for name in (QUIZ, REVIEW):
        st.query_params.pop(name, None)
