import pytest
from tests.questions.test_questions import QUESTIONS, today, Classroom
from tests.questions.conftest import *
def test_x(classroom):
    q=[q for q in QUESTIONS if q.ask.startswith("mejor a las 6")][0]
    asked=q.on(today(), f"{classroom.server.url}/web")
    out=classroom.ask(asked)
    room=classroom.room(asked.connected)
    chats=room.services.conversations.list(room.maya.id, 3) if hasattr(room.services.conversations,'list') else None
    c=chats[0]
    for m in room.services.conversations.messages(room.maya.id,c.id):
        print(m.role, m.content)
