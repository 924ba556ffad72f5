"""Personal data of the student: summary of what is stored, download, and deletion of everything."""

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from services.discovery.usage import UsageProfiles
from services.i18n import formats, gettext, gettext_noop
from services.identity.students import Student
from services.privacy.data_export import archive_name, export_archive
from services.privacy.data_inventory import InventoryCount, count_inventory
from services.privacy.data_retention import retention_of
from services.safety.markdown.escape import code_span
from services.safety.text import literal
from ui import session
from ui.error_boundary import error_boundary
from ui.insights.insight_labels import context_label
from ui.local_time import local_day
from ui.session_guard import guarded_dialog
from ui.settings.consents_card import consent_sentence

CONFIRMATION = gettext_noop("delete")

DELETE_ICON = ":material/delete_forever:"
MOST_SUBJECTS = 3
MOST_SCOPES = 12


def draw_personal_data(student: Student) -> None:
    services = session.services()
    st.markdown(gettext("## Your data"))
    st.caption(
        gettext("All that Homeroom keeps of you is yours: take it along, or have it deleted, whenever you like.")
    )
    _draw_summary(student)
    with st.container(horizontal=True):
        st.download_button(
            gettext("Download everything"),
            # Built only on a click: looking at the page reads none of it.
            data=session.while_signed_in(student, lambda: export_archive(services, student)),
            file_name=archive_name(services.clock(), student.timezone),
            mime="application/zip",
            icon=":material/download:",
            help=gettext(
                "One archive: your chats as text, and everything as it is stored. No passwords or keys are in it."
            ),
            on_click="ignore",
            key="download-everything",
        )
        if st.button(gettext("Delete everything"), icon=DELETE_ICON, key="delete-everything"):
            guarded_dialog(gettext("Delete everything"), _confirm_deletion, icon=DELETE_ICON)(student)


def _confirm_deletion(student: Student) -> None:
    st.markdown(
        gettext(
            "- **Your account here goes, at once and for good**: chats, tasks, approvals, activity, keys and numbers. "
            "Nobody can bring them back.\n"
            "- **Your connections are ended at their services.** What stands in your Canvas, calendar or notes stays "
            "there as it is.\n"
            "- Answers that are being written are stopped, and what waits for your yes is withdrawn.\n"
            "- **You are signed out everywhere.** If you sign in again, you begin with an empty Homeroom.\n"
            "- Backups of whoever runs Homeroom may hold it until newer ones take their place."
        )
    )
    st.caption(gettext("You may want to download everything first."))
    with st.form("delete-everything-form", border=False):
        typed = st.text_input(
            gettext("Type the word “{word}” to go on", word=gettext(CONFIRMATION)),
            key="delete-word",
            autocomplete="off",
        )
        is_pressed = st.form_submit_button(gettext("Delete everything for good"), type="primary", width="stretch")
    if not is_pressed:
        return
    if typed.strip().casefold() != gettext(CONFIRMATION):
        st.info(
            gettext("Nothing is deleted. Type the word “{word}” if you mean it.", word=gettext(CONFIRMATION)),
            icon=":material/info:",
        )
        return
    with error_boundary(), st.spinner(gettext("Deleting everything and ending your connections …")):
        session.delete_everything(student)


def _draw_summary(student: Student) -> None:
    # Counted only while it is open.
    section = st.expander(
        gettext("What Homeroom knows about me"), icon=":material/visibility:", key="knows", on_change="rerun"
    )
    if not section.open:
        return
    with section, error_boundary():
        st.markdown("\n\n".join([_who(student), _chat_consent(student), *_connections(student), *_subjects(student)]))
        found = count_inventory(session.services().store, student.id)
        st.markdown("\n".join(_line(item) for item in found if item.number))
        none_yet = _titles(item for item in found if not item.number)
        st.caption(gettext("There is nothing yet of these: {titles}.", titles=none_yet))


def _who(student: Student) -> str:
    who = ", ".join(filter(None, (literal(student.name), literal(student.email))))
    return gettext("**You** are {who}, and your time zone is {zone}.", who=who, zone=student.timezone)


def _chat_consent(student: Student) -> str:
    (chat,) = session.services().consents.states(student, {})
    # What they agreed to; in the language that they read now where the text is still the same.
    agreed = chat.consent.text if chat.consent and chat.consent.wording != chat.terms.wording else chat.terms.text
    words = f"“{literal(agreed)}”"
    return gettext("**The chat.** {consent} It says: {words}", consent=consent_sentence(student, chat), words=words)


def _connections(student: Student) -> Iterator[str]:
    services = session.services()
    for id, connection in services.connections.all(student.id).items():
        offered = services.integrations[id]
        reads, writes = (
            ", ".join(map(gettext, offered.reads)) or gettext("nothing"),
            ", ".join(map(gettext, offered.writes)),
        )
        since = gettext(
            "**{service}** is connected as {account} since {since}.",
            service=gettext(offered.label),
            account=literal(connection.account),
            since=local_day(connection.connected_at, student),
        )
        may = (
            gettext("Homeroom may read {reads}, and change {writes} after your yes.", reads=reads, writes=writes)
            if writes
            else gettext("Homeroom may read {reads}.", reads=reads)
        )
        state = services.consents.account_state(connection)
        agreed = consent_sentence(student, state) if offered.needs_account else ""
        yield " ".join(filter(None, (since, may, _scopes(connection.scopes, offered.permissions), agreed)))


def _scopes(granted: Sequence[str], permissions: Mapping[str, str]) -> str:
    permitted = dict.fromkeys(
        gettext(permissions[scope]) if scope in permissions else _unknown(scope) for scope in granted
    )
    if len(permitted) > MOST_SCOPES:
        return gettext("It was granted {n} permissions, which the archive lists one by one.", n=len(granted))
    return gettext("You allowed it there to: {permissions}.", permissions="; ".join(permitted)) if permitted else ""


def _unknown(scope: str) -> str:
    """Name of a scope that the integration does not explain, without the URL in front that some services use."""
    name = scope.rstrip("/").rpartition("/")[2] if scope.startswith("https://") else scope
    return code_span(name)


def _subjects(student: Student) -> Iterator[str]:
    shares = UsageProfiles(session.services().store).habits(student.id).contexts
    most = sorted(shares, key=lambda name: -shares[name])[:MOST_SUBJECTS]
    if most:
        subjects = ", ".join(f"{context_label(name).lower()} ({formats.percent(shares[name])})" for name in most)
        yield gettext("**Most of your questions** needed {told}.", told=subjects)


def _line(count: InventoryCount) -> str:
    item, number = count.item, formats.number(count.number)
    lasts = retention_of(item, session.services().settings.operations.retention)
    return f"- **{gettext(item.title)}** · {number}  \n  {gettext(item.holds)} *{lasts}*"


def _titles(kinds: Iterator[InventoryCount] | Sequence[InventoryCount]) -> str:
    return ", ".join(gettext(count.item.title).lower() for count in kinds)
