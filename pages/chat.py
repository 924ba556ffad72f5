"""Chat: one conversation with the assistant, from its first suggestion to the last approval."""

import streamlit as st

from ui import composer, greeting, live_turn, outcome, session
from ui.transcript import Transcript

student = session.current()
services = session.services()
conversation_id = composer.conversation_id()

outcome.show()
# A run that follows an answer lasts as long as the answer: what an earlier run drew is taken away here, not at its end.
hello = st.empty()
if conversation_id is None:
    with hello.container():
        greeting.draw(student)
    composer.draw(student, None)
else:
    hello.empty()
    running = services.turns.current(student.id, conversation_id)
    transcript = Transcript(student, conversation_id)
    transcript.draw(services.conversations.view(student.id, conversation_id))
    composer.draw(student, conversation_id, is_answering=running is not None)
    if running is not None:
        live_turn.follow(student, conversation_id, running, transcript)
