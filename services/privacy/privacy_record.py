"""Privacy record: what a school's privacy officer asks of a deployment, as data, as Markdown, and as a page to print.

It is made from the inventory that the export uses, and follows the records of processing of GDPR Art. 30 and what a
school official answers for under FERPA (34 CFR 99.31).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import urlsplit

from services.i18n import get_locale, gettext, gettext_noop
from services.identity.roles import Roles
from services.identity.students import Student
from services.privacy.data_inventory import ANONYMOUS_COLLECTIONS, DATA_INVENTORY
from services.privacy.data_retention import retention_of
from services.privacy.officer_answers import FERPA, GDPR_RIGHTS, INSTRUCTORS, SECURITY, Answer
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings

CONTRACT = gettext_noop("The school's public duty or its contract with the student (GDPR Art. 6(1)(b) or (e)).")
CONSENT = gettext_noop("The student's consent, which they can withdraw (GDPR Art. 6(1)(a)).")
INTEREST = gettext_noop("The legitimate interest in a service that works and is safe (GDPR Art. 6(1)(f)).")
_STYLE = """\
body { font: 11pt/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #999; padding: .35rem .6rem .35rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
h2 { margin-top: 2rem; break-after: avoid; }
tr { break-inside: avoid; }
@media print { body { font-size: 9.5pt; margin: 0; max-width: none; } }
"""


@dataclass(frozen=True, kw_only=True)
class Purpose:
    """Purpose of processing. basis: its usual legal basis; the school decides."""

    title: str
    basis: str


SIGN_IN = Purpose(title=gettext_noop("Signing in, and the account"), basis=CONTRACT)
ANSWERS = Purpose(title=gettext_noop("Answering what the student asks"), basis=CONSENT)
ACCOUNTS = Purpose(title=gettext_noop("Reading and changing what the student has connected"), basis=CONSENT)
WEEK = Purpose(title=gettext_noop("Showing the student's day and week, and reminding them"), basis=CONSENT)
MATERIALS = Purpose(title=gettext_noop("Reading course materials for the student"), basis=CONSENT)
PRACTICE = Purpose(title=gettext_noop("Practising for exams"), basis=CONSENT)
CLASSES = Purpose(title=gettext_noop("Classes and their assistants"), basis=CONTRACT)
OPERATION = Purpose(title=gettext_noop("Running Homeroom safely and within its budget"), basis=INTEREST)
PURPOSES = (SIGN_IN, ANSWERS, ACCOUNTS, WEEK, MATERIALS, PRACTICE, CLASSES, OPERATION)

_BY_COLLECTION: Mapping[Purpose, tuple[str, ...]] = {
    SIGN_IN: ("students", "keys", "departures"),
    ANSWERS: (
        *("conversations", "messages", "chat_words", "summaries", "files", "file_parts", "turns", "tasks"),
        *("approvals", "operations", "context_uses", "misses"),
    ),
    ACCOUNTS: ("connections", "revocations", "oauth_states", "activity"),
    WEEK: ("week_notes", "course_tones", "reminder_preferences", "push_subscriptions", "reminders", "deliveries"),
    MATERIALS: ("material_courses", "materials", "material_texts", "material_indexes", "material_uploads"),
    PRACTICE: (
        *("study_quizzes", "study_questions", "study_attempts", "study_cards", "study_pictures", "study_reviews"),
        *("study_exams", "study_notes", "study_preferences"),
    ),
    CLASSES: (
        *("class_members", "class_invitations", "class_figure_counters", "class_assistant_history"),
        *("unsaved_drafts", "lti_links", "lti_role_requests"),
    ),
    OPERATION: ("budget_shares", "discovery_days", "leases"),
}
_PURPOSES = {collection: purpose for purpose, collections in _BY_COLLECTION.items() for collection in collections}


def purpose_of(collection: str) -> Purpose:
    """The purpose of a collection of the inventory; `KeyError` for one that nobody has given a purpose."""
    return _PURPOSES[collection]


@dataclass(frozen=True, kw_only=True)
class RecordSection:
    """Section of the record. head, rows: of its table; none where words are all."""

    title: str
    words: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def record_for(student: Student, roles: Roles, settings: Settings, terms: ConsentTerms) -> Sequence[RecordSection]:
    """The record for an operator in the browser; raises `PermissionMissing` for everybody else."""
    roles.require_operator(student)
    return privacy_record(settings, terms)


def privacy_record(settings: Settings, terms: ConsentTerms) -> Sequence[RecordSection]:
    """The record of a deployment, in the current language."""
    kept = gettext("Kept")
    holds = gettext("What it is")
    return [
        _where(settings),
        *_data(settings),
        RecordSection(
            title=gettext("Data about nobody"),
            words=gettext("No student is named in these."),
            head=(gettext("Collection"), holds),
            rows=sorted(ANONYMOUS_COLLECTIONS.items()),
        ),
        RecordSection(
            title=gettext("Who receives data"),
            words=gettext(
                "Processors and other recipients of this deployment. Each gets what is listed and nothing else; no "
                "data is sold, used for advertising, or measured by anybody outside."
            ),
            head=(gettext("Recipient"), gettext("Where"), gettext("What they receive")),
            rows=_recipients(settings, terms),
        ),
        _answers(gettext("What instructors see"), INSTRUCTORS),
        _answers(gettext("Rights of students (GDPR Art. 12 to 22)"), GDPR_RIGHTS),
        _answers(gettext("FERPA (20 U.S.C. 1232g, 34 CFR Part 99)"), FERPA),
        _answers(gettext("Security (GDPR Art. 32)"), SECURITY),
        RecordSection(
            title=gettext("How long, in short"),
            head=(gettext("Data"), kept),
            rows=_deletions(settings),
        ),
    ]


def _where(settings: Settings) -> RecordSection:
    store = gettext("a MongoDB database") if settings.mongodb_uri else gettext("a database file on the server itself")
    return RecordSection(
        title=gettext("This deployment"),
        words=gettext(
            "Homeroom at {address} is run by the school or on its behalf: the school is the controller. All data is in "
            "{store}, where whoever runs it has put it; whoever keeps that server or database is a processor. "
            "Tables say it in the words that students read: there, you is the student.",
            address=settings.public_url,
            store=store,
        ),
    )


def _data(settings: Settings) -> Sequence[RecordSection]:
    """A section for each purpose, with its collections."""
    days = settings.operations.retention
    return [
        RecordSection(
            title=gettext(purpose.title),
            words=gettext("Usual legal basis: {basis}", basis=gettext(purpose.basis)),
            head=(gettext("Data"), gettext("What it is"), gettext("Kept"), gettext("Collection")),
            rows=[
                (gettext(item.title), gettext(item.holds), retention_of(item, days), item.collection)
                for item in DATA_INVENTORY
                if purpose_of(item.collection) is purpose
            ],
        )
        for purpose in PURPOSES
    ]


def _recipients(settings: Settings, terms: ConsentTerms) -> Sequence[Sequence[str]]:
    gateway = terms.provider.gateway
    asked = gettext("What a student writes and attaches, their name and time zone, and what is looked up for them.")
    found = [(terms.model_name(), gateway or "https://api.anthropic.com", asked)]
    found += [(recipient.name, recipient.address, gettext(recipient.receives)) for recipient in terms.recipients]
    sign_in = urlsplit(settings.oidc_metadata_url).netloc
    found.append((gettext("The school's sign-in"), sign_in, gettext("That somebody signs in to Homeroom, and when.")))
    if settings.mail_server is not None:
        mail = gettext("E-mail addresses, and the reminders that students asked for.")
        found.append((gettext("Mail server"), settings.mail_server.host, mail))
    if settings.vapid_key:
        push = gettext("Sealed notifications, for students who switched them on.")
        found.append((gettext("Push services of browsers"), gettext("chosen by each browser"), push))
    connected = gettext("What the student asks to be read or changed there, with their own account.")
    found.append((gettext("Services that students connect"), gettext("see Connections"), connected))
    return found


def _deletions(settings: Settings) -> Sequence[Sequence[str]]:
    days = settings.operations.retention
    never = gettext("until the student deletes it")
    chats = gettext("{n} days after the last message", n=days.chats) if days.chats else never
    activity = gettext("{n} days", n=days.activity) if days.activity else never
    return (
        (gettext("Chats, with their files and answers"), chats),
        (gettext("Activity"), activity),
        (gettext("Figures of a class"), gettext("{n} days", n=400)),
        (gettext("Logs of Homeroom"), gettext("as the server keeps them; they hold no words of students")),
        (gettext("Everything of one student"), gettext("at once, when they delete it under Settings")),
        (gettext("Backups"), gettext("as whoever runs Homeroom keeps them; old ones must be deleted in time")),
    )


def _answers(title: str, answers: Sequence[Answer]) -> RecordSection:
    rows = [(gettext(answer.asked), gettext(answer.met)) for answer in answers]
    return RecordSection(title=title, head=(gettext("What is asked"), gettext("How it is met")), rows=rows)


def record_text(sections: Sequence[RecordSection]) -> str:
    """The record as Markdown, with its title."""
    parts = (part for section in sections for part in (f"## {section.title}", section.words, section_table(section)))
    return "\n\n".join((f"# {_title()}", *filter(None, parts))) + "\n"


def section_table(section: RecordSection) -> str:
    """The table of a section as Markdown; "" for none."""
    if not section.rows:
        return ""
    lines = [section.head, ["---"] * len(section.head), *section.rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def record_page(sections: Sequence[RecordSection]) -> str:
    """The record as one file of HTML, with nothing to load."""
    return "\n".join(
        [
            f'<!doctype html><html lang="{escape(get_locale())}"><head><meta charset="utf-8">',
            f"<title>{escape(_title())}</title><style>{_STYLE}</style></head><body><h1>{escape(_title())}</h1>",
            *(line for section in sections for line in _lines(section)),
            "</body></html>",
        ]
    )


def _lines(section: RecordSection) -> Iterator[str]:
    yield f"<h2>{escape(section.title)}</h2>"
    if section.words:
        yield f"<p>{escape(section.words)}</p>"
    if section.rows:
        yield "<table>" + _row("th", section.head) + "".join(_row("td", row) for row in section.rows) + "</table>"


def _row(cell: str, texts: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{cell}>{escape(text)}</{cell}>" for text in texts) + "</tr>"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _title() -> str:
    return gettext("Homeroom for the privacy officer")
