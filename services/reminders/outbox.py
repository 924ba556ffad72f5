"""`Outbox`: one message to one student by one channel: claimed in the ledger, sent, and its outcome noted."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from services.errors import ToolUnavailable
from services.i18n import gettext
from services.identity.students import Student, Students
from services.reminders.deliveries import Deliveries, DeliveryStatus, Outcome
from services.reminders.mail import MailSender, compose_mail, message_id
from services.reminders.message import Footer, ReminderMessage, push_payload
from services.reminders.preferences import Channel
from services.reminders.push_subscriptions import PushSubscription, PushSubscriptions
from services.reminders.unsubscribe import UnsubscribeLinks
from services.reminders.web_push import GONE, WebPush
from services.runtime.clock import Clock

log = logging.getLogger(__name__)

SETTINGS_PATH = "/settings"
Compose = Callable[[Sequence[str]], ReminderMessage]


class ChannelObstacle(StrEnum):
    """Why a channel cannot be used: by anybody, by this student, or on no device yet."""

    NOT_SET_UP = "not_set_up"
    UNVERIFIED = "unverified"
    NO_DEVICE = "no_device"


@dataclass(frozen=True, kw_only=True)
class ChannelSenders:
    """Ways out of this deployment; None for one that the operator has not set up."""

    mail: MailSender | None
    push: WebPush | None
    sender: str = field(default="")


class Outbox:
    def __init__(
        self,
        senders: ChannelSenders,
        *,
        deliveries: Deliveries,
        subscriptions: PushSubscriptions,
        students: Students,
        links: UnsubscribeLinks,
        public_url: str,
        clock: Clock,
    ) -> None:
        self._senders = senders
        self._deliveries = deliveries
        self._subscriptions = subscriptions
        self._students = students
        self._links = links
        self._public_url = public_url
        self._clock = clock

    def obstacle(self, student: Student, channel: Channel) -> ChannelObstacle | None:
        """What is in the way of this channel; None when nothing is."""
        if channel is Channel.EMAIL:
            if self._senders.mail is None:
                return ChannelObstacle.NOT_SET_UP
            return None if student.is_email_verified and student.email else ChannelObstacle.UNVERIFIED
        if self._senders.push is None:
            return ChannelObstacle.NOT_SET_UP
        return None if self.devices(student) else ChannelObstacle.NO_DEVICE

    def require_push(self) -> WebPush:
        """Sender of notifications; raises `ToolUnavailable` where the operator has set none up."""
        if self._senders.push is None:
            raise ToolUnavailable(gettext("This Homeroom sends no notifications."))
        return self._senders.push

    def devices(self, student: Student) -> Sequence[PushSubscription]:
        """Browsers that take notifications; what was made with another key, or was signed out, is taken off."""
        if (push := self._senders.push) is None:
            return ()
        found = self._subscriptions.of(student.id)
        live = [device for device in found if self._is_live(student, device, push)]
        for device in found:
            if device not in live:
                self._subscriptions.remove(student.id, device.id)
        return live

    def send(self, student: Student, channel: Channel, titles: Mapping[str, str], compose: Compose) -> list[Outcome]:
        """Send what of `titles` (by key) was not sent before; the outcomes, one for each device.

        compose: makes the message of the keys that were claimed; what another replica has claimed is its to tell.
        """
        if self.obstacle(student, channel) is not None:
            return []
        places: Sequence[PushSubscription | None] = [None] if channel is Channel.EMAIL else self.devices(student)
        outcomes = []
        for device in places:
            if claimed := self._claimed(student, channel, titles, device):
                keys, message = [_key(key, channel, device) for key in claimed], compose(claimed)
                sent = self._push(student, device, keys, message) if device else self._mail(student, keys, message)
                self._deliveries.finish(student.id, keys, sent)
                log.info("reminder_handed_over channel=%s status=%s told=%d", channel, sent.status, len(keys))
                outcomes.append(sent)
        return outcomes

    def unsent(self, student: Student, channel: Channel, keys: Sequence[str]) -> list[str]:
        """Those of the keys that at least one place of the channel has not been told, or is to be tried again."""
        places: Sequence[PushSubscription | None] = [None] if channel is Channel.EMAIL else self.devices(student)
        return [key for key in keys if any(self._is_open(student, _key(key, channel, place)) for place in places)]

    def _is_open(self, student: Student, key: str) -> bool:
        known = self._deliveries.get(student.id, key)
        return known is None or known.status is DeliveryStatus.WAITING

    def _claimed(
        self, student: Student, channel: Channel, titles: Mapping[str, str], device: PushSubscription | None
    ) -> list[str]:
        name = device.name if device else ""
        return [
            key
            for key, title in titles.items()
            if self._deliveries.claim(student.id, _key(key, channel, device), channel, title=title, target=name)
        ]

    def _mail(self, student: Student, keys: Sequence[str], message: ReminderMessage) -> Outcome:
        assert self._senders.mail
        footer = Footer(
            open=self._public_url + message.path,
            settings=self._public_url + SETTINGS_PATH,
            unsubscribe=self._links.link(student.id),
        )
        mail = compose_mail(
            message,
            footer,
            sender=self._senders.sender,
            to=student.email,
            message_id=message_id(student.id, keys, urlsplit(self._public_url).hostname or "homeroom.invalid"),
            now=self._clock().timestamp(),
        )
        return self._senders.mail.send(mail)

    def _push(
        self, student: Student, device: PushSubscription, keys: Sequence[str], message: ReminderMessage
    ) -> Outcome:
        assert self._senders.push
        tag = message_id(student.id, keys, "")[1:33]
        now: datetime = self._clock()
        outcome = self._senders.push.send(device, push_payload(message, tag), topic=tag, now=now)
        if outcome.reason == GONE:
            self._subscriptions.remove(student.id, device.id)
        return outcome

    def _is_live(self, student: Student, device: PushSubscription, push: WebPush) -> bool:
        # Whoever signed out of a shared computer is not told anything there any more.
        is_signed_in = self._students.has_valid_session(student.id, device.session)
        return is_signed_in and device.server_key == push.fingerprint


def _key(key: str, channel: Channel, device: PushSubscription | None) -> str:
    return f"{channel} {device.id} {key}" if device else f"{channel} {key}"
