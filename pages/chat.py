"""Chat: one conversation with the assistant, from its first suggestion to the last approval."""

from services.runtime.priority_limiter import INTERPRETER
from ui import area, session
from ui.chat import composer, dock, greeting, head, live_turn, newer, opened
from ui.chat.transcript import Transcript

student = session.current()
connected = session.services().connections.all(student.id)
chat = opened.look(student)
here = area.take(follows=f"{chat.id}/{chat.running.turn_id}" if chat.running else None)

with here:
    if chat.id is None:
        greeting.draw(student, connected)
    else:
        head.draw(student, chat)
        transcript = Transcript(student, chat.id, found_seq=chat.found_seq)
        transcript.draw(chat.items, is_followed=chat.running is not None)
stop = dock.draw(student, chat, connected)
composer.draw(student, chat.id)
INTERPRETER.step_aside()
if chat.id is not None and chat.running is not None:
    with here:
        live_turn.follow(student, chat.id, transcript, stop)
if chat.conversation is not None:
    newer.watch(student, chat.conversation)
