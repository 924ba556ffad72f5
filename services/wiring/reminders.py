"""Wiring of reminders: their repositories and ways out, made once and shared."""

from functools import partial

from services.connections.connections import Connections
from services.identity.students import Student
from services.identity.visits import last_visit
from services.reminders.deliveries import Deliveries
from services.reminders.mail import MailSender
from services.reminders.outbox import ChannelSenders, Outbox
from services.reminders.preferences import PreferencesRepository
from services.reminders.push_subscriptions import PushSubscriptions
from services.reminders.reminder_service import ReminderService
from services.reminders.timed_reminders import TimedReminders
from services.reminders.unsubscribe import UnsubscribeLinks
from services.reminders.web_push import WebPush
from services.runtime.clock import Clock
from services.safety.fetch import SafeFetch
from services.settings import Settings
from services.week.refresher import WeekRefresher
from services.week.today import Today
from services.wiring.repositories import Repositories

MOST_WAITING = 20


def reminder_service(
    settings: Settings,
    repositories: Repositories,
    connections: Connections,
    refresher: WeekRefresher,
    clock: Clock,
) -> ReminderService:
    """Make the service over this store, with the ways out that the operator has set up."""
    store, server = repositories.store, settings.mail_server
    deliveries, subscriptions = Deliveries(store, clock), PushSubscriptions(store, clock)
    links = UnsubscribeLinks(settings.cookie_secret, settings.public_url)
    # Where a browser takes notifications is named by it: what the operator has allowed for services is not for it.
    fetch = SafeFetch(allow=settings.campus_origins)
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
        read_today=partial(_read_today, repositories, connections, refresher, clock),
        read_entry=refresher.entry,
        limiter=repositories.rate_limiter,
        clock=clock,
    )


def _read_today(
    repositories: Repositories, connections: Connections, refresher: WeekRefresher, clock: Clock, student: Student
) -> Today:
    """A student's day as the page Today shows it, read from their services now."""
    refresher.refresh(student)
    since, waiting = last_visit(student.openings, clock()), repositories.approvals.waiting(student.id, MOST_WAITING)
    return refresher.today(student, connections.all(student.id), since=since, waiting=waiting)
