"""Materials: what the student's courses give them to read, by module, with search and the reader."""

import streamlit as st

from services.i18n import gettext
from ui import session

student = session.current_student()

st.title(gettext("Materials"))
