"""Fields of a draft as the form holds them, and the draft that they make."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from services.assistants.assistant import CalendarChoice
from services.assistants.class_assistant import AssistantDraft, parse_draft
from services.classes.assistants.assistant_record import written_draft
from services.classes.assistants.unsaved_drafts import UnsavedDraft
from services.errors import BadArguments
from services.i18n import gettext

PARTS = " | "
_FORM = "assistant-form"


def form_of(
    draft: AssistantDraft, seen: int, *, unsaved: Callable[[], UnsavedDraft | None] = lambda: None
) -> dict[str, Any]:
    """What the form of this assistant holds in this session; begun anew from the draft where there is nothing of it.

    seen: the version of the draft, which the form keeps until it is saved. unsaved: what was typed into it before this
    session, if anything; the form's "kept" is what is stored of that.
    """
    forms: dict[str, dict[str, Any]] = st.session_state.setdefault(_FORM, {})
    if draft.id not in forms:
        form = forms[draft.id] = {"seen": seen, "draft": draft, "typed": draft, "round": 0, "kept": None}
        if (found := unsaved()) is not None:
            form.update(seen=found.seen, draft=found.began, typed=found.typed, kept=found.typed)
    form = forms[draft.id]
    if not _is_drawn(form) and form["typed"] == form["draft"]:
        form.update(seen=seen, draft=draft, typed=draft)
    return form


def begin_anew(draft: AssistantDraft, seen: int) -> None:
    """Let the form hold this draft; its fields get other keys, as Streamlit keeps what was typed under the old ones."""
    form = form_of(draft, seen)
    form.update(seen=seen, draft=draft, typed=draft, round=form["round"] + 1)


def was_saved(draft: AssistantDraft, seen: int) -> None:
    """Note that what the form holds is this version now."""
    form_of(draft, seen).update(seen=seen, draft=draft)


def shown_at_first(form: dict[str, Any]) -> AssistantDraft:
    """What the fields begin with: after a look at another view, which drops them, what was typed before it."""
    if not _is_drawn(form):
        form["base"] = form["typed"]
    base: AssistantDraft = form["base"]
    return base


def keep_text(form: dict[str, Any], name: str, field: str) -> None:
    """Keep what was typed last, also where the same click leads away from the form, which is then not drawn again.

    name: of the text's widget. field: of the draft.
    """
    text = str(st.session_state[field_key(form, name)]).strip()
    if text or field != "name":
        form["typed"] = replace(form["typed"], **{field: text})


def _is_drawn(form: dict[str, Any]) -> bool:
    """Whether the run before has drawn the fields: Streamlit keeps no longer what is typed in one."""
    return field_key(form, "name") in st.session_state


def field_key(form: dict[str, Any], name: str) -> str:
    """Key of a field's widget."""
    return f"draft-{form['draft'].id}-{form['round']}-{name}"


def changed(draft: AssistantDraft, **values: Any) -> AssistantDraft:
    """The draft with these values; raises `BadArguments` for what does not fit."""
    return parse_draft({**written_draft(draft), **values})


def written_links(rows: Sequence[Any]) -> str:
    """Links or feeds as lines: title | address | note."""
    return "\n".join(PARTS.join(filter(None, (row.title, row.url, getattr(row, "note", "")))) for row in rows)


def read_rows(text: str, names: Sequence[str], before: Sequence[Any]) -> list[dict[str, Any]]:
    """Rows of lines with parts; raises `BadArguments` for a line without an address. before: what keeps its topics."""
    topics = {row.url: list(getattr(row, "topics", ())) for row in before}
    rows = []
    for line in text.splitlines():
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("|", len(names) - 1)]
        if len(parts) == 1 and parts[0].startswith(("https://", "http://")):
            parts = [parts[0].partition("://")[2].split("/")[0], parts[0]]
        if len(parts) < 2:
            raise BadArguments(
                gettext("This line has no address: {line}", line=line.strip()[:80]),
                next_step=gettext("Write a title, then “|”, then the whole address."),
            )
        row: dict[str, Any] = dict(zip(names, parts, strict=False))
        if "note" in names and topics.get(row["url"]):
            row["topics"] = topics[row["url"]]
        rows.append(row)
    return rows


def calendar_of(provider: str, before: CalendarChoice) -> CalendarChoice:
    """The choice of a calendar; the calendar's own id stays as long as its provider does."""
    return before if provider == before.provider else CalendarChoice(provider=provider)
