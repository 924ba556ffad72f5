"""Cards out to Anki and tables, and in from them: looked at first, then added."""

from dataclasses import dataclass, field
from datetime import datetime

import streamlit as st

from services.errors import HomeroomError
from services.files.limits import MEGABYTE
from services.files.upload import Upload
from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from services.study.exchange.card_exchange import KINDS, ImportPreview
from services.study.exchange.imported_cards import LARGEST_PACKAGE, ImportedCard
from ui import session
from ui.error_boundary import show_error
from ui.file_field import draw_file_field
from ui.flash_message import flash
from ui.study.card_text import draw_side
from ui.study.open_dialog import close_dialog, field_key, open_dialog

DIALOG = "import-cards"
SHOWN = 3
"""Cards of a file that are shown before it is added."""
MOST_DECKS = 5
_LOOKED_AT = "import-looked-at"


@dataclass(frozen=True, kw_only=True)
class _LookedAt:
    """What a file has, as far as it is shown."""

    preview: ImportPreview
    first: tuple[ImportedCard, ...] = field(repr=False)
    has_memory: bool


def draw_exchange(student: Student, course_key: str, *, has_cards: bool) -> None:
    """Draw the ways in and out."""
    with st.container(horizontal=True, key="cards-exchange"):
        st.button(
            gettext("Bring in cards"),
            icon=":material/upload:",
            type="tertiary",
            key="cards-import",
            on_click=open_dialog,
            args=(DIALOG, course_key),
        )
        if has_cards:
            _draw_export(student, course_key)


def _draw_export(student: Student, course_key: str) -> None:
    exchange, day = session.services().study.exchange, _day(session.services().clock())
    st.download_button(
        gettext("To Anki"),
        data=session.while_signed_in(student, lambda: exchange.export_anki(student, course_key or None)),
        file_name=f"homeroom-{day}.apkg",
        mime="application/apkg",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        key="cards-anki",
        help=gettext("A package that Anki opens. Exported again, it changes the same cards and makes no duplicates."),
    )
    st.download_button(
        gettext("As a table"),
        data=session.while_signed_in(student, lambda: exchange.export_csv(student, course_key or None)),
        file_name=f"homeroom-{day}.csv",
        mime="text/csv",
        icon=":material/table:",
        type="tertiary",
        on_click="ignore",
        key="cards-csv",
        help=gettext("A CSV file for a spreadsheet."),
    )


def _day(now: datetime) -> str:
    return f"{now:%Y-%m-%d}"


def draw_import_dialog(student: Student, course_key: str) -> None:
    """Dialog that reads a file, shows what is in it, and adds its cards."""
    most = LARGEST_PACKAGE // MEGABYTE
    file = draw_file_field(gettext("File with cards"), types=KINDS, largest_mb=most, key=field_key("import-file"))
    st.caption(gettext("A package of Anki (.apkg), or a table with front and back in two columns (.csv, .tsv, .txt)."))
    if file is None:
        return
    try:
        looked_at = _look_at(student, *file)
    except HomeroomError as error:
        show_error(error)
        return
    preview = looked_at.preview
    _draw_preview(looked_at)
    if not preview.new and not preview.changed:
        return
    keeps_memory = looked_at.has_memory and st.checkbox(
        gettext("Keep when each card comes next, as it was learned there"), value=True, key=field_key("import-memory")
    )
    label = ngettext("Add {n} card", "Add {n} cards", preview.new) if preview.new else gettext("Update the cards")
    if st.button(label, type="primary", width="stretch", key="import-go"):
        _add(student, file[1], course_key, keeps_memory=keeps_memory)


def _look_at(student: Student, file_id: str, upload: Upload) -> _LookedAt:
    """What adding a file would do, read once for each file: the tab holds this, and not the cards."""
    kept: dict[str, _LookedAt] = st.session_state.setdefault(_LOOKED_AT, {})
    exchange = session.services().study.exchange
    if file_id not in kept:
        kept.clear()
        with st.spinner(gettext("Reading the cards …")):
            package = exchange.read_package(student, upload)
            kept[file_id] = _LookedAt(
                preview=exchange.preview(student, package),
                first=package.cards[:SHOWN],
                has_memory=any(card.memory for card in package.cards),
            )
    return kept[file_id]


def _draw_preview(looked_at: _LookedAt) -> None:
    preview = looked_at.preview
    counts = [
        ngettext("{n} new card", "{n} new cards", preview.new) if preview.new else "",
        ngettext("{n} with other words than yours", "{n} with other words than yours", preview.changed)
        if preview.changed
        else "",
        ngettext("{n} that you have already", "{n} that you have already", preview.known) if preview.known else "",
    ]
    told = " · ".join(count for count in counts if count) or gettext("No cards in this file")
    st.markdown(f"**{literal(told)}**")
    if preview.decks:
        names = [one_line(deck, 60) for deck in preview.decks[:MOST_DECKS]]
        more = len(preview.decks) - len(names)
        told = ", ".join(names) + (f" +{formats.number(more)}" if more else "")
        st.caption(literal(told))
    for remark in preview.remarks:
        st.caption(f":material/info: {literal(remark)}")
    for number, card in enumerate(looked_at.first):
        with st.container(border=True, gap="xsmall", key=f"import-card-{number}"):
            draw_side(card.front, card.pictures)
            st.divider()
            draw_side(card.back, card.pictures)


def _add(student: Student, upload: Upload, course_key: str, *, keeps_memory: bool) -> None:
    exchange = session.services().study.exchange
    # What was looked at is looked at again if this fails: some of the cards may be there by then.
    st.session_state.pop(_LOOKED_AT, None)
    try:
        with st.spinner(gettext("Adding the cards …")):
            package = exchange.read_package(student, upload)
            done = exchange.import_cards(student, package, course_key, keeps_memory=keeps_memory)
    except HomeroomError as error:
        show_error(error)
        return
    added = ngettext("{n} card is added.", "{n} cards are added.", done.new)
    changed = ngettext("{n} is updated.", "{n} are updated.", done.changed) if done.changed else ""
    flash(f"{added} {changed}".strip())
    close_dialog()
    st.rerun()
