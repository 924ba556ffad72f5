"""Cards that wait for the student's decision: a list that leads to each, and a badge that counts them everywhere."""

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from services.errors import StorageError
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.navigation import ACTIVITY_PAGE, CHAT_PAGE, WEEK_PAGE
from services.safety.text import literal, one_line
from services.week.loader import ASKED_BY
from services.week.today import PendingCard
from ui import session

MOST_SHOWN = 20
MOST_COUNTED = 99
LONGEST_LABEL = 90
_DOT = """<style>[data-testid="stExpandSidebarButton"]::after {{ content: "{count}"; }}</style>"""
"""Where the sidebar is closed, as on a phone, the button that opens it tells the number."""


def draw_waiting_cards(cards: Sequence[PendingCard]) -> None:
    """Draw the way to each card, under a heading; nothing when there is none."""
    if not cards:
        return
    with st.container(key="waiting-cards", gap="xsmall"):
        heading = gettext("Waits for your decision")
        st.markdown(f"## {heading}")
        for card in cards:
            # A link to another chat of the same page would leave the address as it is.
            if st.button(_label(card), key=f"review-{card.id}", icon=":material/pending_actions:", type="tertiary"):
                page, parameters = _place(card)
                st.switch_page(page, query_params=parameters)


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
    """What is to be done and to what, as the card's first row says it."""
    about = one_line(": ".join([gettext(card.title), *(row.value for row in card.rows[:1])]), LONGEST_LABEL)
    sentence = gettext_noop("Answer “{title}”") if card.is_question else gettext_noop("Review “{title}”")
    return gettext(sentence, title=literal(about))


def _place(card: PendingCard) -> tuple[str, dict[str, str]]:
    """Page and parameters of where it stands whole: in its chat, on the week's page, or, of a program, on Today."""
    if card.conversation_id:
        return CHAT_PAGE.script, {"c": card.conversation_id}
    return (WEEK_PAGE.script if card.asked_by == ASKED_BY else CHAT_PAGE.script), {}
