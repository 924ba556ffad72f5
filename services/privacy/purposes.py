"""Purposes: why each collection of the inventory is kept, and its legal basis, for a school's privacy officer."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.i18n import gettext_noop

CONTRACT = gettext_noop("The school's public duty or its contract with the student (GDPR Art. 6(1)(b) or (e)).")
CONSENT = gettext_noop("The student's consent, which they can withdraw (GDPR Art. 6(1)(a)).")
INTEREST = gettext_noop("The legitimate interest in a service that works and is safe (GDPR Art. 6(1)(f)).")


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
        *("class_members", "class_invitations", "class_figure_counters", "class_assistant_history", "lti_links"),
    ),
    OPERATION: ("budget_shares", "discovery_days", "leases"),
}
_PURPOSES = {collection: purpose for purpose, collections in _BY_COLLECTION.items() for collection in collections}


def purpose_of(collection: str) -> Purpose:
    """The purpose of a collection of the inventory; `KeyError` for one that nobody has given a purpose."""
    return _PURPOSES[collection]
