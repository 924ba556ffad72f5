"""Wiring of reminders: their repositories and ways out, made once and shared."""

from services.reminders.deliveries import Deliveries
from services.reminders.mail import MailSender
from services.reminders.outbox import ChannelSenders, Outbox
from services.reminders.preferences import PreferencesRepository
from services.reminders.push_subscriptions import PushSubscriptions
from services.reminders.reminder_service import ReminderService, TodayReader
from services.reminders.timed_reminders import TimedReminders
from services.reminders.unsubscribe import UnsubscribeLinks
from services.reminders.web_push import WebPush
from services.runtime.clock import Clock
from services.safety.fetch import SafeFetch
from services.settings import Settings
from services.wiring.repositories import Repositories


def reminder_service(
    settings: Settings, repositories: Repositories, fetch: SafeFetch, read_today: TodayReader, clock: Clock
) -> ReminderService:
    """The service over this store; read_today: as for the page Today, read anew."""
    store, server = repositories.store, settings.mail_server
    deliveries, subscriptions = Deliveries(store, clock), PushSubscriptions(store, clock)
    links = UnsubscribeLinks(settings.cookie_secret, settings.public_url)
    contact = f"mailto:{server.sender}" if server else settings.public_url
    outbox = Outbox(
        ChannelSenders(
            mail=MailSender(server) if server else None,
            push=WebPush(settings.vapid_key, contact=contact, fetch=fetch) if settings.vapid_key else None,
            sender=server.sender if server else "",
        ),
        deliveries=deliveries,
        subscriptions=subscriptions,
        students=repositories.students,
        links=links,
        public_url=settings.public_url,
        clock=clock,
    )
    return ReminderService(
        preferences=PreferencesRepository(store, clock),
        reminders=TimedReminders(store, clock),
        deliveries=deliveries,
        subscriptions=subscriptions,
        outbox=outbox,
        links=links,
        students=repositories.students,
        read_today=read_today,
        limiter=repositories.rate_limiter,
        clock=clock,
    )
