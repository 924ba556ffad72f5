"""Form of a card, by hand or as it stands, with a look at both sides as they will be drawn."""

import base64
from collections.abc import Sequence

import streamlit as st

from services.errors import HomeroomError
from services.files.upload import extension
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.materials.results import CourseStatus
from services.study.flashcard import Flashcard, FlashcardPicture
from services.study.review.deck import LONGEST_SIDE, LONGEST_TOPIC
from ui import session
from ui.error_boundary import show_error
from ui.file_field import draw_file_field
from ui.flash_message import flash
from ui.materials.course_picker import course_label
from ui.study.card_text import draw_side
from ui.study.open_dialog import close_dialog, field_key

DIALOG = "card"
FRONT, BACK = gettext_noop("On the front"), gettext_noop("On the back")
TYPES = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}
LARGEST_MB = 1
SIDE_HEIGHT = 110


def draw_card_dialog(student: Student, card_id: str, courses: Sequence[CourseStatus], course_key: str) -> None:
    """Draw the form. card_id: "" for a new one. course_key: the course that a new one begins with."""
    deck = session.services().study.cards
    try:
        card = deck.card(student, card_id) if card_id else None
        pictures = deck.pictures(student, card_id) if card else ()
    except HomeroomError as error:
        show_error(error)
        return
    front = _side(gettext("Front"), card.front if card else "", "card-front", gettext("What you are asked"))
    back = _side(gettext("Back"), card.back if card else "", "card-back", gettext("What you want to remember"))
    if card is None:
        front, back, pictures = _with_picture(front, back)
    topic = st.text_input(
        gettext("Topic"), card.topic if card else "", max_chars=LONGEST_TOPIC, key=field_key("card-topic")
    )
    course = _course(courses, card.course_key if card else course_key)
    if front.strip() or back.strip():
        with st.container(border=True, key="card-preview", gap="xsmall"):
            draw_side(front, pictures)
            st.divider()
            draw_side(back, pictures)
    if st.button(gettext("Save the card"), type="primary", width="stretch", key="card-save"):
        _save(student, card, {"front": front, "back": back, "topic": topic, "course_key": course}, pictures)


def _side(label: str, text: str, key: str, placeholder: str) -> str:
    return st.text_area(
        label, text, max_chars=LONGEST_SIDE, height=SIDE_HEIGHT, placeholder=placeholder, key=field_key(key)
    )


def _course(courses: Sequence[CourseStatus], wanted: str) -> str:
    """Course of the card; one that is not listed any more stays where it is."""
    by_key = {status.course.key: status for status in courses}
    keys = list(dict.fromkeys(["", *by_key, wanted]))
    if len(keys) == 1:
        return ""
    return str(
        st.selectbox(
            gettext("Course"),
            keys,
            index=keys.index(wanted),
            format_func=lambda key: _course_name(by_key.get(key), key),
            key=field_key("card-course"),
        )
    )


def _course_name(status: CourseStatus | None, key: str) -> str:
    if status is not None:
        return course_label(status)
    return gettext("A course that is not listed now") if key else gettext("No course")


def _with_picture(front: str, back: str) -> tuple[str, str, tuple[FlashcardPicture, ...]]:
    """The sides of a new card with a picture that is chosen for one of them."""
    with st.expander(gettext("Add a picture"), key=field_key("card-picture-fold")):
        file = draw_file_field(gettext("Picture"), types=[*TYPES], largest_mb=LARGEST_MB, key=field_key("card-picture"))
        side = st.segmented_control(
            gettext("Where it stands"),
            [FRONT, BACK],
            format_func=gettext,
            default=FRONT,
            required=True,
            key=field_key("card-picture-side"),
        )
    if file is None:
        return front, back, ()
    ending = extension(file[1].name)
    picture = FlashcardPicture(
        name=f"picture.{ending}",
        media_type=TYPES.get(ending, "image/png"),
        data=base64.b64encode(file[1].content).decode(),
    )
    mark = f"\n\n![]({picture.name})"
    return (front + mark, back, (picture,)) if side == FRONT else (front, back + mark, (picture,))


def _save(
    student: Student, card: Flashcard | None, changes: dict[str, str], pictures: Sequence[FlashcardPicture]
) -> None:
    deck = session.services().study.cards
    try:
        if card is None:
            deck.add(student, [deck.new_card(**changes, pictures=tuple(pictures))])
            flash(gettext("The card is added, and comes with your next review."))
        else:
            deck.edit(student, card.id, **changes)
    except HomeroomError as error:
        show_error(error)
        return
    close_dialog()
    st.rerun()
