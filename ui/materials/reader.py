"""Reader: the panel in which pages of course materials are read, mounted by each page that links to them."""

import streamlit as st

from services.i18n import gettext
from services.navigation import CHAT_PAGE, material_address
from ui import session
from ui.browser_component import live_component
from ui.chat.draft import save_draft_text

READER = "reader"


def draw_reader(*, opens: str = "") -> None:
    """Mount the reader, which the browser draws by itself. opens: address of the page to begin with."""
    told = live_component()(
        key=READER,
        data={
            "part": "reader",
            "origin": session.services().settings.public_url,
            "opens": opens,
            "words": _reader_words(),
        },
        on_ask_change=_note,
    )
    if asked := told.get("ask"):
        # The page has no field for messages: a new chat has.
        save_draft_text(str(asked))
        st.switch_page(CHAT_PAGE.script, query_params={"new": "1"})


def requested_page() -> str:
    """Address of the page that the Materials page was opened with, such as from a bookmark; "" for none."""
    material, page = st.query_params.get("open", ""), st.query_params.get("page", "1")
    number = int(page) if page.isdecimal() and len(page) < 6 else 1
    return material_address("", material, number) if material else ""


def _note() -> None:
    """A trigger is told to the page only where it has a callback."""


def _reader_words() -> dict[str, str]:
    return {
        "reader": gettext("Course material"),
        "close": gettext("Close"),
        "width": gettext("Width of the page"),
        "previous": gettext("Previous page"),
        "next": gettext("Next page"),
        "of": gettext("of {count}", count="{count}"),
        "text": gettext("Text"),
        "larger": gettext("Larger"),
        "ask": gettext("Ask about this page"),
        "practise": gettext("Practise this"),
        "about": gettext("About {place}: ", place="{place}"),
        "as_of": gettext("As of {moment}.", moment="{moment}"),
        "reading": gettext("Reading …"),
        "retry": gettext("Try again"),
        "offline": gettext("Homeroom cannot be reached right now."),
        "no_such_page": gettext("There is no such page."),
        "no_picture": gettext("There is no picture of this page now. This is its text."),
        "picture_of": gettext("Picture of {place}", place="{place}"),
        "only_picture": gettext("This page has no text of its own."),
        "empty": gettext("This page is empty."),
        "speaker_notes": gettext("Speaker’s notes"),
    }
