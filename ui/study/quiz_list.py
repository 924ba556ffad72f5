"""Quizzes as a list: how far each is written, the last result, and what to do with it."""

from collections.abc import Mapping, Sequence

import streamlit as st

from services.errors import HomeroomError, ItemNotFound
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from services.study.assessment.progress import missed_ids, result_of
from services.study.attempt import Attempt
from services.study.quiz import ACTIVE, Quiz, QuizState
from ui import session
from ui.error_boundary import error_boundary, show_error
from ui.flash_message import drop_flash, flash, keep_flash
from ui.local_time import local_day
from ui.session_guard import guarded_callback
from ui.study.open_dialog import close_dialog, field_key, open_dialog
from ui.study.quiz_panel import draw_quiz
from ui.study.study_views import leave, open_quiz

RENAME_DIALOG = "rename-quiz"
RENAME, RETRY, DELETE = gettext_noop("Rename"), gettext_noop("Try again"), gettext_noop("Delete")
ICONS = {RENAME: ":material/edit:", RETRY: ":material/refresh:", DELETE: ":material/delete:"}
STUCK = (QuizState.PARTIAL, QuizState.FAILED, QuizState.CANCELLED)
LOOK_EVERY_S = 2.0
SHOWN, MORE = 10, "study-quizzes-shown"
LONGEST_TITLE = 120
UNFINISHED = "study-unfinished"
"""Ids of those that were being written when they were drawn last."""


def draw_quizzes(student: Student, quizzes: Sequence[Quiz], courses: Mapping[str, str]) -> None:
    """Draw the quizzes, the newest first; of many the first ones. courses: names by key."""
    shown = shown_quizzes()
    for quiz in quizzes[:shown]:
        with st.container(key=f"quiz-row-{quiz.id}", gap="xsmall"):
            _draw_quiz(student, quiz, courses)
    if len(quizzes) > shown:
        st.button(gettext("Show older ones"), icon=":material/expand_more:", key="quizzes-more", on_click=_show_more)


def shown_quizzes() -> int:
    """How many quizzes a list shows now."""
    return int(st.session_state.get(MORE, SHOWN))


def draw_progress_of(student: Student, makings: Sequence[Quiz]) -> None:
    """Draw cards that are being written, and those whose writing ended early; the newest first."""
    for quiz in makings[:SHOWN]:
        if quiz.state not in (*ACTIVE, *STUCK):
            continue
        with st.container(key=f"quiz-row-{quiz.id}", gap="xsmall"):
            st.markdown(f"**{literal(quiz_title(quiz))}**")
            if quiz.state in ACTIVE:
                watch_progress(quiz.id)
                _draw_progress(student, quiz.id)
            elif quiz.trouble:
                st.caption(f":material/info: {literal(quiz.trouble)}")
            with st.container(horizontal=True, gap="small", key=f"quiz-actions-{quiz.id}"):
                _draw_stop(student, quiz)
                _draw_menu(student, quiz)


def _show_more() -> None:
    st.session_state[MORE] = shown_quizzes() + 2 * SHOWN


