"""Form of a draft: its words, how far it helps, its tools, and more; what is typed makes a draft at once, unsaved."""

from typing import Any

import streamlit as st

from services.assistants.class_assistant import AssistantDraft
from services.assistants.integrity import LEVELS, level_of
from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.integrations.calendar.provider import READ
from services.tools.tool import heading
from ui import session
from ui.classroom.assistants.draft_fields import (
    calendar_of,
    changed,
    field_key,
    keep_text,
    read_rows,
    shown_at_first,
    written_links,
)
from ui.error_boundary import show_error
from ui.tool_names import title_by_name

WORDS_HEIGHT = 220
MODELS = {"quick": gettext_noop("Quick"), "thorough": gettext_noop("Thorough")}


def draw_draft_form(form: dict[str, Any]) -> AssistantDraft | None:
    """Draw the fields; returns the draft that they make, None while something in them does not fit, which is told."""
    draft = shown_at_first(form)
    values: dict[str, Any] = {}
    values |= _draw_words(form, draft)
    values |= _draw_policy(form, draft)
    with st.expander(gettext("Tools"), icon=":material/build:"):
        values |= _draw_tools(form, draft)
    with st.expander(gettext("Links, feeds and more"), icon=":material/tune:"):
        values |= _draw_more(form, draft)
    try:
        if not values["name"]:
            raise BadArguments(gettext("An assistant needs a name."), field="name", next_step=gettext("Write one."))
        texts = {name: values.pop(name) for name in ("links", "feeds")}
        values["links"] = read_rows(texts["links"], ("title", "url", "note"), draft.links)
        values["feeds"] = read_rows(texts["feeds"], ("title", "url"), draft.feeds)
        typed = form["typed"] = changed(draft, **values)
        return typed
    except BadArguments as error:
        show_error(error)
        return None


def _draw_words(form: dict[str, Any], draft: AssistantDraft) -> dict[str, Any]:
    name = st.text_input(
        gettext("Name"),
        draft.name,
        max_chars=40,
        key=field_key(form, "name"),
        on_change=keep_text,
        args=(form, "name", "name"),
    )
    summary = st.text_input(
        gettext("What it is for"),
        draft.summary,
        max_chars=200,
        key=field_key(form, "summary"),
        on_change=keep_text,
        args=(form, "summary", "summary"),
        placeholder=gettext("A sentence that students read when they choose it"),
    )
    words = st.text_area(
        gettext("Words for the assistant"),
        draft.words,
        max_chars=8000,
        height=WORDS_HEIGHT,
        key=field_key(form, "words"),
        on_change=keep_text,
        args=(form, "words", "words"),
        help=gettext("What it should do and how. It reads them with every question; students do not see them."),
        placeholder=gettext("Such as: Use the terms of our lecture. Before an example, ask which unit it is about."),
    )
    return {"name": name.strip(), "summary": summary.strip(), "words": words}


def _draw_policy(form: dict[str, Any], draft: AssistantDraft) -> dict[str, Any]:
    level = st.radio(
        gettext("How far it helps"),
        [level.id for level in LEVELS],
        index=[level.id for level in LEVELS].index(draft.level),
        format_func=lambda id: gettext(level_of(id).label),
        captions=[gettext(level.sentence) for level in LEVELS],
        key=field_key(form, "level"),
    )
    own = st.text_area(
        gettext("Your own rules"),
        draft.integrity,
        max_chars=500,
        key=field_key(form, "own-rules"),
        on_change=keep_text,
        args=(form, "own-rules", "integrity"),
        help=gettext("Students read them beside the level, always; the assistant keeps to them."),
        placeholder=gettext("Such as: In lab reports name what it helped with."),
    )
    st.caption(gettext("At every level it writes nothing that students hand in, and answers no running quiz or exam."))
    return {"level": level, "integrity": own.strip()}


