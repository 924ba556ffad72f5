"""One tool of the root on the Tools page: what it does, what it takes, whether you have it, and a form to try it."""

import json
import re
from collections.abc import Sequence

import streamlit as st

from services.connections.connection import Health
from services.errors import HomeroomError
from services.safety.markdown import sanitise
from services.safety.provenance import known_addresses
from services.safety.text import literal, plain
from services.students import Student
from services.tools.arguments import arguments_of
from services.tools.base import Effect, Tool, ToolResult
from services.tools.door import Offer
from services.tools.exclusions import Exclusion, Kind
from ui import argument_form, connect_dialog, places, problems, session
from ui.tool_names import in_words

EFFECTS = {
    Effect.READ: (":material/visibility:", "Only reads"),
    Effect.WRITE: (":material/edit:", "Changes something, after you approve"),
    Effect.OUTBOUND: (":material/send:", "Sends something out, after you approve"),
}
NEEDS_ACCOUNT = {
    Kind.NOT_CONNECTED: "needs an account",
    Kind.CONNECTION_EXPIRED: "reconnect its account",
    Kind.CONNECTION_REVOKED: "reconnect its account",
    Kind.CONNECTION_LOCKED: "reconnect its account",
    Kind.SERVER_DOWN: "not answering now",
    Kind.CHANGED_DESCRIPTION: "waits for a check",
}
LONGEST_SUMMARY = 90


def draw(student: Student, offer: Offer) -> None:
    """A line that opens; what is inside is drawn only while it is open."""
    tool, reason = offer.tool, offer.reason
    icon = ":material/check_circle:" if reason is None else ":material/do_not_disturb_on:"
    state = "" if reason is None else f" · :gray[{NEEDS_ACCOUNT.get(reason.kind, 'not available')}]"
    label = f"**{literal(title_of(tool))}**{state}  \n:small[:gray[{literal(summary_of(tool))}]]"
    card = st.expander(label, icon=icon, key=f"tool-{tool.name}", on_change="rerun")
    if card.open:
        with card:
            _details(student, tool, reason)


def title_of(tool: Tool) -> str:
    """What the page calls it: its own name, in words."""
    return in_words(tool.name)


def summary_of(tool: Tool) -> str:
    """The first sentence of what it says of itself, on one line; ours speak of the student, here to you."""
    line = " ".join(_description(tool).split())
    first = line.partition(". ")[0].rstrip(".")
    if tool.server is None:
        first = first.replace("the student's", "your").replace("the student", "you")
    return first if len(first) <= LONGEST_SUMMARY else f"{first[: LONGEST_SUMMARY - 1].rpartition(' ')[0]} …"


def _description(tool: Tool) -> str:
    """Its own words: where it comes from stands in the line above them."""
    return plain(tool.description).removeprefix(f"From the MCP server {tool.server}. ")


def _details(student: Student, tool: Tool, reason: Exclusion | None) -> None:
    icon, words = EFFECTS[tool.effect]
    origin = f" · from the MCP server {literal(tool.server)}" if tool.server else ""
    st.caption(f"{icon} {words} · `{tool.name}`{origin}")
    if reason is not None:
        _why_not(student, tool, reason)
    # What a server says of itself is shown as its very text: it may not dress up as a part of the page.
    words = _description(tool)
    st.markdown(literal(words) if tool.server else sanitise(words, allowed=frozenset()))
    _hints(tool)
    _arguments(tool)
    if reason is None and not tool.effect.needs_approval:
        _try_it(student, tool)
    elif reason is None:
        st.caption("Ask for it in the chat: you see exactly what would change before you approve.")


def _why_not(student: Student, tool: Tool, reason: Exclusion) -> None:
    st.info(f"{literal(reason.sentence)} {literal(reason.next_step)}", icon=":material/info:")
    integration = session.services().integrations.get(reason.integration or "")
    if integration is None:
        return
    connection = session.services().connections.all(student.id).get(integration.id)
    if connection is not None and connection.health is Health.UNREACHABLE:
        if st.button("Go to Connections", key=f"connect-{tool.name}", icon=":material/cable:"):
            st.switch_page(places.CONNECTIONS)
        return
    verb = "Connect" if connection is None else "Reconnect"
    if st.button(f"{verb} {integration.label}", key=f"connect-{tool.name}", icon=":material/add_link:"):
        connect_dialog.ask(student, integration)


def _hints(tool: Tool) -> None:
    lines = [
        *_hint("For", [tool.usage_hint] if tool.usage_hint else tool.when),
        *_hint("Not for", tool.when_not),
        *_hint("Gives", tool.produces),
        *_hint("Such as", [example.description for example in tool.examples]),
    ]
    if lines:
        st.markdown("\n".join(lines))


def _hint(name: str, sentences: Sequence[str]) -> list[str]:
    said = " · ".join(literal(one.rstrip(".")) for one in sentences)
    return [f"- {name}: {said}"] if said else []


def _arguments(tool: Tool) -> None:
    found = arguments_of(tool.schema)
    if not found:
        st.caption("It takes no arguments.")
        return
    lines = [
        {
            "Argument": f"**{literal(one.name)}** · {literal(one.kind)}{'' if one.is_required else ', optional'}",
            "What it means": literal(one.words),
        }
        for one in found
    ]
    st.table(lines, border="horizontal", hide_index=True)


def _try_it(student: Student, tool: Tool) -> None:
    with st.form(f"try-{tool.name}"):
        st.markdown("**Try it**")
        arguments = argument_form.draw(tool.schema, {}, key=f"try-{tool.name}", with_ids=True)
        is_sent = st.form_submit_button("Run", icon=":material/play_arrow:")
    if is_sent:
        try:
            with st.spinner(f"{literal(tool.label)} …"):
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
        st.markdown(sanitise(_spaced(result.output or json.dumps(result.data)), allowed=known))


def _spaced(output: str) -> str:
    """A line of its own after a list stays one: Markdown would read it as the last point's continuation."""
    return re.sub(r"(?m)^(- .*)\n(?=[^\s-])", r"\1\n\n", output)
