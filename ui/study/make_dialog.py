"""Dialog that makes a quiz, a mock exam or cards: from what, how many, and what it takes, told before it begins."""

import secrets
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from services.errors import ApprovalRequired, HomeroomError
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.materials.results import CourseStatus
from services.study.quiz import GenerationEstimate, QuizRequest
from ui import session
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.insights.insight_labels import money_label
from ui.study.make_options import CARDS, MOCK, MakeOptions, draw_options, draw_shape
from ui.study.make_sources import MakeSources, Wish, draw_sources, with_upload
from ui.study.open_dialog import close_dialog, field_key, open_dialog
from ui.study.quiz_list import watch_progress
from ui.study.study_views import COURSE, StudyView, show_view

DIALOG = "make"
MATERIAL, PAGE, SHAPE = "practise", "page", "make"
"""Parameters of an address that opens the dialog: what to practise, its page, and what to make."""
QUESTIONS_A_MINUTE = 20


def open_wished_dialog() -> None:
    """Open the dialog for an address that asks for it, such as that of a page in the reader, and clean the address."""
    params = st.query_params
    if MATERIAL not in params and SHAPE not in params:
        return
    page = params.pop(PAGE, "") if PAGE in params else ""
    wish = Wish(
        shape=str(params.pop(SHAPE) if SHAPE in params else ""),
        course_key=str(params.get(COURSE, "")),
        material_id=str(params.pop(MATERIAL) if MATERIAL in params else ""),
        page=int(page) if page.isdecimal() and len(page) < 6 else 0,
    )
    open_dialog(DIALOG, wish)


def draw_make_dialog(student: Student, wish: Wish, courses: Sequence[CourseStatus]) -> None:
    """Draw the dialog."""
    wish = _with_course(student, wish)
    shape = draw_shape(wish.shape)
    sources = draw_sources(student, courses, wish)
    options = draw_options(student, shape)
    estimate = None if sources.missing or sources.upload else _estimate(student, _request(sources, options))
    is_agreed = True
    if estimate is not None:
        st.caption(_estimate_words(estimate, options))
        if estimate.is_large:
            st.info(
                gettext(
                    "This is a large one: making it costs {cost}. Fewer pages or fewer questions cost less.",
                    cost=money_label(estimate.cost_usd),
                ),
                icon=":material/payments:",
            )
            is_agreed = st.checkbox(gettext("Make it all the same"), key=field_key("make-large"))
    elif sources.missing:
        st.caption(sources.missing)
    can_make = not sources.missing and is_agreed and (estimate is not None or sources.upload is not None)
    if st.button(
        _make_words(shape, options.count), type="primary", width="stretch", disabled=not can_make, key="make-go"
    ):
        _make(student, sources, options, is_agreed=estimate is not None and estimate.is_large)


def _with_course(student: Student, wish: Wish) -> Wish:
    """The wish with the course of its material, which a link to it leaves out."""
    if not wish.material_id or wish.course_key:
        return wish
    try:
        material = session.services().materials.material(student, wish.material_id)
    except HomeroomError as error:
        show_error(error)
        return replace(wish, material_id="")
    return replace(wish, course_key=material.course_key)


def _estimate(student: Student, request: QuizRequest) -> GenerationEstimate | None:
    """What the making takes, asked once for each request: sources may have to be read in for it."""
    kept: dict[QuizRequest, GenerationEstimate] = st.session_state.setdefault(field_key("make-estimates"), {})
    if request not in kept:
        try:
            with st.spinner(gettext("Reading it …")):
                kept[request] = session.services().study.quizzes.estimate(student, request)
        except HomeroomError as error:
            show_error(error)
            return None
    return kept[request]


def _request(sources: MakeSources, options: MakeOptions) -> QuizRequest:
    return QuizRequest(
        product=options.product,
        course_key=sources.course_key,
        topic=sources.topic,
        sources=sources.chosen,
        count=options.count,
        kinds=options.kinds,
        difficulty=options.difficulty,
        locale=options.locale,
        minutes=options.minutes,
    )


def _make(student: Student, sources: MakeSources, options: MakeOptions, *, is_agreed: bool) -> None:
    """is_agreed: a large one was told as such, and is wanted all the same."""
    key = str(st.session_state.setdefault(field_key("make-key"), secrets.token_hex(12)))
    quizzes = session.services().study.quizzes
    try:
        with st.spinner(gettext("Reading it …")):
            request = _request(with_upload(student, sources), options)
            made = quizzes.make(student, request, key=key, is_agreed=is_agreed)
    except ApprovalRequired:
        _begin_again(sources, request)
        return
    except HomeroomError as error:
        show_error(error)
        return
    close_dialog()
    show_view(StudyView.CARDS if options.product == "cards" else StudyView.QUIZZES)
    watch_progress(made.id)
    if made.trouble:
        flash(made.trouble)
    elif options.product == "cards":
        flash(gettext("Your cards are being written. Look them over when they are ready."))
    else:
        flash(gettext("Your questions are being written. You can go on meanwhile."))
    st.rerun()


def _begin_again(sources: MakeSources, request: QuizRequest) -> None:
    """Ask with what it takes now: of a file, which is read in by now, it was not known before."""
    if sources.upload:
        shape = CARDS if request.product == "cards" else MOCK if request.minutes else ""
        open_dialog(DIALOG, Wish(shape=shape, course_key=request.course_key, material_id=request.sources[0].id))
    st.session_state.pop(field_key("make-estimates"), None)
    st.rerun()


def _make_words(shape: str, count: int) -> str:
    if shape == CARDS:
        return ngettext("Make {n} card", "Make {n} cards", count)
    return ngettext("Make {n} question", "Make {n} questions", count)


def _estimate_words(estimate: GenerationEstimate, options: MakeOptions) -> str:
    minutes = max(1, round(options.count / QUESTIONS_A_MINUTE))
    time = ngettext("about a minute", "about {n} minutes", minutes)
    return gettext("Takes {time} and {cost}.", time=time, cost=money_label(estimate.cost_usd))