def _draw_quiz(student: Student, quiz: Quiz, courses: Mapping[str, str]) -> None:
    is_ready = bool(quiz.question_ids) and quiz.state not in ACTIVE
    attempts = session.services().study.attempts.all(student, quiz.id) if is_ready else []
    st.markdown(f"**{literal(quiz_title(quiz))}**")
    st.caption(literal(" · ".join(_facts(student, quiz, courses, attempts))))
    if quiz.state in ACTIVE:
        watch_progress(quiz.id)
        _draw_progress(student, quiz.id)
    elif quiz.trouble:
        st.caption(f":material/info: {literal(quiz.trouble)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"quiz-actions-{quiz.id}"):
        if is_ready:
            _draw_ways_in(student, quiz, attempts)
        _draw_stop(student, quiz)
        _draw_menu(student, quiz)


def _draw_stop(student: Student, quiz: Quiz) -> None:
    if quiz.state in ACTIVE:
        st.button(
            gettext("Stop writing"),
            icon=":material/stop_circle:",
            type="tertiary",
            key=f"quiz-stop-{quiz.id}",
            on_click=_cancel,
            args=(student, quiz.id),
        )


def _draw_ways_in(student: Student, quiz: Quiz, attempts: Sequence[Attempt]) -> None:
    running = next((attempt for attempt in attempts if attempt.finished_at is None), None)
    label = gettext("Go on") if running else gettext("Take it again") if attempts else gettext("Begin")
    st.button(
        label,
        icon=":material/play_arrow:",
        type="secondary" if attempts and not running else "primary",
        key=f"quiz-open-{quiz.id}",
        on_click=open_quiz,
        args=(quiz.id,),
    )
    missed = len(missed_ids(attempts))
    if missed and not running:
        st.button(
            ngettext("Practise the {n} you missed", "Practise the {n} you missed", missed),
            icon=":material/replay:",
            key=f"quiz-missed-{quiz.id}",
            on_click=_practise_missed,
            args=(student, quiz.id),
        )


@guarded_callback
def _practise_missed(student: Student, quiz_id: str) -> None:
    session.services().study.attempts.start(student, quiz_id, only_wrong=True)
    open_quiz(quiz_id)


def _draw_menu(student: Student, quiz: Quiz) -> None:
    key = f"quiz-menu-{quiz.id}"
    st.menu_button(
        gettext("More about {title}", title=literal(quiz_title(quiz)[:60])),
        [RENAME, RETRY, DELETE] if quiz.state in STUCK else [RENAME, DELETE],
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        format_func=lambda choice: f"{ICONS[choice]} {gettext(choice)}",
        on_click=_run_choice,
        args=(student, quiz.id, key),
    )


@guarded_callback
def _run_choice(student: Student, quiz_id: str, key: str) -> None:
    quizzes = session.services().study.quizzes
    match st.session_state[key]:
        case "Rename":
            open_dialog(RENAME_DIALOG, quiz_id)
        case "Try again":
            quizzes.retry(student, quiz_id)
        case "Delete":
            quizzes.delete(student, quiz_id)
            flash(gettext("The quiz is deleted. Cards that you kept from it stay."))


@guarded_callback
def _cancel(student: Student, quiz_id: str) -> None:
    session.services().study.quizzes.cancel(student, quiz_id)


def watch_progress(quiz_id: str) -> None:
    """Have `flash_finished` tell when it is written."""
    st.session_state.setdefault(UNFINISHED, set()).add(quiz_id)


def flash_finished(student: Student) -> None:
    """Flash what is written by now, in place of what said that it is being written."""
    unfinished: set[str] = st.session_state.get(UNFINISHED, set())
    for quiz_id in sorted(unfinished):
        try:
            quiz = session.services().study.quizzes.quiz(student, quiz_id)
        except ItemNotFound:
            quiz = None
        if quiz is not None and quiz.state in ACTIVE:
            continue
        unfinished.discard(quiz_id)
        if quiz is None or not quiz.question_ids or quiz.state is QuizState.CANCELLED:
            drop_flash()
        else:
            flash(_finished_words(quiz))


def _finished_words(quiz: Quiz) -> str:
    count = len(quiz.question_ids)
    if quiz.request.product == "cards":
        return ngettext(
            "{n} card is ready. Look it over, then it can be reviewed.",
            "{n} cards are ready. Look them over, then they can be reviewed.",
            count,
        )
    return ngettext("{n} question is ready.", "{n} questions are ready.", count)


@st.fragment(run_every=LOOK_EVERY_S)
def _draw_progress(student: Student, quiz_id: str) -> None:
    """Draw how far a quiz is written. At its end the page runs once more."""
    with error_boundary():
        session.require_signed_in(student)
        quiz = session.services().study.quizzes.quiz(student, quiz_id)
        if quiz.state not in ACTIVE:
            keep_flash()
            st.rerun()
        count, wanted = len(quiz.question_ids), quiz.request.count
        words = gettext("Writing: {done} of {all}", done=formats.number(count), all=formats.number(wanted))
        if quiz.trouble:
            words = f":material/cloud_off: {literal(quiz.trouble)}"
        elif not count:
            words = gettext("Reading it, then writing …")
        st.progress(min(count / wanted, 1.0), text=words)


def quiz_title(quiz: Quiz) -> str:
    """Its name: the student's, else what it is about."""
    request = quiz.request
    named = request.title or request.topic or next((choice.title for choice in request.sources if choice.title), "")
    return one_line(named, LONGEST_TITLE) or gettext("Quiz")


def _facts(student: Student, quiz: Quiz, courses: Mapping[str, str], attempts: Sequence[Attempt]) -> list[str]:
    count = len(quiz.question_ids)
    facts = [courses.get(quiz.request.course_key, "")]
    if quiz.is_exam:
        facts.append(gettext("mock exam, {n} minutes", n=formats.number(quiz.request.minutes)))
    if quiz.state not in ACTIVE and count:
        is_cards = quiz.request.product == "cards"
        facts.append(
            ngettext("{n} card", "{n} cards", count) if is_cards else ngettext("{n} question", "{n} questions", count)
        )
    if ended := [attempt for attempt in attempts if attempt.finished_at is not None]:
        result = result_of(ended[-1], {})
        right = formats.number(round(result.score, 1))
        facts.append(gettext("last time {right} of {all}", right=right, all=formats.number(result.count)))
    facts.append(local_day(quiz.made_at, student))
    return [fact for fact in facts if fact]


def draw_open_quiz(student: Student, quiz_id: str) -> None:
    """Draw a quiz to take; of one that is gone the reason."""
    try:
        quiz = session.services().study.quizzes.quiz(student, quiz_id)
    except HomeroomError as error:
        show_error(error)
        return
    with st.container(key="study-open"):
        st.title(literal(quiz_title(quiz)))
    draw_quiz(quiz.id, on_close=leave)


def draw_rename_dialog(student: Student, quiz_id: str) -> None:
    """Form with the name of a quiz."""
    quizzes = session.services().study.quizzes
    try:
        quiz = quizzes.quiz(student, quiz_id)
        with st.form(field_key("quiz-rename"), border=False):
            title = st.text_input(
                gettext("Name"), quiz_title(quiz), max_chars=LONGEST_TITLE, key=field_key("quiz-title")
            )
            if not st.form_submit_button(gettext("Save the name"), type="primary", width="stretch"):
                return
        quizzes.rename(student, quiz_id, title)
    except HomeroomError as error:
        show_error(error)
        return
    close_dialog()
    st.rerun()
