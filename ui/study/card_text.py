"""Text of a card as Streamlit draws it: sanitised Markdown with formulas, its pictures below, and its facts."""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.safety.markdown.sanitiser import sanitise
from services.safety.text import literal, one_line
from services.study.flashcard import Flashcard, FlashcardPicture, FlashcardState
from ui import session
from ui.local_time import days_until

PICTURE = re.compile(r"!\[[^\]\n]{0,200}\]\(([^()\s]{1,200})\)")
_NOWHERE: frozenset[str] = frozenset()
PICTURE_WIDTH = 240
LONGEST_TOPIC = 60


def side_text(text: str) -> str:
    """Side of a card as safe Markdown, without its pictures."""
    return sanitise(PICTURE.sub("", text).strip(), allowed=_NOWHERE)


def has_pictures(text: str) -> bool:
    return PICTURE.search(text) is not None


def draw_side(text: str, pictures: Sequence[FlashcardPicture]) -> None:
    """Draw a side with its pictures."""
    if shown := side_text(text):
        st.markdown(shown)
    by_name = {picture.name: picture for picture in pictures}
    for name in dict.fromkeys(PICTURE.findall(text)):
        if name in by_name and (content := _content(by_name[name])):
            st.image(content, width=PICTURE_WIDTH, caption=None)
        else:
            st.caption(gettext("A picture that is not here"))


def card_facts(student: Student, card: Flashcard, courses: Mapping[str, str]) -> str:
    """What stands below a card: topic, its page, and when it comes."""
    now = session.services().clock()
    quotation = card.quotation
    place = literal(one_line(quotation.place, LONGEST_TOPIC)) if quotation else ""
    if quotation and quotation.url and place:
        place = f"[{place}](<{quotation.url}>)"
    facts = [literal(courses.get(card.course_key, "")), literal(one_line(card.topic, LONGEST_TOPIC)), place]
    if card.state is FlashcardState.KEPT:
        facts.append(
            gettext("next {when}", when=days_until(card.due_at, now, student)) if card.due_at else gettext("new")
        )
    if not card.is_for_exam:
        facts.append(gettext("not for this exam"))
    return " · ".join(fact for fact in facts if fact)


def _content(picture: FlashcardPicture) -> bytes:
    try:
        return base64.b64decode(picture.data, validate=True)
    except binascii.Error:
        return b""
