"""Lines of Today as Markdown: classes, due work, changes and free time. Titles come from others: literal."""

from datetime import datetime

from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from services.week.changes import Change, ChangeKind
from services.week.today import StudySlot, Today, TodayProblem
from services.week.week import EntryKind, WeekEntry
from ui.local_time import as_heading, clock_time, days_until, local_day, to_local
from ui.week.schedule import WEB_ADDRESS
from ui.week.week_labels import quotable_line, short_course

LONGEST_TITLE = 100
LONGEST_QUOTE = 120
CHANGE_ICONS = {
    ChangeKind.GRADE: ":material/grade:",
    ChangeKind.MOVED: ":material/event_repeat:",
    ChangeKind.ANNOUNCEMENT: ":material/campaign:",
    ChangeKind.REPLIES: ":material/forum:",
}


def near_day(at: datetime, today: Today, student: Student) -> str:
    """Day as one says it: "today", "tomorrow", "Thursday", "Fri 4 Dec 2026"."""
    days = (to_local(at, student).date() - today.now.date()).days
    if days in (0, 1):
        return days_until(at, today.now, student)
    return formats.weekday(to_local(at, student)) if 1 < days < 7 else local_day(at, student)


def class_line(entry: WeekEntry, today: Today, student: Student) -> str:
    """The next class: title, then when and where."""
    end = clock_time(entry.end, student) if entry.end else ""
    if entry.start <= today.now:
        when = gettext("now, until {time}", time=end) if end else gettext("now")
    else:
        times = f"{clock_time(entry.start, student)} – {end}" if end else clock_time(entry.start, student)
        when = f"{near_day(entry.start, today, student)}, {times}"
    room = f":material/location_on: {literal(entry.where)}" if entry.where else ""
    return _two_lines(f"**{_linked(entry.title, entry.url)}**", as_heading(when), room, short_course(entry.course))


def work_line(entry: WeekEntry, today: Today, student: Student) -> str:
    """Due work: title, then until when, course and points."""
    day = near_day(entry.start, today, student)
    when = formats.due(to_local(entry.start, student), is_whole_day=entry.is_whole_day, day=day)
    points = ngettext("{n} point", "{n} points", int(entry.points)) if entry.points else ""
    sample = f" :violet-badge[{gettext('Sample')}]" if entry.is_sample else ""
    own = gettext("your own task") if entry.kind is EntryKind.TASK else ""
    title = f"**{_linked(entry.title, entry.url)}**{sample}"
    return _two_lines(title, as_heading(when), short_course(entry.course), points, own)


def later_line(entry: WeekEntry, today: Today, student: Student) -> str:
    """What is due first after the next two days."""
    return gettext(
        "Next: {title}, {day}.", title=_linked(entry.title, entry.url), day=near_day(entry.start, today, student)
    )


def slot_line(slot: StudySlot, today: Today, student: Student) -> str:
    """Free time, and what to do in it."""
    told = {
        "day": near_day(slot.gap.start, today, student),
        "start": clock_time(slot.gap.start, student),
        "end": clock_time(slot.gap.end, student),
        "title": _linked(slot.entry.title, slot.entry.url),
    }
    if slot.entry.is_past(today.now):
        return gettext("You are free {day} from {start} to {end}. A good time for **{title}**, which is late.", **told)
    due = near_day(slot.entry.start, today, student)
    return gettext("You are free {day} from {start} to {end}. A good time for **{title}**, due {due}.", due=due, **told)


def slot_message(slot: StudySlot, student: Student) -> str:
    """The student's own message that asks for this time."""
    title = quotable_line(slot.entry.title)[:LONGEST_QUOTE]
    course = quotable_line(slot.entry.course.partition(":")[0])
    return gettext(
        "Plan time for {work} on {day} from {start} to {end}.",
        work=f"“{title}”" + (f" ({course})" if course else ""),
        day=local_day(slot.gap.start, student),
        start=clock_time(slot.gap.start, student),
        end=clock_time(slot.gap.end, student),
    )


def change_line(change: Change, today: Today, student: Student) -> str:
    """What somebody else did, as one line with the link that opens it."""
    title = f"**{_linked(change.title, change.url)}**"
    course = short_course(change.course)
    sample = f" :violet-badge[{gettext('Sample')}]" if change.is_sample else ""
    facts = " · ".join(filter(None, (_what(change, today, student), course, _when(change, today, student))))
    return f"- {CHANGE_ICONS[change.kind]} {title}{sample} :small[:gray[{facts}]]"


def _what(change: Change, today: Today, student: Student) -> str:
    match change.kind:
        case ChangeKind.GRADE if change.score is not None and change.points:
            return gettext(
                "{score} of {points}", score=formats.number(change.score), points=formats.number(change.points)
            )
        case ChangeKind.GRADE:
            return gettext("graded")
        case ChangeKind.REPLIES:
            return ngettext("{n} unread post", "{n} unread posts", change.count)
        case ChangeKind.MOVED if change.due_at and change.earlier_due_at:
            return gettext(
                "now due {new}, was {earlier}",
                new=_moment(change.due_at, change, student),
                earlier=_moment(change.earlier_due_at, change, student),
            )
        case _:
            return gettext("announcement")


def _moment(at: datetime, change: Change, student: Student) -> str:
    return formats.due(to_local(at, student), is_whole_day=change.is_whole_day)


def _when(change: Change, today: Today, student: Student) -> str:
    """When it happened; of a moved date only its own days count."""
    if change.kind is ChangeKind.MOVED:
        return ""
    days = (today.now.date() - to_local(change.at, student).date()).days
    return gettext("today") if days == 0 else gettext("yesterday") if days == 1 else _short(change.at, student)


def _short(at: datetime, student: Student) -> str:
    return formats.short_day(to_local(at, student))


def problem_line(problem: TodayProblem, student: Student) -> str:
    """What could not be read, and of when that is what is shown."""
    sentence = literal(as_heading(problem.sentence))
    if problem.as_of is None:
        return sentence
    when = formats.short_moment(to_local(problem.as_of, student))
    return gettext("{sentence} What you see of it is from {when}.", sentence=sentence, when=when)


def _two_lines(title: str, *facts: str) -> str:
    return f"{title}  \n:small[:gray[{' · '.join(fact for fact in facts if fact)}]]"


def _linked(title: str, url: str) -> str:
    shown = literal(one_line(title, LONGEST_TITLE) or gettext("No title"))
    return f"[{shown}](<{url}>)" if WEB_ADDRESS.fullmatch(url) else shown
