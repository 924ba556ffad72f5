"""What an instructor reads on This week: what there is to grade, and no figure that would say they owe it."""

from datetime import UTC, date, datetime, timedelta

from streamlit.testing.v1 import AppTest

from services.identity.students import Student
from services.week.week import EntryKind, Week, WeekEntry
from ui.week import schedule

NOW = datetime(2026, 11, 25, 18, 0, tzinfo=UTC)
TAUGHT = WeekEntry(
    kind=EntryKind.DUE,
    id="7",
    title="Lab Report 3",
    course="BIOL 201: Cell Biology",
    start=NOW + timedelta(days=1),
    status="taught by the student, 3 to grade",
    to_grade=3,
)
OWN = WeekEntry(kind=EntryKind.DUE, id="8", title="Essay", start=NOW + timedelta(days=1), minutes=90)


def line(*entries: WeekEntry) -> str:
    """What the folded line says."""

    def page(week: object, student: object) -> None:
        from ui.week import page_header

        page_header.draw_summary(student, week)  # type: ignore[arg-type]

    week = Week(first=date(2026, 11, 23), as_of=NOW, entries=entries, has_courses=True)
    drawn = AppTest.from_function(page, args=(week, Student(id="anne", name="Anne", email=""))).run()
    return str(drawn.expander[0].label)


def test_figures_of_ones_own_work_stand_only_where_there_is_any() -> None:
    assert line(TAUGHT) == "3 to grade"
    assert line(TAUGHT, OWN) == "3 to grade · 1 of 1 still due · about 1½ h of work"
    assert line() == "nothing due"


def test_what_clashes_is_counted_in_the_line() -> None:
    lab, other = (
        WeekEntry(kind=EntryKind.EVENT, id=id, title=id, start=NOW, end=NOW + timedelta(hours=1)) for id in "ab"
    )

    assert line(lab, other) == "nothing due · **1 clash**"


def test_the_line_of_taught_work_tells_when_it_is_due_and_how_much_waits() -> None:
    line = schedule.entry_line(Student(id="anne", name="Anne", email=""), TAUGHT)

    assert line.endswith("BIOL 201 · 3 to grade]]")
    assert "taught by" not in line
