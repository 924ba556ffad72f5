"""Reminders card: channels, what each brings and when, a test of each, and what was sent lately."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import time, timedelta
from functools import cache, partial
from typing import Any

import streamlit as st

from services.errors import HomeroomError
from services.i18n import get_language, gettext, gettext_noop
from services.identity.students import Student
from services.reminders.deliveries import DeliveryStatus, Outcome
from services.reminders.outbox import ChannelObstacle
from services.reminders.preferences import Channel, ReminderPreferences, Topic
from services.reminders.push_subscriptions import PushSubscription, endpoint_hash
from services.safety.text import literal
from ui import session
from ui.error_boundary import error_boundary
from ui.flash_message import flash
from ui.session_guard import guarded_callback
from ui.settings.delivery_list import draw_deliveries, draw_timed_reminders

TOPICS = {
    Topic.DIGEST: gettext_noop("The morning digest"),
    Topic.DUE: gettext_noop("Due tomorrow and not begun"),
    Topic.GRADE: gettext_noop("A grade is in"),
    Topic.ANNOUNCEMENT: gettext_noop("An announcement"),
    Topic.MOVED: gettext_noop("A date has moved"),
}
TIMES = {
    "digest_at": gettext_noop("The digest comes at"),
    "quiet_from": gettext_noop("Quiet from"),
    "quiet_until": gettext_noop("Quiet until"),
}
STEP = timedelta(minutes=15)
PUSH_SWITCH = "push-switch"


def draw_reminders(student: Student) -> None:
    reminders = session.services().reminders
    st.markdown(gettext("## Reminders"))
    st.caption(gettext("Nothing is sent until you switch it on here, and you can switch it off at any time."))
    with error_boundary():
        wanted = reminders.preferences.get(student.id)
        _draw_email(student, wanted)
        _draw_push(student, wanted)
        if wanted.topics:
            _draw_times(student, wanted)
        draw_timed_reminders(student)
        draw_deliveries(student)


def _draw_email(student: Student, wanted: ReminderPreferences) -> None:
    st.markdown(gettext("### By e-mail"))
    obstacle = session.services().reminders.outbox.obstacle(student, Channel.EMAIL)
    if obstacle is ChannelObstacle.NOT_SET_UP:
        st.caption(
            gettext(
                "This Homeroom sends no e-mails yet. For whoever runs it: set `SMTP_URL`; `docs/deploy.md` tells how, "
                "under Reminders."
            )
        )
        return
    if obstacle is ChannelObstacle.UNVERIFIED:
        st.caption(gettext("E-mails go only to an address that your school's sign-in has confirmed, and yours is not."))
        return
    _draw_toggle(student, wanted, Channel.EMAIL, gettext("E-mails to {address}", address=literal(student.email)))
    if wanted.is_on(Channel.EMAIL):
        _draw_channel(student, wanted, Channel.EMAIL)


def _draw_push(student: Student, wanted: ReminderPreferences) -> None:
    reminders = session.services().reminders
    st.markdown(gettext("### As notifications"))
    if reminders.outbox.obstacle(student, Channel.PUSH) is ChannelObstacle.NOT_SET_UP:
        st.caption(
            gettext(
                "This Homeroom sends no notifications yet. For whoever runs it: set `HOMEROOM_VAPID_KEY`; "
                "`docs/deploy.md` tells how, under Reminders."
            )
        )
        return
    devices = reminders.outbox.devices(student)
    if devices:
        _draw_toggle(student, wanted, Channel.PUSH, gettext("Notifications on these devices"))
    _draw_push_switch(reminders.outbox.require_push().public_key, devices)
    for device in devices:
        with st.container(
            key=f"push-{device.id}", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            st.markdown(literal(device.name))
            st.button(
                gettext("Remove"),
                key=f"remove-push-{device.id}",
                help=gettext("No more notifications on {device}", device=literal(device.name)),
                on_click=_remove_device,
                args=(student, device.id),
            )
    if devices and wanted.is_on(Channel.PUSH):
        _draw_channel(student, wanted, Channel.PUSH)


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component("homeroom-live.chat", js="main.js", isolate_styles=False)


def _draw_push_switch(server_key: str, devices: Sequence[PushSubscription]) -> None:
    """Draw it; the page runs again when the browser's subscription was added or taken off."""
    _component()(
        key=PUSH_SWITCH,
        data={
            "part": "push",
            "key": server_key,
            "known": [endpoint_hash(device.endpoint) for device in devices],
            "words": _push_words(),
        },
        on_changed_change=lambda: None,
    )


