"""What an argument is called on the pages: its own name, in words, and those words in the student's language."""

from datetime import date, timedelta

from services.language import dates, language, say, to_say
from ui.dates import as_heading

FIELDS = (
    to_say("action (field)"),
    to_say("add guests (field)"),
    to_say("all day (field)"),
    to_say("allow other (field)"),
    to_say("applies to (field)"),
    to_say("assignment (field)"),
    to_say("assistant (field)"),
    to_say("block minutes (field)"),
    to_say("body (field)"),
    to_say("buffer minutes (field)"),
    to_say("calendar (field)"),
    to_say("cc (field)"),
    to_say("changes (field)"),
    to_say("choices (field)"),
    to_say("content (field)"),
    to_say("course (field)"),
    to_say("database (field)"),
    to_say("day (field)"),
    to_say("day end (field)"),
    to_say("day start (field)"),
    to_say("days (field)"),
    to_say("depends on (field)"),
    to_say("description (field)"),
    to_say("dialect (field)"),
    to_say("document (field)"),
    to_say("due (field)"),
    to_say("due date (field)"),
    to_say("due from (field)"),
    to_say("due time (field)"),
    to_say("due until (field)"),
    to_say("duration minutes (field)"),
    to_say("end (field)"),
    to_say("entries (field)"),
    to_say("entry (field)"),
    to_say("event id (field)"),
    to_say("goal (field)"),
    to_say("grading period (field)"),
    to_say("guests (field)"),
    to_say("hours per day (field)"),
    to_say("how many (field)"),
    to_say("issue number (field)"),
    to_say("item (field)"),
    to_say("items (field)"),
    to_say("key points (field)"),
    to_say("kind (field)"),
    to_say("language (field)"),
    to_say("limit (field)"),
    to_say("link (field)"),
    to_say("location (field)"),
    to_say("max results (field)"),
    to_say("meaning (field)"),
    to_say("minutes (field)"),
    to_say("module (field)"),
    to_say("name (field)"),
    to_say("no due date (field)"),
    to_say("notes (field)"),
    to_say("notify guests (field)"),
    to_say("of page (field)"),
    to_say("only (field)"),
    to_say("others (field)"),
    to_say("owner (field)"),
    to_say("page (field)"),
    to_say("parent (field)"),
    to_say("part (field)"),
    to_say("passage (field)"),
    to_say("past (field)"),
    to_say("path (field)"),
    to_say("posts (field)"),
    to_say("prefer (field)"),
    to_say("query (field)"),
    to_say("question (field)"),
    to_say("questions (field)"),
    to_say("reason (field)"),
    to_say("recency (field)"),
    to_say("ref (field)"),
    to_say("reminders minutes (field)"),
    to_say("remove guests (field)"),
    to_say("repeat count (field)"),
    to_say("repeat days (field)"),
    to_say("repeat every (field)"),
    to_say("repeat until (field)"),
    to_say("repeats (field)"),
    to_say("repo (field)"),
    to_say("scores (field)"),
    to_say("search (field)"),
    to_say("sessions (field)"),
    to_say("show (field)"),
    to_say("start (field)"),
    to_say("starts (field)"),
    to_say("state (field)"),
    to_say("status (field)"),
    to_say("style (field)"),
    to_say("subject (field)"),
    to_say("summary (field)"),
    to_say("target (field)"),
    to_say("task (field)"),
    to_say("term (field)"),
    to_say("terms (field)"),
    to_say("text (field)"),
    to_say("title (field)"),
    to_say("to (field)"),
    to_say("topic (field)"),
    to_say("under (field)"),
    to_say("url (field)"),
    to_say("urls (field)"),
    to_say("value (field)"),
    to_say("values (field)"),
    to_say("weekdays only (field)"),
    to_say("weeks (field)"),
    to_say("what (field)"),
    to_say("where (field)"),
    to_say("window (field)"),
)
"""The arguments of our own tools, apart from ids. In English their names say it, but for these:"""
PLAIN = {
    "block minutes": "shown how many minutes before",
    "buffer minutes": "minutes kept free around events",
    "duration minutes": "length in minutes",
    "max results": "how many results",
    "reminders minutes": "reminders, in minutes before",
    "repeat count": "how many times",
    "repeat days": "repeats on",
    "repeat every": "repeats every",
    "repeat until": "repeats until",
    "starts": "start times",
    "url": "web address",
    "urls": "web addresses",
}
MONDAY = date(2024, 1, 1)
DAYS = {code: MONDAY + timedelta(days=number) for number, code in enumerate(("MO", "TU", "WE", "TH", "FR", "SA", "SU"))}
"""The days of a week as calendars write them (RFC 5545, section 3.3.10)."""


def label_of(name: str) -> str:
    """As the label of a field: "Due date"."""
    return as_heading(in_words(name))


def each_of(name: str) -> str:
    """As the label of one of a list: "Start" for one of "starts"."""
    one = name.removesuffix("s")
    return label_of(one if f"{one} (field)" in FIELDS else name)


def in_words(name: str) -> str:
    """Within a line: "due date"."""
    words = name.replace("_", " ")
    key = f"{words} (field)"
    said = say(key)
    return PLAIN.get(words, words) if said == key or language() == "en" else said


def choice_of(value: object) -> str:
    """One of a fixed set of values, as it is chosen: "Monday" for "MO"."""
    day = DAYS.get(str(value))
    return as_heading(dates.weekday(day)) if day else say(str(value))
