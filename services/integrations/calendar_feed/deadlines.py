"""Deadlines of learning platforms in a feed: which entries are due dates, of which course, and where they are opened.

Canvas names an assignment in the UID. Moodle, Blackboard and Brightspace write a deadline as an entry without a length:
Moodle with the course as category and words of the site's language, Blackboard with the column's id as UID, Brightspace
with " - Due" behind the title and the course as place. An opening is no due date, and of a first date and its
extension the later one counts.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import urlsplit

import icalendar

from services.integrations.calendar_feed.components import IS_DUE
from services.safety.link_urls import canonical_url
from services.safety.text import one_line

_CANVAS_UID = re.compile(r"event-(?:assignment|sub-assignment)-")
_CANVAS_CALENDAR = re.compile(r"include_contexts=course_(\d+).*#(?:assignment|sub_assignment)_(\d+)")
_CANVAS_WORK = re.compile(r"/(?:assignments|quizzes)/\d+")
_MOODLE_UID = re.compile(r"\d{1,12}@(?P<site>[\w.-]+(?::\d+)?(?:/[\w./-]*)?)")
_BLACKBOARD_UID = re.compile(r"(?P<item>_blackboard\.platform\.gradebook2\.GradableItem-_\d+_\d+)")
_BRIGHTSPACE = re.compile(r"brightspace|desire2learn|\bd2l\b|/d2l/", re.IGNORECASE)
_EVERYBODY = re.compile(r"(?:site|campus|school|university)(?: events?)?", re.IGNORECASE)
_OPENS = re.compile(
    r"(?:\b(?:opens(?: for (?:submissions?|assessment))?|starts|begins|available|availability starts|se abre|abre|"
    r"s['’]ouvre|ouvre|öffnet|beginnt|startet|si apre|apre|opent|s['’]obre|obre|åpner|öppnar|åbner|avautuu|"
    r"otwiera się|открывается|початок|mở(?: ra)?)(?: el| le)?|(?:期間)?開始(?:日時)?|啟用|开始|开放|열림)$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:\b(?:due|is due|closes|ends|deadline|availability ends|should be completed|cierra|se cierra|vence|"
    r"está pendiente|se ferme|ferme|est dû|fällig|schließt|endet|chiude|si chiude|sluit|tanca|es tanca|fecha|"
    r"stänger|har förfallit|lukker|sulkeutuu|zamyka się)|(?:提出)?期限(?:です。?)?|終了(?:日時)?|關閉|关闭|截止)$",
    re.IGNORECASE,
)
_TO_GRADE = re.compile(r"\b(?:due to be graded|pendiente de ser calificado|grading due)$", re.IGNORECASE)
_NO_WORD = re.compile(r"\d|^.{0,2}$")
_LATER_WITHIN = timedelta(days=45)
_MADE_TOGETHER = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class FeedDeadline:
    """What a feed tells of an entry. is_due: a due date. course: "" where the feed does not say. url: "" for none.

    is_note: an opening, or a first date that was extended: it is shown on its day and takes no time.
    """

    is_due: bool = False
    is_note: bool = False
    course: str = ""
    url: str = ""


class FeedDeadlines:
    """Deadlines of one feed, found once over all of its entries: a quiz's opening is known by its closing alone."""

    def __init__(self, entries: Iterable[icalendar.Event]) -> None:
        timeless = [entry for entry in entries if _is_without_length(entry)]
        self._notes = {id(entry) for entry in (*_openings(timeless), *_extended(timeless))}

    def of(self, entry: icalendar.Event, *, source: icalendar.Event, site: str) -> FeedDeadline:
        """Tell whether an entry is a due date.

        source: the parsed entry that it is an occurrence of. site: scheme and host of the feed's address.
        """
        uid, url = str(entry.get("UID", "")), _own_link(str(entry.get("URL", "")))
        course, made = _course(entry), _made_link(entry, site)
        is_note = id(source) in self._notes
        is_due = not is_note and (_is_of_canvas(uid, url) or IS_DUE in entry or _is_deadline(entry))
        return FeedDeadline(
            is_due=is_due, is_note=is_note, course=course, url=url or (made if is_due or is_note else "")
        )


def _is_of_canvas(uid: str, url: str) -> bool:
    return bool(_CANVAS_UID.match(uid) or _CANVAS_WORK.search(url))


def _is_deadline(entry: icalendar.Event) -> bool:
    title = title_of(entry)
    if not _is_without_length(entry) or _TO_GRADE.search(title):
        return False
    if _BLACKBOARD_UID.search(str(entry.get("UID", ""))):
        return True
    if _is_brightspace(entry):
        return bool(_ENDS.search(title))
    return bool(_course(entry)) and not _OPENS.search(title)


def _is_without_length(entry: icalendar.Event) -> bool:
    """Whether it stands at a moment: a time, and no end or the same."""
    begins, ends = (getattr(entry.get(name), "dt", None) for name in ("DTSTART", "DTEND"))
    length = getattr(entry.get("DURATION"), "dt", None)
    return isinstance(begins, datetime) and (ends is None or ends == begins) and not length


def _is_brightspace(entry: icalendar.Event) -> bool:
    return any(_BRIGHTSPACE.search(str(entry.get(name, ""))[:2_000]) for name in ("UID", "URL", "DESCRIPTION"))


