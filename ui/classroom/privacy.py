"""Record for the privacy officer, for operators: data, purposes, recipients, how long, and the rights of students."""

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.privacy.privacy_record import record_for
from services.privacy.record_document import record_page, section_table
from ui import session

FILE_NAME = "homeroom-privacy.html"


def draw_privacy(student: Student) -> None:
    """Draw one part of the record, and a file of it to print."""
    services = session.services()
    sections = record_for(student, services.classroom.roles, services.settings, services.consents.terms)
    st.markdown(gettext("## For the privacy officer"))
    st.caption(
        gettext(
            "What this Homeroom keeps, why, where, for how long, and who receives it: made from the same list that the "
            "export of a student uses."
        )
    )
    st.download_button(
        gettext("Save to print"),
        data=lambda: record_page(sections),
        file_name=FILE_NAME,
        mime="text/html",
        icon=":material/print:",
        key="privacy-print",
        on_click="ignore",
    )
    chosen = st.selectbox(
        gettext("Part of the record"),
        range(len(sections)),
        format_func=lambda number: sections[number].title,
        index=None,
        placeholder=gettext("Choose what to read"),
        key="privacy-part",
    )
    if chosen is not None:
        st.write(sections[chosen].words)
        st.markdown(section_table(sections[chosen]))
