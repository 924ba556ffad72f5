"""Card of one tool: description, arguments, availability, and a form to try it."""

import json
import re
from collections.abc import Sequence

import streamlit as st

from services.connections.connection import Health
from services.errors import BadArguments, HomeroomError
from services.i18n import get_language, gettext, gettext_noop
from services.identity.students import Student
from services.navigation import CONNECTIONS_PAGE
from services.safety.link_urls import linkable_urls
from services.safety.markdown.sanitiser import sanitise
from services.safety.text import literal, plain
from services.tools.availability import Exclusion, ExclusionKind
from services.tools.gateway import ToolAvailability
from services.tools.result import ToolResult
from services.tools.schema_text import ArgumentDescription, describe_arguments
from services.tools.tool import Effect, Tool
from ui import session
from ui.arguments.fields import field_label
from ui.arguments.form import draw_form, error_message, submits_on_enter
from ui.connections.connect_dialog import open_connect_dialog
from ui.error_boundary import show_error
from ui.tool_names import tool_title, with_titles
from ui.toolbox.tool_switch import draw_switch_off, draw_switch_on

EFFECTS = {
    Effect.READ: (":material/visibility:", gettext_noop("Only reads")),
    Effect.RECORD: (":material/edit_note:", gettext_noop("Keeps something in Homeroom, when you ask for it")),
    Effect.WRITE: (":material/edit:", gettext_noop("Changes something, after you approve")),
    Effect.OUTBOUND: (":material/send:", gettext_noop("Sends something out, after you approve")),
}
EXCLUSION_LABELS = {
    ExclusionKind.NOT_CONNECTED: gettext_noop("needs an account"),
    ExclusionKind.CONNECTION_EXPIRED: gettext_noop("reconnect its account"),
    ExclusionKind.CONNECTION_REVOKED: gettext_noop("reconnect its account"),
    ExclusionKind.CONNECTION_LOCKED: gettext_noop("cannot be opened right now"),
    ExclusionKind.SERVER_DOWN: gettext_noop("not answering now"),
    ExclusionKind.CHANGED_DESCRIPTION: gettext_noop("waits for a check"),
    ExclusionKind.NOT_SET_UP: gettext_noop("not set up here"),
    ExclusionKind.OFF_FOR_STUDENT: gettext_noop("switched off by you"),
}
NOT_AVAILABLE = gettext_noop("not available")
NOT_SWITCHED_ON = gettext_noop("not switched on")
LONGEST_SUMMARY = 90


def draw_tool_card(student: Student, listing: ToolAvailability) -> None:
    """Draw an expander; its content only while it is open."""
    tool, reason = listing.tool, listing.reason
    icon = ":material/check_circle:" if reason is None else ":material/do_not_disturb_on:"
    state = "" if reason is None else f" · :gray[{gettext(_exclusion_label(reason))}]"
    label = f"**{literal(tool_title(tool))}**{state}  \n:small[:gray[{literal(summary_line(tool))}]]"
    card = st.expander(label, icon=icon, key=f"tool-{tool.name}", on_change="rerun")
    if card.open:
        with card:
            _draw_details(student, tool, reason)


def _exclusion_label(reason: Exclusion) -> str:
    integration = session.services().integrations.get(reason.integration or "")
    if reason.kind is ExclusionKind.NOT_CONNECTED and integration is not None and not integration.needs_account:
        return NOT_SWITCHED_ON
    return EXCLUSION_LABELS.get(reason.kind, NOT_AVAILABLE)


def summary_line(tool: Tool) -> str:
    """Summary in one line: ours in the student's language, others' in their own words."""
    if tool.summary and tool.server is None:
        return gettext(tool.summary)
    first = " ".join(_description(tool).split()).partition(". ")[0].rstrip(".")
    return first if len(first) <= LONGEST_SUMMARY else f"{first[: LONGEST_SUMMARY - 1].rpartition(' ')[0]} …"


def is_in_own_words(tool: Tool) -> bool:
    """Whether to show its examples to the student: ours are in English, for the model."""
    return tool.server is not None or get_language() == "en"


def _description(tool: Tool) -> str:
    """Description without the prefix that names its server, which the line above shows."""
    return plain(tool.description).removeprefix(f"From the MCP server {tool.server}. ")


def _draw_details(student: Student, tool: Tool, reason: Exclusion | None) -> None:
    icon, text = EFFECTS[tool.effect]
    origin = gettext("from the tool server {server}", server=literal(tool.server)) if tool.server else ""
    st.caption(" · ".join(filter(None, (f"{icon} {gettext(text)}", f"`{tool.name}`", origin))))
    if reason is not None:
        _draw_exclusion(student, tool, reason)
    if is_in_own_words(tool):
        _draw_examples(tool)
    if reason is None and not tool.effect.is_change:
        _draw_try_form(student, tool)
    elif reason is None and tool.effect.needs_approval:
        st.caption(gettext("Ask for it in the chat: you see exactly what would change before you approve."))
    if reason is None or reason.kind is not ExclusionKind.OFF_FOR_STUDENT:
        draw_switch_off(student, tool)
    _draw_description(tool)


