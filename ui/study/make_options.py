"""Options of a making: what it is to be, how many, of which kinds, how hard, in which language, with a clock."""

from dataclasses import dataclass

import streamlit as st

from services.i18n import LANGUAGES, gettext, gettext_noop, negotiate_locale
from services.identity.students import Student
from services.study.question import Difficulty, QuestionKind
from services.study.quiz import MOST_QUESTIONS, Product
from ui.study.open_dialog import field_key

QUIZ, MOCK, CARDS = "quiz", "mock", "cards"
SHAPES = {QUIZ: gettext_noop("Quiz"), MOCK: gettext_noop("Mock exam"), CARDS: gettext_noop("Cards")}
COUNTS = (5, 8, 12, 20, 30, MOST_QUESTIONS)
USUAL_COUNTS = {QUIZ: 8, MOCK: 20, CARDS: 12}
USUAL_MINUTES, SHORTEST_MINUTES, LONGEST_MINUTES = 30, 5, 180
DIFFICULTIES: dict[Difficulty, str] = {
    "easy": gettext_noop("Easy"),
    "medium": gettext_noop("Medium"),
    "hard": gettext_noop("Hard"),
}
KIND_LABELS = {
    QuestionKind.SINGLE_CHOICE: gettext_noop("One right choice"),
    QuestionKind.MULTIPLE_CHOICE: gettext_noop("Several right choices"),
    QuestionKind.TRUE_FALSE: gettext_noop("True or false"),
    QuestionKind.CLOZE: gettext_noop("Fill the gap"),
    QuestionKind.SHORT_ANSWER: gettext_noop("Short answer"),
    QuestionKind.ORDERING: gettext_noop("Put in order"),
}


@dataclass(frozen=True, kw_only=True)
class MakeOptions:
    """What was chosen, in the words of a `QuizRequest`."""

    product: Product
    count: int
    kinds: tuple[QuestionKind, ...]
    difficulty: Difficulty
    locale: str
    minutes: int


def draw_shape(wanted: str) -> str:
    """Draw the choice of what is made; returns one of `SHAPES`. wanted: to begin with."""
    return str(
        st.segmented_control(
            gettext("Make"),
            list(SHAPES),
            format_func=lambda shape: gettext(SHAPES[shape]),
            default=wanted if wanted in SHAPES else QUIZ,
            required=True,
            key=field_key("make-shape"),
            label_visibility="collapsed",
            width="stretch",
        )
    )


def draw_options(student: Student, shape: str) -> MakeOptions:
    """Draw number and clock, and the rest folded: most need none of it."""
    left, right = st.columns(2)
    count = left.selectbox(
        gettext("How many cards") if shape == CARDS else gettext("How many questions"),
        COUNTS,
        index=COUNTS.index(USUAL_COUNTS[shape]),
        key=field_key(f"make-count-{shape}"),
    )
    difficulty = right.selectbox(
        gettext("How hard"),
        list(DIFFICULTIES),
        index=1,
        format_func=lambda level: gettext(DIFFICULTIES[level]),
        key=field_key("make-difficulty"),
    )
    minutes = 0
    if shape == MOCK:
        minutes = st.number_input(
            gettext("Minutes on the clock"),
            SHORTEST_MINUTES,
            LONGEST_MINUTES,
            USUAL_MINUTES,
            step=5,
            key=field_key("make-minutes"),
        )
    with st.expander(gettext("Kinds of questions and language"), key=field_key("make-more")):
        kinds = [] if shape == CARDS else _choose_kinds()
        languages = list(LANGUAGES)
        language = st.selectbox(
            gettext("Language of the cards") if shape == CARDS else gettext("Language of the questions"),
            languages,
            index=languages.index(student.language),
            format_func=LANGUAGES.__getitem__,
            key=field_key("make-language"),
        )
    return MakeOptions(
        product="cards" if shape == CARDS else "quiz",
        count=count,
        kinds=tuple(kinds),
        difficulty=difficulty,
        locale=negotiate_locale(student.locale, language=language),
        minutes=int(minutes),
    )


def _choose_kinds() -> list[QuestionKind]:
    chosen: list[QuestionKind] = st.pills(
        gettext("Kinds of questions"),
        list(KIND_LABELS),
        selection_mode="multi",
        format_func=lambda kind: gettext(KIND_LABELS[kind]),
        key=field_key("make-kinds"),
        help=gettext("Choose none for a mixture."),
    )
    return chosen
