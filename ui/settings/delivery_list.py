"""Lists on the reminders card: the reminders that wait for their time, and what was sent lately and how that ended."""

import streamlit as st

from services.i18n import formats, gettext, gettext_noop
from services.identity.students import Student
from services.reminders.deliveries import Delivery, DeliveryStatus
from services.reminders.preferences import Channel
from services.safety.text import literal
from ui import session
from ui.flash_message import flash
from ui.local_time import to_local
from ui.session_guard import guarded_callback

CHANNELS = {Channel.EMAIL: gettext_noop("E-mail"), Channel.PUSH: gettext_noop("Notification")}
STATES = {
    DeliveryStatus.SENT: gettext_noop("sent"),
    DeliveryStatus.SENDING: gettext_noop("on its way"),
    DeliveryStatus.WAITING: gettext_noop("not taken yet, tried again: {reason}"),
    DeliveryStatus.FAILED: gettext_noop("not sent: {reason}"),
    DeliveryStatus.UNCLEAR: gettext_noop("may have arrived or not, and is not sent a second time"),
}
SHOWN = 5


def draw_timed_reminders(student: Student) -> None:
    """Reminders to come, each with a button that deletes it."""
    waiting = session.services().reminders.reminders.waiting(student.id)
    if not waiting:
        return
    st.markdown(gettext("### Reminders you set"))
    for reminder in waiting:
        with st.container(
            key=f"reminder-{reminder.id}",
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
        ):
            when = to_local(reminder.remind_at, student)
            with st.container(gap=None):
                st.markdown(f"**{literal(reminder.text)}**")
                st.caption(f"{formats.day(when.date())}, {formats.clock(when)} · {gettext(CHANNELS[reminder.channel])}")
            st.button(
                gettext("Delete"),
                key=f"delete-reminder-{reminder.id}",
                icon=":material/delete:",
                help=gettext("Delete the reminder “{text}”", text=literal(reminder.text)),
                on_click=_delete,
                args=(student, reminder.id),
            )


def draw_deliveries(student: Student) -> None:
    """What was sent lately, the newest first."""
    sent = session.services().reminders.latest(student)
    if not sent:
        return
    st.markdown(gettext("### Sent lately"))
    for delivery in sent[:SHOWN]:
        _draw_delivery(student, delivery)
    if sent[SHOWN:]:
        with st.expander(gettext("Earlier")):
            for delivery in sent[SHOWN:]:
                _draw_delivery(student, delivery)


def _draw_delivery(student: Student, delivery: Delivery) -> None:
    when = to_local(delivery.at, student)
    where = " · ".join(filter(None, (gettext(CHANNELS[delivery.channel]), literal(delivery.target))))
    state = gettext(STATES[delivery.status], reason=gettext(delivery.reason) if delivery.reason else "")
    with st.container(gap=None):
        st.markdown(literal(delivery.title))
        st.caption(f"{formats.short_moment(when)} · {where} · {state}")


@guarded_callback
def _delete(student: Student, id: str) -> None:
    if session.services().reminders.reminders.remove(student.id, id):
        flash(gettext("The reminder is deleted."))
