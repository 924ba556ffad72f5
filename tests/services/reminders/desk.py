"""A desk that sends reminders over a real store and a real mail server, with a day that the test writes."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from services.identity.students import Student, Students
from services.reminders.deliveries import Deliveries
from services.reminders.mail import MailSender
from services.reminders.outbox import ChannelSenders, Outbox
from services.reminders.preferences import Channel, PreferencesRepository, ReminderPreferences, Topic
from services.reminders.push_subscriptions import PushSubscriptions
from services.reminders.reminder_service import ReminderService
from services.reminders.timed_reminders import TimedReminder, TimedReminders
from services.reminders.unsubscribe import UnsubscribeLinks
from services.reminders.web_push import WebPush
from services.runtime.clock import Clock
from services.runtime.rate_limiter import RateLimiter
from services.safety.fetch import SafeFetch
from services.settings import mail_server
from services.settings.secret_keys import new_vapid_key
from services.storage.documents import Documents
from services.storage.store import Store
from services.week.changes import Change, ChangeKind
from services.week.today import Today
from services.week.week import EntryKind, WeekEntry

CHICAGO = ZoneInfo("America/Chicago")
PUBLIC_URL = "https://homeroom.example.edu"
SECRET = "a secret of at least thirty-two characters"
KEY = new_vapid_key()


class Desk:
    """One replica; `replica` makes another over the same store. today: what Maya's services tell."""

    def __init__(self, engine: Documents, clock: Clock, smtp_url: str, *, push_origin: str = "") -> None:
        self.engine, self.clock, self.smtp_url, self.push_origin = engine, clock, smtp_url, push_origin
        self.store = Store(engine)
        self.students = Students(self.store, clock)
        self.maya = self.students.sign_in(
            issuer="https://id.example",
            subject="maya",
            name="Maya",
            email="maya@campus.example",
            is_email_verified=True,
            timezone="America/Chicago",
            session=1,
        )
        self.read = 0
        self.entries: dict[str, WeekEntry] = {}
        self.today = Today(now=self.now, since=self.now)
        self.deliveries = Deliveries(self.store, clock)
        self.subscriptions = PushSubscriptions(self.store, clock)
        self.service = self._service()

    def _service(self) -> ReminderService:
        server = mail_server.parse({"SMTP_URL": self.smtp_url}, public_host="homeroom.example.edu")
        links = UnsubscribeLinks(SECRET, PUBLIC_URL)
        fetch = SafeFetch(allow=frozenset({self.push_origin} - {""}))
        self.outbox = Outbox(
            ChannelSenders(
                mail=MailSender(server) if server else None,
                push=WebPush(KEY, contact="mailto:homeroom@example.edu", fetch=fetch) if self.push_origin else None,
                sender=server.sender if server else "",
            ),
            deliveries=self.deliveries,
            subscriptions=self.subscriptions,
            students=self.students,
            links=links,
            public_url=PUBLIC_URL,
            clock=self.clock,
        )
        return ReminderService(
            preferences=PreferencesRepository(self.store, self.clock),
            reminders=TimedReminders(self.store, self.clock),
            deliveries=self.deliveries,
            subscriptions=self.subscriptions,
            outbox=self.outbox,
            links=links,
            students=self.students,
            read_today=self._read_today,
            read_entry=lambda student, key: self.entries.get(key),
            limiter=RateLimiter(self.store.shared, self.clock),
            clock=self.clock,
        )

    def replica(self) -> "Desk":
        other = Desk(self.engine, self.clock, self.smtp_url, push_origin=self.push_origin)
        other.today = self.today
        return other

    @property
    def now(self) -> datetime:
        return self.clock().astimezone(CHICAGO)

    def _read_today(self, student: Student) -> Today:
        self.read += 1
        return self.today

    def switch_on(self, channel: Channel, *topics: Topic, **more: object) -> None:
        def edit(known: ReminderPreferences) -> ReminderPreferences:
            return replace(known, topics={**known.topics, channel: frozenset(topics)}, **more)  # type: ignore[arg-type]

        self.service.preferences.update(self.maya.id, edit)

    def remind(self, text: str, in_minutes: int, channel: Channel = Channel.EMAIL, **more: object) -> None:
        at = self.clock() + timedelta(minutes=in_minutes)
        reminder = TimedReminder(id=text[:20], text=text, remind_at=at, channel=channel, created_at=self.clock())
        self.service.reminders.add(self.maya.id, replace(reminder, **more))  # type: ignore[arg-type]

    def remind_before(self, title: str, *, hours: float, lead_hours: float) -> None:
        """Let a quiz be in so many hours, and a reminder come so many hours before it and move with it."""
        self.moves(title, hours=hours)
        entry, lead = self.entries[f"event {title}"], timedelta(hours=lead_hours)
        in_minutes = round((hours - lead_hours) * 60)
        self.remind(title, in_minutes, moves_with=entry.key, entry_at=entry.start, lead=lead)

    def moves(self, title: str, *, hours: float) -> None:
        """Let a quiz be in so many hours, whenever it was before."""
        start = self.now + timedelta(hours=hours)
        self.entries[f"event {title}"] = WeekEntry(kind=EntryKind.EVENT, id=title, title=title, start=start)

    def due(self, title: str, *, hours: float = 20, status: str = "not handed in yet") -> None:
        """Add open work that is due after so many hours."""
        start = self.now + timedelta(hours=hours)
        entry = WeekEntry(
            kind=EntryKind.DUE, id=title, title=title, start=start, course="BIOL 201: Cells", status=status
        )
        self.today = replace(self.today, due_soon=(*self.today.due_soon, entry))

    def change(self, kind: ChangeKind, title: str, **more: object) -> None:
        """Add something that others did just now."""
        change = Change(kind=kind, id=title, title=title, course="BIOL 201: Cells", at=self.now, **more)  # type: ignore[arg-type]
        self.today = replace(self.today, changes=(change, *self.today.changes))
