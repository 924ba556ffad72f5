"""Address of the Classroom page: which class is open, which view of it, and which assistant's form."""

import streamlit as st

from services.i18n import gettext

ASSISTANT = "assistant"
CLASS, VIEW, JOIN = "class", "view", "join"
RETURN_TO = "homeroom_wanted"
"""Cookie of `api.middleware.return_to`."""
ASSISTANTS, BUDGET, FIGURES, MATERIALS, PEOPLE, SCHOOL_SYSTEM = (
    "assistants",
    "budget",
    "figures",
    "materials",
    "people",
    "school_system",
)


def opened_class() -> str:
    """Id of the class that the address names; "" for none."""
    return str(st.query_params.get(CLASS, ""))


def opened_view() -> str:
    """Id of the view that the address names; "" for none."""
    return str(st.query_params.get(VIEW, ""))


def invited_code() -> str:
    """Join code that the address brings, from a link or a QR picture; "" for none."""
    return str(st.query_params.get(JOIN, ""))


def is_invited() -> bool:
    """Whether a visitor followed a link to join: the page that they return to says so, too, once they have chosen their
    language.
    """
    return bool(invited_code()) or f"{JOIN}=" in st.context.cookies.get(RETURN_TO, "")


def open_class(class_id: str, view: str = "") -> None:
    """Show this class with the next run."""
    leave_class()
    st.query_params[CLASS] = class_id
    if view:
        st.query_params[VIEW] = view


def show_view(view: str) -> None:
    """Show this view of the open class with the next run."""
    st.query_params[VIEW] = view


def leave_class() -> None:
    """Show the list of classes with the next run."""
    for name in (CLASS, VIEW, JOIN, ASSISTANT):
        st.query_params.pop(name, None)


def draw_way_back() -> None:
    """Button that leads back to the list of classes: the navigation keeps the address of a page that it is on."""
    st.button(
        gettext("Back to Classroom"),
        icon=":material/chevron_left:",
        type="tertiary",
        key="classroom-back",
        on_click=leave_class,
    )


def opened_assistant() -> str:
    """Id of the assistant whose form the address names; "" for none."""
    return str(st.query_params.get(ASSISTANT, ""))


def open_editor(id: str) -> None:
    """Show the form of this assistant with the next run."""
    st.query_params[ASSISTANT] = id


def close_editor() -> None:
    """Show all assistants of the class with the next run."""
    st.query_params.pop(ASSISTANT, None)