def _push_words() -> dict[str, str]:
    return {
        "on": gettext("Notifications are on in this browser."),
        "off": gettext("Notifications are off in this browser."),
        "switch_on": gettext("Switch on in this browser"),
        "switch_off": gettext("Switch off in this browser"),
        "blocked": gettext(
            "This browser blocks notifications from Homeroom. Allow them in its settings for this page."
        ),
        "unsupported": gettext(
            "This browser takes no notifications. On an iPhone or iPad, add Homeroom to the home screen and open it "
            "from there."
        ),
        "failed": gettext("The browser could not switch notifications on. Try again in a moment."),
    }


def _draw_toggle(student: Student, wanted: ReminderPreferences, channel: Channel, label: str) -> None:
    # The store may be newer than what is shown in an older tab of this page.
    key = f"reminders-{channel}"
    st.session_state[key] = wanted.is_on(channel)
    st.toggle(label, key=key, on_change=_switch, args=(student, channel, key))


def _draw_channel(student: Student, wanted: ReminderPreferences, channel: Channel) -> None:
    # One widget for each language: Streamlit keeps showing the choice in the language it was made in.
    key = f"reminder-topics-{channel}-{get_language()}"
    st.session_state[key] = [topic for topic in Topic if wanted.wants(channel, topic)]
    st.pills(
        gettext("What comes by e-mail") if channel is Channel.EMAIL else gettext("What comes as a notification"),
        list(Topic),
        selection_mode="multi",
        format_func=lambda topic: gettext(TOPICS[topic]),
        key=key,
        on_change=_choose_topics,
        args=(student, channel, key),
    )
    st.caption(gettext("Reminders that you set for a time come here, too."))
    st.button(
        gettext("Send me a test"),
        key=f"reminder-test-{channel}",
        icon=":material/send:",
        on_click=_send_test,
        args=(student, channel),
    )


def _draw_times(student: Student, wanted: ReminderPreferences) -> None:
    st.markdown(gettext("### When"))
    shown: Mapping[str, time] = {name: getattr(wanted, name) for name in TIMES}
    columns = st.columns(len(TIMES))
    for column, (name, label) in zip(columns, TIMES.items(), strict=True):
        key = f"reminder-{name}"
        st.session_state[key] = shown[name]
        column.time_input(gettext(label), key=key, step=STEP, on_change=_set_time, args=(student, name, key))
    st.caption(
        gettext(
            "Times are those of {zone}. In quiet hours nothing comes but what you set a time for yourself.",
            zone=literal(student.timezone.replace("_", " ")),
        )
    )
    st.session_state["reminder-grades"] = wanted.shows_grades
    st.toggle(
        gettext("Show points and grades in messages"),
        key="reminder-grades",
        help=gettext("Messages appear on lock screens, where others may read them."),
        on_change=_show_grades,
        args=(student,),
    )


@guarded_callback
def _switch(student: Student, channel: Channel, key: str) -> None:
    preferences = session.services().reminders.preferences
    if st.session_state[key]:
        preferences.update(student.id, lambda known: known.with_channel(channel))
    else:
        preferences.switch_off(student.id, channel)


@guarded_callback
def _choose_topics(student: Student, channel: Channel, key: str) -> None:
    chosen = frozenset(st.session_state[key])
    session.services().reminders.preferences.update(student.id, lambda known: known.with_channel(channel, chosen))


@guarded_callback
def _set_time(student: Student, name: str, key: str) -> None:
    if (chosen := st.session_state[key]) is not None:
        change = partial(_with_time, name=name, chosen=chosen)
        session.services().reminders.preferences.update(student.id, change)


def _with_time(known: ReminderPreferences, *, name: str, chosen: time) -> ReminderPreferences:
    return replace(known, **{name: chosen})


@guarded_callback
def _show_grades(student: Student) -> None:
    chosen = bool(st.session_state["reminder-grades"])
    session.services().reminders.preferences.update(student.id, lambda known: replace(known, shows_grades=chosen))


@guarded_callback
def _remove_device(student: Student, id: str) -> None:
    session.services().reminders.remove_device(student, id)


@guarded_callback
def _send_test(student: Student, channel: Channel) -> None:
    outcomes = session.services().reminders.send_test(student, channel)
    unsent = [outcome for outcome in outcomes if outcome.status is not DeliveryStatus.SENT]
    if unsent or not outcomes:
        flash(HomeroomError(_problem(unsent), next_step=""))
    else:
        flash(gettext("The test is on its way."))


def _problem(unsent: Sequence[Outcome]) -> str:
    """What became of tests that were not taken, of several devices maybe."""
    if not unsent:
        return gettext("There was nowhere to send it.")
    reason = gettext(unsent[0].reason)
    if unsent[0].status is DeliveryStatus.UNCLEAR:
        return gettext("The test may arrive or not: {reason}.", reason=reason)
    return gettext("The test was not sent: {reason}.", reason=reason)
