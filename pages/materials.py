"""Materials: what the student's courses give them to read, by module, with search and the reader."""

import streamlit as st

from services.i18n import gettext
from services.materials.store.class_libraries import is_of_class
from ui import session
from ui.flash_message import show_flash
from ui.materials.course_picker import choose_course, wanted_course
from ui.materials.material_list import draw_materials
from ui.materials.material_search import draw_search
from ui.materials.materials_state import load_materials
from ui.materials.own_files import draw_course_removal, draw_new_course, draw_own_files, is_own_course
from ui.materials.page_notes import draw_first_step, draw_looking, draw_notes, draw_usage
from ui.materials.read_ahead import draw_read_ahead
from ui.materials.reader import draw_reader, requested_page

student = session.current_student()
st.title(gettext("Materials"))
st.caption(gettext("What your courses give you to read. Open one here, or ask about it in the chat."))
show_flash()
draw_reader(opens=requested_page())
state = load_materials(student, wanted_course())
choose_course(state.courses)
draw_notes(student, state)
if (listed := state.listed) is not None:
    usage = session.services().materials.usage(student)
    course = listed.status.course
    is_own, is_shared = is_own_course(course), is_of_class(course.key)
    has_more = len(state.courses) > 1
    if not ((listed.materials or has_more) and draw_search(student, course.key, has_more=has_more)):
        if not (is_own or is_shared):
            draw_read_ahead(student, listed, usage)
        draw_materials(student, listed)
    if is_shared:
        st.caption(gettext("Your class has these files. Its instructors add and remove them."))
    else:
        draw_own_files(student, listed, usage)
    with st.container(horizontal=True, key="materials-foot"):
        draw_new_course(student)
        if is_own:
            draw_course_removal(student, course)
    draw_usage(usage)
elif state.is_looking:
    draw_looking()
else:
    draw_first_step(student)
    draw_new_course(student)
