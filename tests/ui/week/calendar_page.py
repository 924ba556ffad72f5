"""Draws a sample week in the calendar, `?week=crowded&view=week&language=es-MX`, and says what was done in it."""

from pathlib import Path

import streamlit as st

from services.i18n import set_locale
from services.identity.students import Student
from services.week.course_tones import TONES
from tests.ui.week.sample_weeks import WEEKS
from ui.week.calendar_component import draw_calendar
from ui.week.calendar_data import calendar_data

set_locale(st.query_params.get("language", "en-US"))
week = WEEKS[st.query_params["week"]]()
tones = {course: number % TONES for number, course in enumerate(week.courses)}
maya = Student(id="maya", name="Maya", email="", timezone="America/Chicago")
view = st.query_params.get("view", "")

st.set_page_config(layout="wide")
st.html(Path(__file__).parents[3] / "ui" / "style.css")
st.title("Week")
data = calendar_data(maya, week, tones=tones, view=view, day=week.as_of.date())
data["is_narrow"] = bool(st.session_state.get("narrow"))
told = draw_calendar(
    maya,
    data,
    on_narrow=lambda narrow: st.session_state.update(narrow=narrow),
    on_moved=lambda key, times: st.session_state.update(done=f"moved {key} {times['start']} {times['end']}"),
)
if told.chosen:
    st.session_state["done"] = f"chosen {told.chosen}"
elif told.start and told.end:
    st.session_state["done"] = f"taken {told.start:%Y-%m-%dT%H:%M%z} {told.end:%Y-%m-%dT%H:%M%z}"
st.text(st.session_state.get("done", "nothing done"))