def _course(entry: icalendar.Event) -> str:
    """Course that a platform names: Moodle's category, Brightspace's place."""
    if _MOODLE_UID.fullmatch(str(entry.get("UID", ""))):
        names = [name for name in _categories(entry) if not _EVERYBODY.fullmatch(name)]
        return names[0] if names else ""
    return one_line(str(entry.get("LOCATION", "")), 80) if _is_brightspace(entry) else ""


def _categories(entry: icalendar.Event) -> list[str]:
    given = entry.get("CATEGORIES", [])
    names = [name for line in (given if isinstance(given, list) else [given]) for name in getattr(line, "cats", [line])]
    return [clean for name in names if (clean := one_line(unescape(str(name)), 80))]


def title_of(entry: icalendar.Event) -> str:
    """Title as a person reads it: Moodle leaves the entities of HTML in names."""
    return one_line(unescape(str(entry.get("SUMMARY", ""))))


def _openings(entries: Sequence[icalendar.Event]) -> list[icalendar.Event]:
    """Entries that say when something opens: by their words, or as the earlier of two that differ in their last words.

    The second way is for languages that no list has, so it is not asked where a title ends in a known word.
    """
    by_words = [entry for entry in entries if _OPENS.search(title_of(entry)) and _may_be_deadline(entry)]
    unnamed = [
        entry
        for entry in entries
        if _may_be_deadline(entry) and not (_OPENS.search(title_of(entry)) or _ENDS.search(title_of(entry)))
    ]
    return [*by_words, *_earlier_of_pairs(unnamed)]


def _may_be_deadline(entry: icalendar.Event) -> bool:
    return bool(_course(entry)) or _is_brightspace(entry)


def _earlier_of_pairs(entries: Sequence[icalendar.Event]) -> list[icalendar.Event]:
    by_name: Mapping[tuple[str, str], list[icalendar.Event]] = defaultdict(list)
    for entry in entries:
        name, last = _parted(title_of(entry))
        if name and last and not _NO_WORD.search(last):
            by_name[_course(entry), name].append(entry)
    pairs = (sorted(pair, key=_moment) for pair in by_name.values() if len(pair) == 2)
    return [first for first, second in pairs if _moment(first) < _moment(second)]


def _parted(title: str) -> tuple[str, str]:
    """Title without its last word, and that word."""
    name, _, last = title.rpartition(" ")
    return name.casefold(), last.casefold()


def _extended(entries: Sequence[icalendar.Event]) -> list[icalendar.Event]:
    """First dates for which a later one stands beside them: the same title and course, twice and no more.

    Two that were made together are two pieces of work with one name.
    """
    alike: Mapping[tuple[str, str, str], list[icalendar.Event]] = defaultdict(list)
    for entry in entries:
        if _MOODLE_UID.fullmatch(str(entry.get("UID", ""))) and _is_deadline(entry):
            alike[_course(entry), title_of(entry), str(entry.get("DESCRIPTION", ""))].append(entry)
    pairs = (sorted(pair, key=_moment) for pair in alike.values() if len(pair) == 2)
    return [
        first
        for first, second in pairs
        if timedelta(0) < _moment(second) - _moment(first) <= _LATER_WITHIN and not _are_made_together(first, second)
    ]


def _are_made_together(first: icalendar.Event, second: icalendar.Event) -> bool:
    changed = [getattr(entry.get("LAST-MODIFIED"), "dt", None) for entry in (first, second)]
    times = [at for at in changed if isinstance(at, datetime) and at.tzinfo]
    return len(times) == 2 and abs(times[1] - times[0]) < _MADE_TOGETHER


def _moment(entry: icalendar.Event) -> datetime:
    at = getattr(entry.get("DTSTART"), "dt", None)
    if not isinstance(at, datetime):
        raise ValueError("DTSTART")
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _own_link(url: str) -> str:
    """Link that a person can open: the assignment's own page where Canvas's feed names the calendar."""
    if not canonical_url(url) or not url.startswith(("http://", "https://")):
        return ""
    parts = urlsplit(url)
    if found := _CANVAS_CALENDAR.search(url):
        base = parts.path.removesuffix("/calendar")
        return f"{parts.scheme}://{parts.netloc}{base}/courses/{found[1]}/assignments/{found[2]}"
    return url


def _made_link(entry: icalendar.Event, site: str) -> str:
    """Page of an entry that comes without a link: Moodle's day, Blackboard's item, Brightspace's entry."""
    uid = str(entry.get("UID", ""))
    if _is_without_length(entry) and (moodle := _MOODLE_UID.fullmatch(uid)):
        link = f"https://{moodle['site'].rstrip('/')}/calendar/view.php?view=day&time={int(_moment(entry).timestamp())}"
    elif site and (blackboard := _BLACKBOARD_UID.search(uid)):
        link = f"{site}/webapps/calendar/launch/attempt/{blackboard['item']}"
    elif found := re.search(
        r"https://[^\s<>\"]{1,200}/d2l/[^\s<>\"]{1,300}", str(entry.get("DESCRIPTION", ""))[:4_000]
    ):
        link = found[0].rstrip(".,;)")
    else:
        return ""
    return link if canonical_url(link) else ""
