"""Which conversation the page shows: the one that the address names, or a new one."""

from dataclasses import dataclass

import streamlit as st

from services.agent.view import Items, TurnView
from services.errors import ItemNotFound
from services.students import Student
from ui import outcome, session


@dataclass(frozen=True, kw_only=True)
class Opened:
    """id: None for a chat that has not begun. items: what is stored of it; what runs now is not among them."""

    id: str | None = None
    running: TurnView | None = None
    items: Items


def look(student: Student) -> Opened:
    """`?c=…` names a conversation, `?new=1` begins one; an unknown one is told and gives way to a new one."""
    id = named()
    if id is None:
        return Opened(items=[])
    services = session.services()
    running = services.turns.current(student.id, id)
    items = services.conversations.view(student.id, id, followed=running.turn_id if running else None)
    if items or running is not None:
        return Opened(id=id, running=running, items=items)
    outcome.tell(ItemNotFound("Homeroom", "This chat is not here any more.", next_step="You can start a new one."))
    st.query_params.clear()
    return Opened(items=[])


def named() -> str | None:
    if "new" in st.query_params:
        st.query_params.clear()
    return st.query_params.get("c")
