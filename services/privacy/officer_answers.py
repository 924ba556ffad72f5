"""Answers to what a school's privacy officer asks: rights under GDPR, FERPA, security, and what instructors see."""

from dataclasses import dataclass

from services.i18n import gettext_noop


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Question of the law, and how this Homeroom meets it."""

    asked: str
    met: str


INSTRUCTORS = (
    Answer(
        asked=gettext_noop("Who is in the class"),
        met=gettext_noop("Name, e-mail and the day of joining, which a student reads before they join."),
    ),
    Answer(
        asked=gettext_noop("What a student writes"),
        met=gettext_noop("Never: no chat, no answer, no quiz, no mark, no file."),
    ),
    Answer(
        asked=gettext_noop("How the class uses its assistants"),
        met=gettext_noop(
            "Weekly figures in groups of five students or more, rounded, made once and never changed; "
            "students read the same page."
        ),
    ),
)
GDPR_RIGHTS = (
    Answer(
        asked=gettext_noop("Information (Art. 13)"),
        met=gettext_noop("Before the first message, and under Settings, What Homeroom knows about me."),
    ),
    Answer(
        asked=gettext_noop("Access and portability (Art. 15, 20)"),
        met=gettext_noop(
            "Settings, Download everything: a zip archive with text and JSON, made at once by the student themselves."
        ),
    ),
    Answer(
        asked=gettext_noop("Rectification (Art. 16)"),
        met=gettext_noop("Name and e-mail come from the school's sign-in; all else is edited where it is shown."),
    ),
    Answer(
        asked=gettext_noop("Erasure (Art. 17)"),
        met=gettext_noop(
            "Settings, Delete everything: at once and for good, with the grants of connected accounts taken back. "
            "Chats one by one at any time."
        ),
    ),
    Answer(
        asked=gettext_noop("Restriction, objection, withdrawal of consent (Art. 7, 18, 21)"),
        met=gettext_noop("Settings: each consent can be withdrawn; nothing more is sent from then on."),
    ),
    Answer(
        asked=gettext_noop("Automated decisions (Art. 22)"),
        met=gettext_noop(
            "None: Homeroom grades nobody. Marks of practice questions are the student's own, and each change to an "
            "account waits for their approval."
        ),
    ),
    Answer(
        asked=gettext_noop("Transfers to other countries (Art. 44)"),
        met=gettext_noop(
            "Only to the recipients above. Where they are outside the EU, the school agrees standard clauses with them."
        ),
    ),
)
FERPA = (
    Answer(
        asked=gettext_noop("School official with a legitimate educational interest (99.31(a)(1))"),
        met=gettext_noop(
            "Homeroom runs under the school's direct control; records are used for the student alone, and never for "
            "another purpose."
        ),
    ),
    Answer(
        asked=gettext_noop("No disclosure to others without consent (99.30)"),
        met=gettext_noop(
            "Homeroom reads with the student's own accounts, so it knows what the school's systems show them anyway. "
            "Other students, parents and instructors get nothing of it."
        ),
    ),
    Answer(
        asked=gettext_noop("Inspection and review within 45 days (99.10)"),
        met=gettext_noop("At once, by the student: Settings, Download everything."),
    ),
    Answer(
        asked=gettext_noop("Record of disclosures (99.32)"),
        met=gettext_noop(
            "The page Activity lists each service that was read or changed in a student's name, and when."
        ),
    ),
    Answer(
        asked=gettext_noop("Amendment of records (99.20)"),
        met=gettext_noop("Records of the school stay at the school's own systems: Homeroom holds no grade of its own."),
    ),
)
SECURITY = (
    Answer(
        asked=gettext_noop("Keys to connected accounts"),
        met=gettext_noop(
            "Sealed with AES-256-GCM, bound to the student and the account; the vault key is not in the store."
        ),
    ),
    Answer(
        asked=gettext_noop("Separation of students"),
        met=gettext_noop(
            "Each read and write is bound to its owner; every route and page is tested with two students."
        ),
    ),
    Answer(
        asked=gettext_noop("Logs, metrics and traces"),
        met=gettext_noop("Events and numbers alone: no words, names or addresses of students, and no secrets."),
    ),
    Answer(
        asked=gettext_noop("A breach (Art. 33)"),
        met=gettext_noop(
            "Take Homeroom off the net, replace the vault key and the cookie secret, and tell the school's privacy "
            "officer: docs/deploy.md lists the steps."
        ),
    ),
)