def _draw_tools(form: dict[str, Any], draft: AssistantDraft) -> dict[str, Any]:
    tools = session.services().root_tools.tools()
    categories = list(dict.fromkeys(tool.category for tool in tools))
    chosen = st.pills(
        gettext("Kinds of tools"),
        categories,
        selection_mode="multi",
        default=[each for each in categories if draft.uses_category(each)],
        format_func=lambda category: gettext(heading(category)),
        key=field_key(form, "categories"),
        help=gettext("What a student has not connected, it cannot use either."),
    )
    names = [tool.name for tool in tools]
    extra, off = (
        st.multiselect(
            label,
            names,
            default=[name for name, is_on in draft.switches.items() if is_on is wanted and name in names],
            format_func=title_by_name,
            key=field_key(form, key),
            placeholder=gettext("Choose tools"),
        )
        for wanted, key, label in (
            (True, "on", gettext("Also these single tools")),
            (False, "off", gettext("But not these")),
        )
    )
    # A tool of a server that is down now is none that the form knows: its switch stays.
    kept = {name: is_on for name, is_on in draft.switches.items() if name not in names}
    servers = _draw_servers(form, draft)
    is_all = set(chosen) == set(categories)
    return {
        "categories": None if is_all else tuple(chosen),
        "switches": {**kept, **dict.fromkeys(extra, True), **dict.fromkeys(off, False)},
        **servers,
    }


def _draw_servers(form: dict[str, Any], draft: AssistantDraft) -> dict[str, Any]:
    servers = session.services().settings.mcp_servers
    if not servers:
        return {}
    chosen = st.multiselect(
        gettext("Tool servers"),
        list(servers),
        default=[name for name in servers if draft.mcp_servers is None or name in draft.mcp_servers],
        format_func=lambda name: servers[name].label,
        key=field_key(form, "servers"),
        placeholder=gettext("Choose tool servers"),
    )
    is_all = draft.mcp_servers is None and len(chosen) == len(servers)
    return {"mcp_servers": None if is_all else tuple(chosen)}


def _draw_more(form: dict[str, Any], draft: AssistantDraft) -> dict[str, Any]:
    links = st.text_area(
        gettext("Links"),
        written_links(draft.links),
        key=field_key(form, "links"),
        help=gettext("Pages worth knowing, one in a line: title | address | what it is good for"),
        placeholder=gettext("Tutoring centre | https://… | walk-in hours"),
    )
    feeds = st.text_area(
        gettext("Feeds"),
        written_links(draft.feeds),
        key=field_key(form, "feeds"),
        help=gettext("RSS or Atom feeds, one in a line: title | address"),
        placeholder=gettext("News of the course | https://…"),
    )
    model = st.segmented_control(
        gettext("How it answers"),
        list(MODELS),
        default=draft.model,
        required=True,
        format_func=lambda id: gettext(MODELS[id]),
        key=field_key(form, "model"),
        help=gettext("What an answer begins with; a student may choose the other one for their chat."),
    )
    steps = st.slider(
        gettext("Steps of an answer"),
        1,
        40,
        draft.max_steps,
        key=field_key(form, "steps"),
        help=gettext("How often it may look something up and think again before it must answer."),
    )
    is_guided = st.toggle(
        gettext("Guides study"),
        draft.is_guided,
        key=field_key(form, "guided"),
        help=gettext("Students get buttons for a hint and for the explanation below their chat."),
    )
    return {
        "links": links,
        "feeds": feeds,
        "model": model,
        "max_steps": steps,
        "is_guided": is_guided,
        **_draw_calendar(form, draft),
    }


def _draw_calendar(form: dict[str, Any], draft: AssistantDraft) -> dict[str, Any]:
    found = {id: each.label for id, each in session.services().integrations.items() if READ in each.capabilities}
    if len(found) < 2:
        return {}
    labels = {"": gettext("Whatever the student has connected"), **found}
    current = draft.calendar.provider if draft.calendar.provider in labels else ""
    provider = st.selectbox(
        gettext("Calendar"),
        list(labels),
        index=list(labels).index(current),
        format_func=lambda id: gettext(labels[id]),
        key=field_key(form, "calendar"),
    )
    return {"calendar": calendar_of(provider, draft.calendar) if provider != current else draft.calendar}
