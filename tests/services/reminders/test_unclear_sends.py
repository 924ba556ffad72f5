"""Messages whose sender or line is cut off: at most one arrives, and the student sees that nobody knows (R69)."""

import pytest

from services.reminders.deliveries import GONE_AFTER, DeliveryStatus
from services.reminders.preferences import Channel
from tests.fakes import FakeClock
from tests.mail_catcher import MailCatcher
from tests.services.reminders.desk import Desk

pytestmark = pytest.mark.any_store


class KilledHere(BaseException):
    """Nothing catches it, as nothing catches SIGKILL."""


def test_what_may_have_arrived_is_not_sent_again_and_is_shown(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    mails.cuts = True
    desk.switch_on(Channel.EMAIL)
    desk.remind("Biology quiz", 5)
    clock.advance(seconds=600)

    for _ in range(4):
        desk.service.run_due()
        clock.advance(seconds=900)

    assert len(mails.mails) == 1
    assert [delivery.status for delivery in desk.service.latest(desk.maya)] == [DeliveryStatus.UNCLEAR]
    assert desk.service.reminders.waiting(desk.maya.id) == []


@pytest.mark.parametrize("refused", ["answer", "recipient_answer"])
@pytest.mark.parametrize(
    ("answer", "status"),
    [("550 no such mailbox", DeliveryStatus.FAILED), ("451 later", DeliveryStatus.WAITING)],
)
def test_a_mail_that_the_server_refuses_is_not_told_as_sent(
    desk: Desk, clock: FakeClock, mails: MailCatcher, refused: str, answer: str, status: DeliveryStatus
) -> None:
    setattr(mails, refused, answer)
    desk.switch_on(Channel.EMAIL)
    desk.remind("Biology quiz", 5)
    clock.advance(seconds=600)

    desk.service.run_due()

    assert mails.mails == []
    assert [delivery.status for delivery in desk.service.latest(desk.maya)] == [status]


@pytest.mark.parametrize("dies", ["before it sends", "after it sent"])
def test_a_sender_that_is_killed_leaves_at_most_one_mail_and_a_trace(
    desk: Desk, clock: FakeClock, mails: MailCatcher, monkeypatch: pytest.MonkeyPatch, dies: str
) -> None:
    desk.switch_on(Channel.EMAIL)
    desk.remind("Biology quiz", 5)
    clock.advance(seconds=600)
    survivor = desk.replica()
    sender = desk.outbox._senders.mail
    assert sender
    send = sender.send

    def killed(mail: object) -> None:
        if dies == "after it sent":
            send(mail)  # type: ignore[arg-type]
        raise KilledHere

    monkeypatch.setattr(sender, "send", killed)
    with pytest.raises(KilledHere):
        desk.service.run_due()
    survivor.service.run_due()
    under_way = [delivery.status for delivery in survivor.service.latest(desk.maya)]
    clock.advance(seconds=GONE_AFTER.total_seconds() + 60)
    survivor.service.run_due()

    assert under_way == [DeliveryStatus.SENDING]
    assert len(mails.mails) == (dies == "after it sent")
    assert [delivery.status for delivery in survivor.service.latest(desk.maya)] == [DeliveryStatus.UNCLEAR]
