"""Chat: one conversation with the assistant, from its first suggestion to the last approval."""

from ui import composer, greeting, live_turn, outcome, session, transcript

student = session.current()
services = session.services()

conversation_id = composer.conversation_id()
running = services.turns.current(student.id, conversation_id) if conversation_id else None
items = services.conversations.view(student.id, conversation_id) if conversation_id else []

outcome.show()
transcript.draw(student, items)
if not items:
    greeting.draw(student)
composer.draw_kept(student, conversation_id)
composer.draw(student, conversation_id, is_answering=running is not None)
if conversation_id and running:
    live_turn.follow(student, conversation_id, running, items)
