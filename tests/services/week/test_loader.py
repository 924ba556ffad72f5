"""A week from the student's own tools: complete, in their own zone, and honest about what is missing."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from icalendar import Calendar

from services.identity.students import Student
from services.integrations.canvas.tools.assignments import canvas_list_assignments
from services.integrations.planner.tools.task_lists import planner_list_tasks
from services.tools.result import ToolResult
from services.tools.tool import Effect
from services.week.calendar_file import to_ics
from services.week.loader import load_week
from services.week.week import EntryKind, WeekProblem
from tests.services.week.fake_gateway import ASSIGNMENT, EVENT, NOW, TASK, FakeGateway, found, read


def test_every_source_lands_on_its_day_in_the_students_own_zone() -> None:
    door = FakeGateway(
        range=found("assignments", ASSIGNMENT),
        calendar_list_events=found("events", EVENT),
        all_tasks=found("tasks", TASK),
        canvas_get_workload=found("weeks", {"items": [{"id": 7, "minutes": 90}]}),
    )

    week = read(door)

    assert (week.first, week.last) == (date(2026, 11, 23), date(2026, 11, 29))
    assert [entry.title for entry in week.entries_on(date(2026, 11, 27))] == ["Read"]
    assert [(entry.title, entry.kind) for entry in week.entries_on(date(2026, 11, 26))] == [
        ("Lab", EntryKind.EVENT),
        ("Quiz 5", EntryKind.DUE),
    ]
    assert week.minutes_left() == 90
    assert [entry.title for entry in read(door, timezone="Asia/Tokyo").entries_on(date(2026, 11, 27))] == [
        "Lab",
        "Quiz 5",
    ]


def test_what_is_late_comes_first_whichever_week_is_shown_and_the_latest_of_it_before_the_rest() -> None:
    missed = {**ASSIGNMENT, "id": 3, "title": "Old", "due_at": "2026-10-01T05:00:00+00:00", "status": "missing"}
    late = {**TASK, "id": "t0", "due_at": "2026-11-10T18:00:00+00:00"}
    this_morning = {**TASK, "id": "t3", "title": "Pack", "due_at": "2026-11-25T15:00:00+00:00"}
    tonight = {**TASK, "id": "t2", "due_at": "2026-11-26T05:00:00+00:00"}
    door = FakeGateway(
        overdue=found("assignments", missed),
        open_tasks=found("tasks", late, this_morning, tonight),
        all_tasks=found("tasks", this_morning, tonight),
    )

    week = read(door)

    assert [entry.title for entry in week.overdue] == ["Pack", "Read", "Old"]
    assert [entry.id for entry in week.entries] == ["t3", "t2"]
    assert [entry.title for entry in read(door, date(2026, 12, 7)).overdue] == ["Pack", "Read", "Old"]


def test_the_tasks_of_the_week_are_asked_for_by_its_days_and_the_late_ones_apart() -> None:
    read(door := FakeGateway(), date(2026, 12, 7))

    tasks = [arguments for name, arguments in door.asked if name == "planner_list_tasks"]
    assert tasks == [
        {"state": "all", "due_from": "2026-12-07", "due_until": "2026-12-13"},
        {"state": "open", "due_until": "2026-11-25"},
    ]


def test_work_that_asks_nothing_any_more_is_done_whatever_its_state_is_called() -> None:
    door = FakeGateway(
        range=found("assignments", {**ASSIGNMENT, "status": "abgegeben", "is_done": True}),
        canvas_get_workload=found("weeks", {"items": [{"id": 7, "minutes": 90}]}),
    )

    (entry,) = read(door).entries

    assert entry.is_done
    assert read(door).minutes_left() == 0


def test_a_second_learning_platform_is_in_the_week_for_what_its_tools_produce() -> None:
    takes = {"window": {"enum": ["range"]}, "start": {}, "end": {}}
    other = replace(canvas_list_assignments, name="moodle_work", integration="moodle", schema={"properties": takes})
    quiz = {**ASSIGNMENT, "title": "Test 1", "service": "Moodle"}
    door = FakeGateway(other, range=found("assignments", ASSIGNMENT), moodle_work=found("assignments", quiz))

    week = read(door)

    assert [(entry.title, entry.service) for entry in week.entries] == [("Quiz 5", "Canvas"), ("Test 1", "Moodle")]
    assert len({entry.id for entry in week.entries}) == 2
    assert week.services == {"Canvas", "Moodle"}
    asked = {name: arguments for name, arguments in door.asked if arguments.get("window") == "range"}
    assert asked["moodle_work"] == {"window": "range", "start": "2026-11-23", "end": "2026-11-29"}
    assert asked["canvas_list_assignments"]["limit"] == 100
    assert read(FakeGateway(other, moodle_work=found("assignments", quiz))).has_courses


def test_a_row_that_cannot_be_read_hides_none_of_the_others() -> None:
    door = FakeGateway(range=found("assignments", {"id": 9}, {**ASSIGNMENT, "id": 8, "due_at": "soon"}, ASSIGNMENT))

    assert [entry.id for entry in read(door).entries] == ["canvas/7"]


def test_a_tool_that_writes_is_never_asked() -> None:
    writing = replace(planner_list_tasks, name="planner_sweep", effect=Effect.WRITE)

    read(door := FakeGateway(writing))

    assert "planner_sweep" not in [name for name, _ in door.asked]


def test_work_without_a_date_that_can_be_read_belongs_to_no_day_and_spoils_none() -> None:
    door = FakeGateway(range=found("assignments", {**ASSIGNMENT, "id": 8, "due_at": None}, ASSIGNMENT))

    assert [entry.id for entry in read(door).entries] == ["canvas/7"]


def test_a_feed_alone_gives_due_dates_without_canvas() -> None:
    due = {**EVENT, "due_date": True, "provider": "Calendar feed"}

    week = read(FakeGateway(calendar_list_events=found("events", due)))

    assert [entry.kind for entry in week.entries] == [EntryKind.DUE]
    assert week.has_calendar
    assert week.has_courses
    assert not week.can_write


def test_work_that_the_platforms_own_feed_names_again_stands_once_as_the_platform_tells_it() -> None:
    done = {**ASSIGNMENT, "is_done": True}
    again = {**EVENT, "id": "f1", "due_date": True, "title": f"{ASSIGNMENT['title']} [CS 101]", "start": done["due_at"]}
    day = {**again, "id": "f2", "all_day": True, "start": "2026-11-26"}
    other = {**again, "id": "f3", "title": "Essay [ENGL 110]"}
    longer = {**again, "id": "f4", "title": f"{ASSIGNMENT['title']}0 [CS 101]"}
    feed = "A feed shows no grades."

    week = read(
        FakeGateway(range=found("assignments", done), calendar_list_events=found("events", again, day, remarks=[feed]))
    )
    mixed = read(
        FakeGateway(
            range=found("assignments", done), calendar_list_events=found("events", again, other, longer, remarks=[feed])
        )
    )

    assert [(entry.title, entry.is_done) for entry in week.entries] == [("Quiz 5", True)]
    assert week.troubles == ()
    assert [entry.title for entry in mixed.entries] == ["Essay [ENGL 110]", "Quiz 5", "Quiz 50 [CS 101]"]
    assert [trouble.sentence for trouble in mixed.troubles] == [feed]


def test_with_nothing_connected_there_is_no_trouble_only_an_empty_week() -> None:
    week = read(FakeGateway())

    assert (week.entries, week.overdue, week.troubles) == ((), (), ())
    assert (week.is_due_unread, week.is_whole) == (False, True)
    assert not week.has_calendar
    assert not week.has_courses


def test_what_fails_is_named_once_and_the_rest_is_there() -> None:
    down = ToolResult(success=False, error="Canvas cannot be reached.", error_kind="unavailable")
    old = found("events", EVENT, notes=["Google is slow; this is from 10:42 AM."], remarks=["A feed shows no grades."])
    too_slow = ToolResult(success=False, error="Canvas took longer than 20 seconds.", error_kind="timed_out")
    week = read(FakeGateway(range=down, overdue=too_slow, canvas_get_workload=down, calendar_list_events=old))

    assert [(trouble.sentence, trouble.is_missing, trouble.is_partial) for trouble in week.troubles] == [
        ("Canvas cannot be reached.", True, True),
        ("Google is slow; this is from 10:42 AM.", False, True),
        ("A feed shows no grades.", False, False),
    ]
    assert [entry.title for entry in week.entries] == ["Lab"]
    assert (week.is_due_unread, week.is_whole) == (True, False)


def test_what_a_tool_says_to_the_model_alone_is_no_trouble_and_a_cut_list_is_told_with_its_subject() -> None:
    free = ToolResult(output="1 gap.\nNote: counted as busy: “Trip” (Thu 26 Nov 2026, all day).", data={"free": []})
    cut = replace(found("assignments", ASSIGNMENT, total=60), output="60.\nNote: only the first 1 of 60 are shown.")
    door = FakeGateway(calendar_find_free_time=free, overdue=cut)

    assert read(door).troubles == (WeekProblem(sentence="Only 1 of 60 assignments that are overdue are shown."),)


def test_room_is_only_in_the_time_to_come() -> None:
    gaps = (
        {"start": "2026-11-25T08:00:00-06:00", "end": "2026-11-25T12:30:00-06:00"},
        {"start": "2026-11-25T11:00:00-06:00", "end": "2026-11-25T14:00:00-06:00"},
    )
    door = FakeGateway(calendar_find_free_time=found("free", *gaps))

    week = read(door)
    before = read(door, date(2026, 11, 18))

    assert [(gap.start.hour, gap.minutes) for gap in week.free_on(date(2026, 11, 25))] == [(12, 120)]
    assert before.free == ()


def test_an_event_over_midnight_stands_on_both_days_and_one_that_ends_at_midnight_on_one() -> None:
    night = {**EVENT, "start": "2026-11-26T23:00:00-06:00", "end": "2026-11-27T01:00:00-06:00"}
    evening = {
        **EVENT,
        "id": "2",
        "title": "Film",
        "start": "2026-11-26T21:00:00-06:00",
        "end": "2026-11-27T00:00:00-06:00",
    }

    week = read(FakeGateway(calendar_list_events=found("events", night, evening)))

    assert [entry.title for entry in week.entries_on(date(2026, 11, 26))] == ["Film", "Lab"]
    assert [entry.title for entry in week.entries_on(date(2026, 11, 27))] == ["Lab"]


def test_filtering_by_course_keeps_what_belongs_to_none() -> None:
    other = {**ASSIGNMENT, "id": 8, "title": "Essay", "course": "WRIT 110"}
    door = FakeGateway(range=found("assignments", ASSIGNMENT, other), calendar_list_events=found("events", EVENT))

    week = read(door)

    assert week.courses == ["BIOL 201: Cell Biology", "WRIT 110"]
    assert {entry.title for entry in week.only_courses(["WRIT 110"]).entries} == {"Lab", "Essay"}
    assert week.only_courses([]) is week


def test_the_calendar_file_reads_back_with_the_same_moments() -> None:
    whole_day = {**EVENT, "id": "3", "title": "Break", "start": "2026-11-26", "end": "2026-11-28", "all_day": True}
    door = FakeGateway(
        range=found("assignments", ASSIGNMENT),
        calendar_list_events=found("events", EVENT, whole_day),
        all_tasks=found("tasks", TASK),
    )
    week = read(door)

    calendar = Calendar.from_ical(to_ics(week))

    events = {str(event["summary"]): event for event in calendar.walk("VEVENT")}
    assert events["Due: Quiz 5 (BIOL 201: Cell Biology)"]["dtend"].dt == datetime(2026, 11, 27, 5, 30, tzinfo=UTC)
    assert events["Lab"]["dtend"].dt - events["Lab"]["dtstart"].dt == timedelta(hours=2)
    assert (events["Break"]["dtstart"].dt, events["Break"]["dtend"].dt) == (date(2026, 11, 26), date(2026, 11, 28))
    (todo,) = calendar.walk("VTODO")
    assert str(todo["status"]) == "NEEDS-ACTION"
    assert len({str(event["uid"]) for event in calendar.walk("VEVENT")}) == 3


def test_the_sample_course_stands_beside_the_students_own_work_and_is_marked() -> None:
    sample = {**ASSIGNMENT, "id": "quiz2", "title": "Quiz 2", "is_sample": True, "minutes": 30, "kind": "exam"}
    del sample["url"]
    door = FakeGateway(
        range=found("assignments", ASSIGNMENT),
        sample_list_assignments=found("assignments", sample, is_sample=True),
    )

    week = read(door)

    marks = [(entry.title, entry.is_sample, entry.minutes, entry.is_exam) for entry in week.entries]
    assert marks == [("Quiz 2", True, 30, True), ("Quiz 5", False, 0, False)]
    assert week.has_sample
    assert [entry.title for entry in week.without_sample().entries] == ["Quiz 5"]
    assert week.as_counted() == week.without_sample()
    alone = read(FakeGateway(sample_list_assignments=found("assignments", sample, is_sample=True)))
    assert [entry.title for entry in alone.as_counted().entries] == ["Quiz 2"]
    assert not read(FakeGateway()).has_sample


def test_a_filter_by_course_keeps_events_unless_they_are_left_out() -> None:
    door = FakeGateway(range=found("assignments", ASSIGNMENT), calendar_list_events=found("events", EVENT))
    week = read(door)

    assert [entry.title for entry in week.only_courses([ASSIGNMENT["course"]]).entries] == ["Lab", "Quiz 5"]
    assert [entry.title for entry in week.only_courses([ASSIGNMENT["course"]], alone=True).entries] == ["Quiz 5"]
    assert week.only_courses([], alone=True) == week


def test_the_week_begins_as_the_students_locale_does_and_from_friday_noon_on_it_is_the_next_seven_days() -> None:
    friday = NOW + timedelta(days=2, hours=3)
    maya = Student(id="maya", name="Maya", email="", timezone="America/Chicago")

    assert read(FakeGateway(), locale="en-US").first == date(2026, 11, 22)
    assert read(FakeGateway(), locale="es-ES").first == date(2026, 11, 23)
    assert load_week(FakeGateway(), maya, now=friday).first == date(2026, 11, 27)
