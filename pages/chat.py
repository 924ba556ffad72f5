"""Chat: one conversation with the assistant, from its first suggestion to the last approval."""

from services.runtime.priority_limiter import CPU_SLOTS
from ui import session
from ui.chat.chat_header import draw_chat_header
from ui.chat.chat_state import load_chat
from ui.chat.composer import draw_bottom_bar, draw_composer
from ui.chat.greeting import draw_greeting
from ui.chat.live_transcript import follow_turn, take_transcript_slot
from ui.chat.transcript import Transcript

student = session.current_student()
connected = session.services().connections.all(student.id)
chat = load_chat(student)
here = take_transcript_slot(follows=f"{chat.id}/{chat.running.turn_id}" if chat.running else None)

with here:
    if chat.id is None:
        draw_greeting(student, connected)
    else:
        draw_chat_header(student, chat)
        transcript = Transcript(student, chat.id, found_seq=chat.found_seq)
        transcript.draw(chat.items, is_followed=chat.running is not None)
stop = draw_bottom_bar(student, chat, connected)
draw_composer(student, chat.id)
CPU_SLOTS.release_current()
if chat.id is not None and chat.running is not None:
    with here:
        follow_turn(student, chat.id, transcript, stop)
