"""Cards that wait for the student's decision: a list that leads to each, and a badge that counts them everywhere."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st

from services.errors import StorageError
from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.navigation import ACTIVITY_PAGE, CHAT_PAGE, WEEK_PAGE
from services.safety.text import literal
from services.week.loader import ASKED_BY
from services.week.today import PendingCard
from ui import session

MOST_SHOWN = 20
MOST_COUNTED = 99
_DOT = """<style>[data-testid="stExpandSidebarButton"]::after {{ content: "{count}"; }}</style>"""
"""Where the sidebar is closed, as on a phone, the button that opens it tells the number."""


def draw_waiting_cards(cards: Sequence[PendingCard]) -> None:
    """Draw a link to each card, under a heading; nothing when there is none."""
    if not cards:
        return
    with st.container(key="waiting-cards", gap="xsmall"):
        heading = gettext("Waits for your decision")
        st.markdown(f"## {heading}")
        for card in cards:
            st.page_link(**_place(card), label=_label(card), icon=":material/pending_actions:")


def draw_waiting_badge(student: Student) -> None:
    """Draw the number of cards that wait, as a link to their list; nothing when there is none."""
    with suppress(StorageError):
        count = len(session.services().approvals.waiting(student.id, MOST_COUNTED))
        if count:
            with st.container(key="waiting-badge"):
                label = ngettext("{n} decision waits for you", "{n} decisions wait for you", count)
                st.page_link(ACTIVITY_PAGE.script, label=label, icon=":material/pending_actions:")
            st.html(_DOT.format(count=formats.number(count)))


def _label(card: PendingCard) -> str:
    if card.is_question:
        return gettext("Answer “{title}”", title=literal(card.title))
    return gettext("Review “{title}”", title=literal(card.title))


def _place(card: PendingCard) -> Mapping[str, Any]:
    """Where it stands whole: in its chat, on the week's page, or, of a program, on Today."""
    if card.conversation_id:
        return {"page": CHAT_PAGE.script, "query_params": {"c": card.conversation_id}}
    return {"page": WEEK_PAGE.script if card.asked_by == ASKED_BY else CHAT_PAGE.script}
