"""Settings: everything that is kept of the student, to take along or to delete."""

import streamlit as st

from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.privacy.export import archive_name, export
from ui import action, problems, session
from ui.settings import knowledge

WORD = gettext_noop("delete")

ICON = ":material/delete_forever:"


def draw(student: Student) -> None:
    services = session.services()
    st.markdown(gettext("## Your data"))
    st.caption(
        gettext("All that Homeroom keeps of you is yours: take it along, or have it deleted, whenever you like.")
    )
    knowledge.draw(student)
    with st.container(horizontal=True):
        st.download_button(
            gettext("Download everything"),
            # Made when it is asked for: a page that is only looked at reads none of it.
            data=session.while_signed_in(student, lambda: export(services, student)),
            file_name=archive_name(services.runtime.clock(), student.timezone),
            mime="application/zip",
            icon=":material/download:",
            help=gettext(
                "One archive: your chats as text, and everything as it is stored. No passwords or keys are in it."
            ),
            on_click="ignore",
            key="download-everything",
        )
        if st.button(gettext("Delete everything"), icon=ICON, key="delete-everything"):
            action.dialog(gettext("Delete everything"), _ask, icon=ICON)(student)


def _ask(student: Student) -> None:
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
            gettext("Type the word “{word}” to go on", word=gettext(WORD)), key="delete-word", autocomplete="off"
        )
        is_pressed = st.form_submit_button(gettext("Delete everything for good"), type="primary", width="stretch")
    if not is_pressed:
        return
    if typed.strip().casefold() != gettext(WORD):
        st.info(
            gettext("Nothing is deleted. Type the word “{word}” if you mean it.", word=gettext(WORD)),
            icon=":material/info:",
        )
        return
    with problems.calmly(), st.spinner(gettext("Deleting everything and ending your connections …")):
        session.delete_everything(student)
