"""Cards as a list, page by page: drafts to look over first, search, and what to do with each."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import streamlit as st

from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from services.study.flashcard import Flashcard, FlashcardState
from services.study.review.deck import Deck
from ui import session
from ui.flash_message import flash
from ui.session_guard import guarded_callback
from ui.study.card_dialog import DIALOG
from ui.study.card_text import card_facts, draw_side, has_pictures, side_text
from ui.study.open_dialog import close_dialog, open_dialog

DROP_DIALOG = "drop-drafts"
AT_ONCE = 20
CURSORS, FILTER, SEARCH = "study-card-cursors", "study-card-filter", "study-card-search"
LONGEST_QUERY = 100


class CardFilter(StrEnum):
    """Which cards are listed."""

    DRAFTS = "draft"
    KEPT = "kept"
    PAUSED = "suspended"


FILTER_LABELS = {
    CardFilter.DRAFTS: gettext_noop("To look over"),
    CardFilter.KEPT: gettext_noop("In review"),
    CardFilter.PAUSED: gettext_noop("Paused"),
}
EDIT, PAUSE, RESUME = gettext_noop("Edit"), gettext_noop("Pause"), gettext_noop("Review again")
NOT_FOR_EXAM, FOR_EXAM, DELETE = (
    gettext_noop("Not for this exam"),
    gettext_noop("For the exam again"),
    gettext_noop("Delete"),
)
ICONS = {
    EDIT: ":material/edit:",
    PAUSE: ":material/pause:",
    RESUME: ":material/play_arrow:",
    NOT_FOR_EXAM: ":material/event_busy:",
    FOR_EXAM: ":material/event_available:",
    DELETE: ":material/delete:",
}


def draw_cards(student: Student, course_key: str, courses: Mapping[str, str]) -> bool:
    """Draw the cards of a course, or of all; returns whether there are any. courses: names by key."""
    deck = session.services().study.cards
    counts = {kind: deck.count(student, course_key or None, state=FlashcardState(kind)) for kind in CardFilter}
    if not sum(counts.values()):
        st.caption(gettext("No cards yet. Make some from what you read, write them yourself, or bring them from Anki."))
        return False
    wanted = _choose_filter(counts)
    query = st.text_input(
        gettext("Search in your cards"),
        icon=":material/search:",
        key=SEARCH,
        placeholder=gettext("A word of a card or of its topic"),
        on_change=_first_page,
        label_visibility="collapsed",
    ).strip()[:LONGEST_QUERY]
    if wanted is CardFilter.DRAFTS and not query:
        _draw_drafts_bar(student, course_key, counts[wanted])
    _draw_page(student, course_key, courses, wanted, query, counts[wanted])
    return True


def _choose_filter(counts: Mapping[CardFilter, int]) -> CardFilter:
    """Draw the choice where there is one: drafts stand first as long as there are any."""
    there = [kind for kind in CardFilter if counts[kind]]
    key = f"{FILTER}-{'-'.join(there)}"
    if len(there) == 1:
        return there[0]
    chosen = st.pills(
        gettext("Which cards"),
        there,
        format_func=lambda kind: f"{gettext(FILTER_LABELS[kind])} · {formats.number(counts[kind])}",
        default=there[0],
        required=True,
        key=key,
        on_change=_first_page,
        label_visibility="collapsed",
    )
    return CardFilter(chosen)


def _first_page() -> None:
    st.session_state.pop(CURSORS, None)


def _draw_drafts_bar(student: Student, course_key: str, count: int) -> None:
    st.caption(gettext("Look these over before you practise them: keep what helps you, change or drop what does not."))
    with st.container(horizontal=True, key="drafts-bar"):
        st.button(
            ngettext("Keep {n} card", "Keep all {n} cards", count),
            icon=":material/done_all:",
            type="primary",
            key="drafts-keep-all",
            on_click=_keep_all,
            args=(student, course_key),
        )
        st.button(
            gettext("Drop them all"),
            icon=":material/delete_sweep:",
            type="tertiary",
            key="drafts-drop-all",
            on_click=open_dialog,
            args=(DROP_DIALOG, course_key),
        )


def _draw_page(
    student: Student, course_key: str, courses: Mapping[str, str], wanted: CardFilter, query: str, count: int
) -> None:
    cursors: list[str] = st.session_state.setdefault(CURSORS, [""])
    found = session.services().study.cards.cards(
        student, course_key or None, state=FlashcardState(wanted), query=query, limit=AT_ONCE, after=cursors[-1]
    )
    if not found.cards:
        st.caption(gettext("No card with these words.") if query else gettext("There are no more cards here."))
    for card in found.cards:
        with st.container(key=f"card-row-{card.id}", gap="xsmall"):
            _draw_card(student, card, courses if not course_key else {})
    if len(cursors) > 1 or found.after:
        _draw_leafing(len(cursors), len(found.cards), found.after, "" if query else formats.number(count))


def _draw_leafing(page: int, shown: int, after: str, count: str) -> None:
    first = (page - 1) * AT_ONCE + 1
    with st.container(horizontal=True, vertical_alignment="center", key="cards-leafing"):
        st.button(
            gettext("Newer"), icon=":material/chevron_left:", key="cards-newer", disabled=page == 1, on_click=_leaf_back
        )
        span = f"{formats.number(first)}–{formats.number(first + shown - 1)}"
        st.caption(gettext("{span} of {all}", span=span, all=count) if count else span, width="content")
        st.button(
            gettext("Older"),
            icon=":material/chevron_right:",
            icon_position="right",
            key="cards-older",
            disabled=not after,
            on_click=_leaf,
            args=(after,),
        )


def _leaf(after: str) -> None:
    st.session_state[CURSORS] = [*st.session_state.get(CURSORS, [""]), after]


def _leaf_back() -> None:
    st.session_state[CURSORS] = st.session_state.get(CURSORS, [""])[:-1] or [""]


def _draw_card(student: Student, card: Flashcard, courses: Mapping[str, str]) -> None:
    if has_pictures(card.front + card.back):
        pictures = session.services().study.cards.pictures(student, card.id)
        draw_side(card.front, pictures)
        draw_side(card.back, pictures)
    else:
        st.markdown(f"{side_text(card.front)}\n\n{side_text(card.back)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"card-foot-{card.id}"):
        st.caption(card_facts(student, card, courses), width="stretch")
        if card.state is FlashcardState.DRAFT:
            _draw_draft_buttons(student, card)
        else:
            _draw_menu(student, card)


def _draw_draft_buttons(student: Student, card: Flashcard) -> None:
    name = literal(one_line(card.front, 40))
    st.button(
        gettext("Keep"),
        icon=":material/check:",
        key=f"card-keep-{card.id}",
        help=gettext("Keep “{card}”", card=name),
        on_click=_keep,
        args=(student, card.id),
    )
    st.button(
        gettext("Edit"),
        icon=":material/edit:",
        type="tertiary",
        key=f"card-edit-{card.id}",
        help=gettext("Edit “{card}”", card=name),
        on_click=open_dialog,
        args=(DIALOG, card.id),
    )
    st.button(
        gettext("Drop"),
        icon=":material/delete:",
        type="tertiary",
        key=f"card-drop-{card.id}",
        help=gettext("Drop “{card}”", card=name),
        on_click=_drop,
        args=(student, card.id),
    )


def _draw_menu(student: Student, card: Flashcard) -> None:
    key = f"card-menu-{card.id}"
    st.menu_button(
        gettext("More about “{card}”", card=literal(one_line(card.front, 40))),
        [
            EDIT,
            RESUME if card.state is FlashcardState.SUSPENDED else PAUSE,
            NOT_FOR_EXAM if card.is_for_exam else FOR_EXAM,
            DELETE,
        ],
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        format_func=lambda choice: f"{ICONS[choice]} {gettext(choice)}",
        on_click=_run_choice,
        args=(student, card.id, key),
    )


@guarded_callback
def _run_choice(student: Student, card_id: str, key: str) -> None:
    deck = session.services().study.cards
    chosen = st.session_state[key]
    if chosen == EDIT:
        open_dialog(DIALOG, card_id)
    elif chosen in (PAUSE, RESUME):
        deck.suspend(student, [card_id], is_suspended=chosen == PAUSE)
    elif chosen in (NOT_FOR_EXAM, FOR_EXAM):
        deck.set_for_exam(student, card_id, is_for_exam=chosen == FOR_EXAM)
    else:
        deck.drop(student, [card_id])
        flash(gettext("The card is deleted."))


@guarded_callback
def _keep(student: Student, card_id: str) -> None:
    session.services().study.cards.keep(student, [card_id])


@guarded_callback
def _drop(student: Student, card_id: str) -> None:
    session.services().study.cards.drop(student, [card_id])


@guarded_callback
def _keep_all(student: Student, course_key: str) -> None:
    deck = session.services().study.cards
    kept = deck.keep(student, [card.id for card in _drafts(deck, student, course_key)])
    flash(
        ngettext(
            "{n} card is kept, and comes with your next review.",
            "{n} cards are kept, and come with your next reviews.",
            kept,
        )
    )


def draw_drop_dialog(student: Student, course_key: str) -> None:
    """Question before all drafts are dropped."""
    deck = session.services().study.cards
    drafts = _drafts(deck, student, course_key)
    st.write(
        ngettext(
            "Drop {n} card that you have not kept? It cannot be brought back.",
            "Drop {n} cards that you have not kept? They cannot be brought back.",
            len(drafts),
        )
    )
    if st.button(gettext("Drop them all"), type="primary", width="stretch", key="drafts-drop-yes"):
        deck.drop(student, [card.id for card in drafts])
        close_dialog()
        st.rerun()


def _drafts(deck: Deck, student: Student, course_key: str) -> Sequence[Flashcard]:
    found: list[Flashcard] = []
    after = ""
    while True:
        page = deck.cards(student, course_key or None, state=FlashcardState.DRAFT, limit=200, after=after)
        found += page.cards
        after = page.after
        if not after:
            return found