def _draw_description(tool: Tool) -> None:
    """Description for the model. A server's is shown as literal text: it must not imitate a part of the page."""
    text = _description(tool)
    label = (
        gettext("What the assistant is told")
        if is_in_own_words(tool)
        else gettext("What the assistant is told, in English")
    )
    with st.expander(label, type="step", icon=":material/school:"):
        st.markdown(literal(text) if tool.server else sanitise(text, allowed=frozenset()))
        if not is_in_own_words(tool):
            _draw_examples(tool)
        _draw_hints(tool)
        _draw_arguments(tool)


def _draw_exclusion(student: Student, tool: Tool, reason: Exclusion) -> None:
    is_operators = bool(reason.setup) and session.services().keys.is_instructor(student)
    step = reason.setup if is_operators else reason.next_step
    st.info(f"{literal(gettext(reason.sentence))} {literal(gettext(step))}", icon=":material/info:")
    if reason.kind is ExclusionKind.OFF_FOR_STUDENT:
        draw_switch_on(student, tool)
        return
    integration = session.services().integrations.get(reason.integration or "")
    if integration is None:
        return
    connection = session.services().connections.all(student.id).get(integration.id)
    if connection is not None and connection.health is Health.UNREACHABLE:
        if st.button(gettext("Go to Connections"), key=f"connect-{tool.name}", icon=":material/cable:"):
            st.switch_page(CONNECTIONS_PAGE.script)
        return
    template = gettext_noop("Connect {service}") if connection is None else gettext_noop("Reconnect {service}")
    if st.button(
        gettext(template, service=gettext(integration.label)), key=f"connect-{tool.name}", icon=":material/add_link:"
    ):
        open_connect_dialog(student, integration)


def _draw_hints(tool: Tool) -> None:
    lines = [
        *_hint_lines(gettext_noop("For: {what}"), [tool.usage_hint] if tool.usage_hint else tool.when),
        *_hint_lines(gettext_noop("Not for: {what}"), tool.when_not),
        *_hint_lines(gettext_noop("Gives: {what}"), tool.produces),
    ]
    if lines:
        st.markdown("\n".join(lines))


def _draw_examples(tool: Tool) -> None:
    if lines := _hint_lines(gettext_noop("Such as: {what}"), [example.description for example in tool.examples]):
        st.markdown(lines[0])


def _hint_lines(line: str, sentences: Sequence[str]) -> list[str]:
    joined = " · ".join(literal(sentence.rstrip(".")) for sentence in sentences)
    return ["- " + gettext(line, what=joined)] if joined else []


def _draw_arguments(tool: Tool) -> None:
    found = describe_arguments(tool.schema)
    if not found:
        st.caption(gettext("It needs nothing from you."))
        return
    lines = [
        {gettext("Field"): _argument_name(argument), gettext("What it means"): literal(argument.words)}
        for argument in found
    ]
    st.table(lines, border="horizontal", hide_index=True)


def _argument_name(argument: ArgumentDescription) -> str:
    kind = literal(argument.kind)
    return f"**{literal(argument.name)}** · " + (
        kind if argument.is_required else gettext("{kind}, optional", kind=kind)
    )


def _draw_try_form(student: Student, tool: Tool) -> None:
    with st.form(f"try-{tool.name}", enter_to_submit=submits_on_enter(tool.schema)):
        st.markdown(gettext("**Try it**"))
        arguments = draw_form(tool.schema, {}, key=f"try-{tool.name}", with_ids=True)
        is_sent = st.form_submit_button(gettext("Run"), icon=":material/play_arrow:")
    if is_sent:
        try:
            with st.spinner(f"{literal(gettext(tool.label))} …"):
                gateway = session.services().gateway
                _draw_result(tool, gateway.call(student, tool.name, arguments, asked_by="the Tools page", by_hand=True))
        except BadArguments as error:
            st.info(literal(_with_labels(error_message(error), tool)), icon=":material/edit:")
        except HomeroomError as error:
            show_error(error)


def _draw_result(tool: Tool, result: ToolResult) -> None:
    if not result.success:
        # Wrong input is not a failure.
        draw, icon = (st.info, ":material/edit:") if result.said else (st.error, ":material/error:")
        draw(literal(_with_labels(result.trouble or gettext("This did not work."), tool)), icon=icon)
        return
    origin = session.services().settings.public_url
    known = linkable_urls((), [source.url for source in result.sources], own_origin=origin)
    with st.container(border=True):
        st.markdown(sanitise(_with_blank_lines(result.output or json.dumps(result.data)), allowed=known))


def _with_labels(text: str, tool: Tool) -> str:
    """Text with the labels of arguments and tools in place of their names."""
    labels = {argument.name: field_label(argument.name) for argument in describe_arguments(tool.schema)}
    return with_titles(text, labels)


def _with_blank_lines(output: str) -> str:
    """Text with a blank line after each list: Markdown would join the next line to its last point."""
    return re.sub(r"(?m)^(- .*)\n(?=[^\s-])", r"\1\n\n", output)
