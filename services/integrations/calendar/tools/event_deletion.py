"""Tool that deletes an event, or a series from some day on or as a whole; with approval card and undo."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from services.errors import ItemNotFound
from services.i18n import gettext, gettext_noop
from services.integrations.calendar.access import calendar_write_tool, integration_of_event, write_calendars
from services.integrations.calendar.approval_rows import deletion_rows
from services.integrations.calendar.event import Event
from services.integrations.calendar.event_arguments import EventId, undo_record, undo_write
from services.integrations.calendar.event_changes import changeable_event, scope_of
from services.integrations.calendar.provider import EventChanges, Plan, Scope, WritableCalendars, WriteOutcome
from services.integrations.calendar.tools.event_update import AppliesTo, changed_meanwhile
from services.integrations.kit.writes import earlier_plan, is_card_stale, load_or_save_plan
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Example


def preview_deletion(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Build the approval card of the event to delete."""
    given = calendar_delete_event.validate(arguments)

    def look(_: ToolExecutionContext, provider: WritableCalendars) -> tuple[PreviewRow, ...]:
        event = changeable_event(provider, given["event_id"], context)
        scope = scope_of(event, given["applies_to"])
        provider.removing(event, scope, key="preview")
        return deletion_rows(provider.changed(event, EventChanges(), scope), scope, notify=given["notify_guests"])

    return write_calendars(context, integration_of_event(context, given["event_id"]), look)


def undo_deletion(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Restore the event; as a new copy when its calendar has forgotten the old one."""
    return undo_write(context, undo, gettext_noop("{titles} is back in the calendar."))


@calendar_write_tool(
    label=gettext_noop("Deleting from your calendar"),
    title=gettext_noop("Delete from your calendar"),
    summary=gettext_noop("Delete an event"),
    preview=preview_deletion,
    undo=undo_deletion,
    usage_hint="Takes one event, or a series, out of the calendar.",
    when=("the student asks to cancel or remove an event",),
    when_not=("it is only to be moved or renamed", "it is not clear yet which event is meant"),
    examples=(
        Example(
            description="Cancel robotics club from next week on.",
            arguments={"event_id": "google_calendar/abc123_20261203T003000Z", "applies_to": "following"},
        ),
    ),
)
def calendar_delete_event(
    context: ToolExecutionContext,
    *,
    event_id: EventId,
    applies_to: AppliesTo = Scope.THIS,
    notify_guests: Annotated[
        bool,
        Field(description="Whether guests get a cancellation by e-mail; ask if the student did not say."),
    ] = False,
) -> ToolResult:
    """Delete an event from the student's calendars."""
    integration = integration_of_event(context, event_id)

    def act(current: ToolExecutionContext, provider: WritableCalendars) -> WriteOutcome | None:
        plan = earlier_plan(current)
        if plan is None:
            event = _there(provider, event_id, current)
            if event is None:
                return None
            plan = load_or_save_plan(
                current, lambda key: _plan(current, provider, event, applies_to, notify_guests, key)
            )
        return provider.carry_out(plan, current.timezone)

    done = write_calendars(context, integration, act)
    label = context.container.integrations[integration].label
    if done is None:
        return ToolResult(
            output=gettext("The event had been deleted from the calendar already ({label}).", label=label)
        )
    event = done.events[0]
    what = {
        Scope.FOLLOWING: gettext(", with all that follow"),
        Scope.ALL: gettext(", with the whole series"),
    }
    when = event.shown + what.get(scope_of(event, applies_to), "")
    told = gettext(" Its guests, if it had any, get an e-mail.") if notify_guests else ""
    return ToolResult(
        output=gettext(
            "Deleted “{title}”, {when}, from the calendar ({label}).", title=event.title, when=when, label=label
        )
        + told,
        data={"id": event.id, "title": event.title},
        undo=undo_record(integration, done.undo, event.title),
    )


def _there(provider: WritableCalendars, event_id: str, context: ToolExecutionContext) -> Event | None:
    """Read the event; None when it is already gone."""
    try:
        return changeable_event(provider, event_id, context)
    except ItemNotFound:
        return None


def _plan(
    context: ToolExecutionContext,
    provider: WritableCalendars,
    event: Event,
    wanted: Scope,
    notify: bool,
    key: str,
) -> Plan:
    scope = scope_of(event, wanted)
    shown = provider.changed(event, EventChanges(), scope)
    if is_card_stale(context, deletion_rows(shown, scope, notify=notify)):
        raise changed_meanwhile(provider.label)
    return provider.removing(event, scope, key=key, notify=notify)
