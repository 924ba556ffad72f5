"""Chat: one conversation with the assistant, from Today, where it is still empty, to the last approval."""

import streamlit as st

from services.runtime.priority_limiter import CPU_SLOTS
from ui import session
from ui.chat.chat_menu import draw_chat_header
from ui.chat.chat_state import load_chat
from ui.chat.composer import draw_bottom_bar, draw_composer
from ui.chat.guided_study import take_guided_request
from ui.chat.live_component import draw_live_answer, drawn_before, is_drawn_by_script, require_live_follower
from ui.chat.live_transcript import follow_turn, take_transcript_slot
from ui.chat.pickers import take_linked_assistant
from ui.chat.transcript import Transcript
from ui.classroom.demo_chat import prefer_class_assistant
from ui.materials.reader import draw_reader
from ui.streamlit_compat import drawn_at_once
from ui.today.today_page import draw_today

student = session.current_student()
connected = session.services().connections.all(student.id)
take_guided_request()
take_linked_assistant(student)
prefer_class_assistant(student)
chat = load_chat(student)
is_drawn_here = is_drawn_by_script(chat)
first = st.empty()
here = take_transcript_slot(follows=f"{chat.id}/{chat.running.turn_id}" if chat.running and is_drawn_here else None)

if chat.id is None:
    # In a place of its own: a container inherits what an earlier run drew in its place, until the run ends.
    with drawn_at_once(), first.container(key="greeting"):
        draw_today(student, connected)
else:
    with here:
        draw_chat_header(student, chat)
        transcript = Transcript(student, chat.id, found_seq=chat.found_seq, versions=chat.versions)
        before = chat.running.items[: drawn_before(chat)] if chat.running and not is_drawn_here else []
        transcript.draw([*chat.items, *before], is_followed=chat.running is not None)
draw_live_answer(student, chat)
stop = draw_bottom_bar(student, chat, connected)
draw_composer(student, chat, connected)
draw_reader()
CPU_SLOTS.release_current()
if chat.id is not None and chat.running is not None:
    if not is_drawn_here:
        require_live_follower(student, chat)
    else:
        with here:
            follow_turn(student, chat.id, transcript, stop)
