"""All chats: every conversation, page by page, to open, name, pin, export or delete; and what was just deleted."""

from ui import outcome, session
from ui.chat import all_chats, search, undo_delete

student = session.current()

all_chats.heading()
outcome.show_flash()
undo_delete.draw(student)
if wanted := search.field("all-chats-search"):
    search.draw(student, wanted, limit=20, key="all-found")
else:
    all_chats.draw(student)
all_chats.deleted(student)
