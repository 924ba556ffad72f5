"""Access to a student's calendars: which provider and calendar a tool reads, and where it writes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from services.connections import messages
from services.errors import BadArguments, ItemNotFound, ReconnectRequired, RequestRefused
from services.i18n import gettext
from services.integrations.calendar.provider import (
    FRESH_FOR_S,
    READ,
    WRITE,
    Calendar,
    CalendarProvider,
    WritableCalendars,
)
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches
from services.integrations.kit.writes import is_resolved
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.providers.credential_refresh import CredentialRefresh
from services.tools.tool import Effect

LABEL = "Calendar"
calendar_tool = partial(tool, category="calendar", contexts=("calendar",), timeout_s=30.0)
calendar_read_tool = partial(calendar_tool, capabilities=(READ,), fresh_for_s=FRESH_FOR_S)
calendar_write_tool = partial(calendar_tool, effect=Effect.WRITE, capabilities=(WRITE,))
"""Decorators of the tools of the category."""

Result = TypeVar("Result")
_BARE_ID = re.compile(r"[a-v0-9]{5,}(_[0-9TZ]+)?")
"""Id of an event from before ids began with the provider's mark."""


@dataclass(frozen=True, kw_only=True)
class WriteTarget:
    """Calendar that is written to. integration: whose connection it takes. calendar: its id, "" for the main one.

    name: of the calendar, for the student.
    """

    integration: str
    label: str
    calendar: str = ""
    name: str
    is_main: bool = False
    timezone: str = field(default="")

    @property
    def reference(self) -> str:
        """Value of the argument `calendar` that means this calendar and no other: its id, or a mark with a slash for
        the main one of that integration.
        """
        return self.calendar or f"{self.integration}/"


def readable_integrations(context: ToolExecutionContext) -> list[str]:
    """List the connected integrations with calendars, writable ones first; only the assistant's, if it names one.

    Raises `ReconnectRequired` when there is none.
    """
    return _live(context, READ)


def provider_of(context: ToolExecutionContext, integration: str) -> CalendarProvider:
    """Calendar provider of the student's connection, with a fresh deadline for this call."""
    provider: CalendarProvider = context.client(integration).started()
    return provider


def read_calendars(
    context: ToolExecutionContext, integration: str, action: Callable[[CalendarProvider], Result]
) -> Result:
    """Read with one provider: a refused credential is refreshed once, and the connection's health kept current."""
    return _credential_refresh(context).run(
        context, integration, lambda current: action(provider_of(current, integration))
    )


def write_calendars(
    context: ToolExecutionContext,
    integration: str,
    action: Callable[[ToolExecutionContext, WritableCalendars], Result],
) -> Result:
    """Write with one provider, like `read_calendars`; the context given to `action` says whether this is a repeat."""

    def act(current: ToolExecutionContext) -> Result:
        provider = provider_of(current, integration)
        if not isinstance(provider, WritableCalendars):
            step = gettext("Change it where the feed comes from, or connect a calendar that can be changed.")
            sentence = gettext("This is in {label}, which can only be read.", label=gettext(provider.label))
            raise RequestRefused(provider.label, sentence, next_step=step)
        return action(current, provider)

    return _credential_refresh(context).run(context, integration, act)


def integration_of_event(context: ToolExecutionContext, event_id: str) -> str:
    """Integration of an event's id; without a mark, the first whose events can be changed."""
    mark, slash, _ = event_id.partition("/")
    if not slash and not _BARE_ID.fullmatch(event_id):
        raise BadArguments(
            f"event_id: “{event_id}” is not an id. calendar_list_events gives ids; its search takes words.",
            field="event_id",
            said=gettext("“{words}” is not the id of an event.", words=event_id),
        )
    if mark in (live := _live(context, READ)):
        return mark
    if mark in context.container.integrations:
        label = context.container.integrations[mark].label
        raise ReconnectRequired(label, messages.not_connected_any_more(label))
    return next((id for id in live if WRITE in context.container.integrations[id].capabilities), live[0])


def all_calendars(context: ToolExecutionContext) -> list[tuple[str, Calendar]]:
    """List every calendar of every provider with its integration; only the assistant's, if it names one.

    Raises `ItemNotFound` when that is none of the student's.
    """
    only = assistant_calendar(context)
    return list(_all(context)) if only is None else [only]


