"""Difference between two drafts of an assistant, field by field, for a person."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.assistants.class_assistant import AssistantDraft
from services.assistants.integrity import level_of
from services.i18n import gettext, gettext_noop

FIELDS: Mapping[str, str] = {
    "name": gettext_noop("Name"),
    "summary": gettext_noop("What it is for"),
    "words": gettext_noop("Words for the assistant"),
    "level": gettext_noop("How far it helps"),
    "integrity": gettext_noop("Your own rules"),
    "model": gettext_noop("How it answers"),
    "max_steps": gettext_noop("Steps of an answer"),
    "categories": gettext_noop("Kinds of tools"),
    "switches": gettext_noop("Single tools"),
    "mcp_servers": gettext_noop("Tool servers"),
    "confirm": gettext_noop("Tools that ask first"),
    "is_guided": gettext_noop("Guides study"),
    "links": gettext_noop("Links"),
    "feeds": gettext_noop("Feeds"),
    "calendar": gettext_noop("Calendar"),
}
"""Names of the fields in words, marked for the message catalogue, in the order of the form."""


@dataclass(frozen=True, kw_only=True)
class FieldChange:
    """Change of a field. lines: those that went, after "- ", and those that came, after "+ "; "  " before the same."""

    field: str
    lines: Sequence[str]

    @property
    def title(self) -> str:
        return gettext(FIELDS[self.field])


def difference(before: AssistantDraft, after: AssistantDraft, categories: Sequence[str] = ()) -> Sequence[FieldChange]:
    """What differs, in the order of the form. categories: of all tools, which a draft without a choice uses."""
    return [
        FieldChange(
            field=field,
            lines=tuple(_changed_lines(_lines(before, field, categories), _lines(after, field, categories))),
        )
        for field in FIELDS
        if getattr(before, field) != getattr(after, field)
    ]


def _changed_lines(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Lines with one of context around each change."""
    is_first = True
    for line in list(difflib.unified_diff(before, after, n=1, lineterm=""))[2:]:
        if not line.startswith("@@"):
            yield f"{line[:1]} {line[1:]}"
        elif not is_first:
            yield "…"
        is_first = False


def _lines(draft: AssistantDraft, field: str, categories: Sequence[str]) -> list[str]:
    value = getattr(draft, field)
    if field == "categories" and value is None and categories:
        value = categories
    match field:
        case "level":
            return [gettext(level_of(value).label)]
        case "categories" | "mcp_servers":
            return [gettext("all")] if value is None else sorted(value)
        case "switches":
            return [f"{name}: {gettext('on') if is_on else gettext('off')}" for name, is_on in sorted(value.items())]
        case "links" | "feeds":
            return [" | ".join(filter(None, (each.title, each.url, getattr(each, "note", "")))) for each in value]
        case "calendar":
            return [" ".join(filter(None, (value.provider, value.calendar_id))) or gettext("whatever they connected")]
        case "is_guided":
            return [gettext("on") if value else gettext("off")]
        case "confirm":
            return sorted(value)
    return str(value).splitlines()
