"""All chats: every conversation, page by page, to open, name, pin, export or delete; and what was just deleted."""

from ui import session
from ui.chat.all_chats import draw, draw_deleted_chats, heading
from ui.chat.chat_menu import draw_undo_delete
from ui.chat.chat_search import draw_hits, draw_search_field
from ui.flash_message import show_flash

student = session.current_student()

heading()
show_flash()
draw_undo_delete(student)
if wanted := draw_search_field("all-chats-search"):
    draw_hits(student, wanted, limit=20, key="all-found")
else:
    draw(student)
draw_deleted_chats(student)