def assistant_calendar(context: ToolExecutionContext) -> tuple[str, Calendar] | None:
    """Calendar that the assistant is restricted to, with its integration; None without a restriction.

    Raises `ItemNotFound` when it is none of the student's.
    """
    wanted = context.assistant.calendar.calendar_id
    if not wanted:
        return None
    for id, calendar in _all(context):
        if wanted in (calendar.id, calendar.id.partition("/")[2]):
            return id, calendar
    raise ItemNotFound(
        LABEL,
        gettext("{name} works with a calendar that is not among the connected ones.", name=context.assistant.name),
        next_step=gettext("Pick another assistant for other calendars."),
    )


def _all(context: ToolExecutionContext) -> Iterator[tuple[str, Calendar]]:
    for id in readable_integrations(context):
        for calendar in read_calendars(context, id, lambda provider: provider.calendars()):
            yield id, calendar


def calendar_named(context: ToolExecutionContext, words: str) -> tuple[str, Calendar]:
    """Find a calendar by its name or id; raises `BadArguments` with the names there are."""
    known = all_calendars(context)
    wanted = " ".join(words.casefold().split())
    exact = [pair for pair in known if wanted == pair[1].id.casefold()]
    main = [pair for pair in known if pair[1].is_main] if wanted in ("main", "primary", "my calendar") else []
    found = exact or main or best_matches(known, words, lambda pair: (pair[1].name,))
    if len(found) == 1:
        return found[0]
    choices = [NameChoice(name=calendar.name, id=calendar.id) for _, calendar in found or known]
    raise several_fit("calendar", words, choices) if found else none_fits("calendar", words, choices)


def write_target(context: ToolExecutionContext, words: str | None) -> WriteTarget:
    """Choose where a new event goes: the calendar that was named, the assistant's, or the student's main one."""
    only = assistant_calendar(context)
    integration = words.removesuffix("/") if words and words.endswith("/") else ""
    is_in_reach = only is None or (only[0], only[1].is_main) == (integration, True)
    if integration in context.container.integrations and is_in_reach:
        return _main_calendar(context, integration)
    if words:
        found = _approved_calendar(context, words) if "/" in words else None
        found = found or calendar_named(context, words)
        if not found[1].can_write:
            raise BadArguments(
                gettext("calendar: “{name}” can only be read; choose another.", name=found[1].name), field="calendar"
            )
        return _place(*found)
    if only is not None:
        if not only[1].can_write:
            raise RequestRefused(
                only[1].provider,
                gettext("“{name}” can only be read, and this assistant works with it alone.", name=only[1].name),
                next_step=gettext("Pick another assistant for other calendars."),
            )
        return _place(*only)
    return _main_calendar(context, _live(context, WRITE)[0])


def _main_calendar(context: ToolExecutionContext, integration: str) -> WriteTarget:
    label = context.container.integrations[integration].label
    if integration not in _live(context, WRITE):
        raise ReconnectRequired(label, messages.not_connected_any_more(label))
    return WriteTarget(integration=integration, label=label, name=gettext("the main calendar"), is_main=True)


def _approved_calendar(context: ToolExecutionContext, id: str) -> tuple[str, Calendar] | None:
    """Calendar of an id; raises `ItemNotFound` for that of an approved card which is gone. None for words."""
    found = next((pair for pair in all_calendars(context) if pair[1].id == id), None)
    if found is None and is_resolved(context, "calendar"):
        raise ItemNotFound(
            LABEL,
            gettext(
                "The calendar that the card shows is not there any more, so nothing was added. Ask for it "
                "again and name another one."
            ),
        )
    return found


def _place(integration: str, calendar: Calendar) -> WriteTarget:
    return WriteTarget(
        integration=integration,
        label=calendar.provider,
        calendar="" if calendar.is_main else calendar.id,
        name=gettext("the main calendar ({name})", name=calendar.name) if calendar.is_main else calendar.name,
        is_main=calendar.is_main,
    )


def _credential_refresh(context: ToolExecutionContext) -> CredentialRefresh:
    return CredentialRefresh(context.container.connections)


def _live(context: ToolExecutionContext, capability: str) -> list[str]:
    offered, wanted = context.container.integrations, context.assistant.calendar.provider
    live = [
        id
        for id, connection in context.connections.items()
        if id in offered and capability in offered[id].capabilities and connection.health.offers_tools
    ]
    permitted = [id for id in live if id == wanted] if wanted else live
    if not permitted:
        label = offered[wanted].label if wanted in offered else LABEL
        raise ReconnectRequired(
            label,
            messages.not_connected(label),
            next_step=gettext(messages.OPEN_AND_CONNECT),
        )
    order = list(offered)
    return sorted(permitted, key=lambda id: (WRITE not in offered[id].capabilities, order.index(id)))
