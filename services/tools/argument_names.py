"""Names of tool arguments in words, in the student's language."""

from services.i18n import get_language, gettext, gettext_noop

FIELDS = (
    *(gettext_noop("action (field)"), gettext_noop("add guests (field)"), gettext_noop("all day (field)")),
    *(gettext_noop("allow other (field)"), gettext_noop("applies to (field)"), gettext_noop("assignment (field)")),
    *(gettext_noop("assistant (field)"), gettext_noop("block minutes (field)"), gettext_noop("body (field)")),
    *(gettext_noop("buffer minutes (field)"), gettext_noop("calendar (field)"), gettext_noop("cc (field)")),
    *(gettext_noop("changes (field)"), gettext_noop("choices (field)"), gettext_noop("content (field)")),
    *(gettext_noop("course (field)"), gettext_noop("database (field)"), gettext_noop("day (field)")),
    *(gettext_noop("day end (field)"), gettext_noop("day start (field)"), gettext_noop("days (field)")),
    *(gettext_noop("depends on (field)"), gettext_noop("description (field)"), gettext_noop("dialect (field)")),
    *(gettext_noop("document (field)"), gettext_noop("due (field)"), gettext_noop("due date (field)")),
    *(gettext_noop("due from (field)"), gettext_noop("due time (field)"), gettext_noop("due until (field)")),
    *(gettext_noop("duration minutes (field)"), gettext_noop("end (field)"), gettext_noop("entries (field)")),
    *(gettext_noop("entry (field)"), gettext_noop("event id (field)"), gettext_noop("goal (field)")),
    *(gettext_noop("grading period (field)"), gettext_noop("guests (field)"), gettext_noop("hours per day (field)")),
    *(gettext_noop("how many (field)"), gettext_noop("issue number (field)"), gettext_noop("item (field)")),
    *(gettext_noop("items (field)"), gettext_noop("key points (field)"), gettext_noop("kind (field)")),
    *(gettext_noop("language (field)"), gettext_noop("limit (field)"), gettext_noop("link (field)")),
    *(gettext_noop("location (field)"), gettext_noop("material (field)"), gettext_noop("max results (field)")),
    *(gettext_noop("meaning (field)"), gettext_noop("minutes (field)"), gettext_noop("module (field)")),
    *(gettext_noop("name (field)"), gettext_noop("newest (field)"), gettext_noop("pages (field)")),
    *(gettext_noop("posted from (field)"), gettext_noop("posted on (field)"), gettext_noop("posted until (field)")),
    *(gettext_noop("no due date (field)"), gettext_noop("notes (field)"), gettext_noop("notify guests (field)")),
    *(gettext_noop("of page (field)"), gettext_noop("only (field)"), gettext_noop("others (field)")),
    *(gettext_noop("owner (field)"), gettext_noop("page (field)"), gettext_noop("parent (field)")),
    *(gettext_noop("part (field)"), gettext_noop("passage (field)"), gettext_noop("past (field)")),
    *(gettext_noop("path (field)"), gettext_noop("posts (field)"), gettext_noop("prefer (field)")),
    *(gettext_noop("query (field)"), gettext_noop("question (field)"), gettext_noop("questions (field)")),
    *(gettext_noop("reason (field)"), gettext_noop("recency (field)"), gettext_noop("ref (field)")),
    *(gettext_noop("reminders minutes (field)"), gettext_noop("remove guests (field)")),
    *(gettext_noop("repeat count (field)"), gettext_noop("repeat days (field)")),
    *(gettext_noop("repeat every (field)"), gettext_noop("repeat until (field)"), gettext_noop("repeats (field)")),
    *(gettext_noop("repo (field)"), gettext_noop("scores (field)"), gettext_noop("search (field)")),
    *(gettext_noop("sessions (field)"), gettext_noop("show (field)"), gettext_noop("start (field)")),
    *(gettext_noop("starts (field)"), gettext_noop("state (field)"), gettext_noop("status (field)")),
    *(gettext_noop("style (field)"), gettext_noop("subject (field)"), gettext_noop("summary (field)")),
    *(gettext_noop("target (field)"), gettext_noop("task (field)"), gettext_noop("term (field)")),
    *(gettext_noop("terms (field)"), gettext_noop("text (field)"), gettext_noop("title (field)")),
    *(gettext_noop("to (field)"), gettext_noop("topic (field)"), gettext_noop("under (field)")),
    *(gettext_noop("url (field)"), gettext_noop("urls (field)"), gettext_noop("value (field)")),
    *(gettext_noop("values (field)"), gettext_noop("weekdays only (field)"), gettext_noop("weeks (field)")),
    *(gettext_noop("what (field)"), gettext_noop("where (field)"), gettext_noop("window (field)")),
)
"""Arguments of our own tools, apart from ids. In English their names are their labels, but for these:"""


PLAIN = {
    "block minutes": "shown how many minutes before",
    "buffer minutes": "minutes kept free around events",
    "duration minutes": "length in minutes",
    "max results": "how many results",
    "newest": "only the newest",
    "reminders minutes": "reminders, in minutes before",
    "repeat count": "how many times",
    "repeat days": "repeats on",
    "repeat every": "repeats every",
    "repeat until": "repeats until",
    "starts": "start times",
    "url": "web address",
    "urls": "web addresses",
}


def inline_label(name: str) -> str:
    """Name within a sentence: "due date"."""
    words = name.replace("_", " ")
    key = f"{words} (field)"
    translated = gettext(key)
    return PLAIN.get(words, words) if translated == key or get_language() == "en" else translated
