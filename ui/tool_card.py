"""One tool of the root on the Tools page: what it does, what it takes, whether you have it, and a form to try it."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from services.errors import HomeroomError
from services.safety.markdown import sanitise
from services.safety.provenance import known_addresses
from services.safety.text import literal
from services.students import Student
from services.tools.base import Effect, Tool, ToolResult
from services.tools.door import Offer
from services.tools.exclusions import Exclusion
from ui import argument_form, places, problems, session

EFFECTS = {
    Effect.READ: "Only reads",
    Effect.WRITE: "Changes something, after you approve",
    Effect.OUTBOUND: "Sends something out, after you approve",
}
KINDS = {"integer": "whole number", "number": "number", "boolean": "yes or no", "array": "list", "object": "fields"}


def draw(student: Student, offer: Offer) -> None:
    """A line that opens; what is inside is drawn only while it is open."""
    tool, reason = offer.tool, offer.reason
    icon = ":material/check_circle:" if reason is None else ":material/do_not_disturb_on:"
    state = (
        "" if reason is None else f" · :gray[{'not available' if reason.integration is None else 'needs an account'}]"
    )
    card = st.expander(f"**{literal(_title(tool))}**{state}", icon=icon, key=f"tool-{tool.name}", on_change="rerun")
    if card.open:
        with card:
            _details(student, tool, reason)


def _title(tool: Tool) -> str:
    return tool.name.replace("__", ": ").replace("_", " ").capitalize()


def _details(student: Student, tool: Tool, reason: Exclusion | None) -> None:
    st.caption(f"`{tool.name}` · {EFFECTS[tool.effect]}")
    if reason is not None:
        _why_not(tool, reason)
    st.markdown(sanitise(tool.description, allowed=frozenset()))
    if tool.schema["properties"]:
        st.table(_arguments(tool.schema), border="horizontal", hide_index=True)
    else:
        st.caption("It takes no arguments.")
    if reason is None and not tool.effect.needs_approval:
        _try_it(student, tool)
    elif reason is None:
        st.caption("Ask for it in the chat: you see exactly what would change before you approve.")


def _why_not(tool: Tool, reason: Exclusion) -> None:
    st.info(f"{literal(reason.sentence)} {literal(reason.next_step)}", icon=":material/info:")
    if reason.integration and st.button("Go to Connections", key=f"connect-{tool.name}", icon=":material/cable:"):
        st.switch_page(places.CONNECTIONS)


def _arguments(schema: Mapping[str, Any]) -> list[dict[str, str]]:
    required = schema.get("required", ())
    return [
        {
            "Argument": f"**{literal(name)}** · {_kind(prop)}{'' if name in required else ', optional'}",
            "What it means": literal(str(prop.get("description", ""))),
        }
        for name, prop in schema["properties"].items()
    ]


def _kind(prop: Mapping[str, Any]) -> str:
    inner = next((one for one in prop.get("anyOf", ()) if one.get("type") != "null"), prop)
    if "enum" in inner:
        return literal("one of " + ", ".join(map(str, inner["enum"])))
    return inner.get("format") or KINDS.get(inner.get("type", ""), "text")


def _try_it(student: Student, tool: Tool) -> None:
    with st.form(f"try-{tool.name}"):
        st.markdown("**Try it**")
        arguments = argument_form.draw(tool.schema, {}, key=f"try-{tool.name}", with_ids=True)
        is_sent = st.form_submit_button("Run", icon=":material/play_arrow:")
    if is_sent:
        try:
            with st.spinner(f"{tool.label} …"):
                _show(session.services().door.call(student, tool.name, arguments, asked_by="the Tools page"))
        except HomeroomError as error:
            problems.show(error)


def _show(result: ToolResult) -> None:
    if not result.success:
        st.error(literal(result.error or "This did not work."), icon=":material/error:")
        return
    origin = session.services().settings.public_url
    known = known_addresses((), [source.url for source in result.sources], own_origin=origin)
    with st.container(border=True):
        st.markdown(sanitise(result.output, allowed=known))
