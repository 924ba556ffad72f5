"""Chat: one conversation with the assistant, from its first suggestion to the last approval."""

from ui import area, dock, greeting, live_turn, opened, session
from ui.transcript import Transcript

student = session.current()
connected = session.services().connections.all(student.id)
chat = opened.look(student)

with area.take(follows=f"{chat.id}/{chat.running.turn_id}" if chat.running else None):
    if chat.id is None:
        greeting.draw(student, connected)
        dock.draw(student, chat, connected)
    else:
        transcript = Transcript(student, chat.id)
        transcript.draw(chat.items)
        dock.draw(student, chat, connected)
        if chat.running is not None:
            live_turn.follow(student, chat.id, transcript)
