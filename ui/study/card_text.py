"""Sides of a card as Streamlit draws them: sanitised Markdown with formulas; pictures stand below, never fetched."""

import base64
import binascii
import re
from collections.abc import Sequence

import streamlit as st

from services.i18n import gettext
from services.safety.markdown.sanitiser import sanitise
from services.study.flashcard import FlashcardPicture

PICTURE = re.compile(r"!\[[^\]\n]{0,200}\]\(([^()\s]{1,200})\)")
_NOWHERE: frozenset[str] = frozenset()
PICTURE_WIDTH = 240


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


def _content(picture: FlashcardPicture) -> bytes:
    try:
        return base64.b64decode(picture.data, validate=True)
    except binascii.Error:
        return b""
