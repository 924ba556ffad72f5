"""Places of a reminder: where it can go for this student now, and where it goes when nobody says."""

from datetime import datetime
from typing import Literal

from services.errors import BadArguments, ServiceError
from services.i18n import gettext, gettext_noop
from services.integrations.calendar.access import write_target
from services.reminders.preferences import Channel, PreferencesRepository
from services.reminders.push_subscriptions import PushSubscriptions
from services.tools.context import ToolExecutionContext

Place = Literal["notification", "email", "calendar", "planner"]
CHANNELS: dict[Place, Channel] = {"notification": Channel.PUSH, "email": Channel.EMAIL}
LABELS: dict[Place, str] = {
    "notification": gettext_noop("a notification in your browsers"),
    "email": gettext_noop("an e-mail"),
    "calendar": gettext_noop("an entry in your calendar"),
    "planner": gettext_noop("a task with a time in your planner"),
}


def choose_place(context: ToolExecutionContext, wanted: Place | None) -> Place:
    """The place that was asked for, or the first that reaches them; raises `BadArguments` for one that is off."""
    channels = _open_channels(context)
    if wanted in CHANNELS and CHANNELS[wanted] not in channels:
        raise BadArguments(
            gettext(
                "where: {place} is not switched on. Switch it on under Settings, in Reminders, or choose another way.",
                place=gettext(LABELS[wanted]),
            ),
            field="where",
        )
    if wanted is not None:
        return wanted
    for place, channel in CHANNELS.items():
        if channel in channels:
            return place
    return "calendar" if _has_calendar(context) else "planner"


def _open_channels(context: ToolExecutionContext) -> set[Channel]:
    """Channels that the operator has set up, the student has switched on, and that lead somewhere."""
    store, clock, settings = context.container.store, context.container.clock, context.container.settings
    wanted, student = PreferencesRepository(store, clock).get(context.student.id), context.student
    is_there = {
        Channel.EMAIL: bool(settings.mail_server and student.is_email_verified and student.email),
        Channel.PUSH: bool(settings.vapid_key and PushSubscriptions(store, clock).of(student.id)),
    }
    return {channel for channel in Channel if wanted.is_on(channel) and is_there[channel]}


def _has_calendar(context: ToolExecutionContext) -> bool:
    try:
        write_target(context, None)
    except ServiceError:
        return False
    return True


def remind_at(moment: datetime, context: ToolExecutionContext) -> datetime:
    """The moment, unless it is over; raises `BadArguments`. Of an approved one that has just gone by it is now."""
    now = context.now()
    if moment > now:
        return moment
    if context.operation_id is not None:
        return now
    raise BadArguments(gettext("That time is over. Give one that is still to come."), field="at")
