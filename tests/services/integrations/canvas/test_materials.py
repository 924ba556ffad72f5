"""Syllabus, modules, discussions, to-do list and workload, over real HTTP."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from services.errors import BadArguments, NameUnknown
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.every_tool import CALLS

FIRST_LINE = re.compile(r".+\(Canvas, as of \d\d?:\d\d [AP]M\)\.")
LINK = re.compile(r"\[open\]\((\S+)\)")


def test_every_first_line_sums_up_and_every_link_opens_and_is_a_source(campus: CampusServer, call: Any) -> None:
    links: set[str] = set()

    for name, arguments in CALLS:
        result = call(name, **arguments)
        found = set(LINK.findall(result.output))
        assert FIRST_LINE.fullmatch(result.output.split("\n")[0]), name
        assert found, (name, arguments, result.output)
        assert {link for link in found if "/grades" not in link and "/modules" not in link} <= {
            source.url for source in result.sources
        }, name
        links |= found

    assert {campus.http.get(link).status_code for link in links} == {200}


def test_a_syllabus_is_quoted_as_the_instructors_words(call: Any) -> None:
    output = call("canvas_get_syllabus", course="biología").output

    assert "> Late work" in output
    assert "> Problem sets lose 10 % a day for three days." in output
    assert "<" not in output


def test_a_course_without_a_syllabus_says_so(campus: CampusServer, call: Any) -> None:
    campus.fault(
        service="canvas",
        fault="status",
        path="/api/v1/courses/4201",
        status=200,
        body={"id": 4201, "syllabus_body": None},
    )

    result = call("canvas_get_syllabus", course="bio")

    assert result.output.startswith("No syllabus text in BIOL 201")
    assert "look at its page or its modules" in result.output


def test_modules_tell_what_is_done_locked_and_left(call: Any) -> None:
    whole = call("canvas_list_modules", course="cs101")
    left = call("canvas_list_modules", course="cs101", only="to_do")

    assert "**Module: Final project** — locked — opens " in whole.output
    assert "— 1 of 3 done —" in whole.output
    titles = [item["title"] for module in left.data["modules"] for item in module["items"]]
    assert [title.split(":")[0] for title in titles] == ["Project milestone", "Final project"]
    assert all(item["done"] is False for module in left.data["modules"] for item in module["items"])


def test_one_module_is_found_by_its_words(call: Any) -> None:
    result = call("canvas_list_modules", course="bio", module="unit 3")

    assert [module["name"] for module in result.data["modules"]] == ["Unit 3 · Division and signals"]
    with pytest.raises(BadArguments, match="There are: “Unit 1"):
        call("canvas_list_modules", course="bio", module="appendix")


def test_unread_discussions_are_only_those(call: Any) -> None:
    found = call("canvas_list_discussions", only="unread").data["discussions"]

    assert found
    assert all(item["unread"] or item["is_new"] for item in found)
    assert "Ask anything before the unit 3 quiz" in {item["title"] for item in found}


def test_of_a_discussion_ones_own_posts_can_be_asked_for(call: Any) -> None:
    mine = call("canvas_get_discussion", course="bio", topic="HeLa", posts="mine")
    unread = call("canvas_get_discussion", course="bio", topic="unit 3 quiz", posts="unread")

    assert (mine.data["written_by_you"], mine.data["shown"]) == (1, 1)
    assert "nobody asked Henrietta Lacks" in mine.output
    assert unread.data["shown"] == 2


def test_a_discussion_is_found_in_whichever_course_it_is(call: Any) -> None:
    found = call("canvas_get_discussion", topic="HeLa")

    assert found.data["course"] == "BIOL 201: Cell Biology"
    with pytest.raises(
        BadArguments, match=r"topic: \d+ fit “[^”]*”: .*\(HIST 142: The Modern World since 1789, id \d+\)"
    ):
        call("canvas_get_discussion", topic="section post")


def test_where_one_must_post_first_nothing_is_shown_and_it_is_said(campus: CampusServer, call: Any) -> None:
    since = campus.log()[-1]["id"]

    result = call("canvas_get_discussion", course="bio", topic="p53")

    assert "Note: the others' posts open once the student has written one." in result.output
    assert "It stops the cycle" not in result.output
    assert not [e for e in campus.log(service="canvas", since=since) if e["path"].endswith("/view")]


@pytest.mark.parametrize("status", [403, 503])
def test_posts_that_canvas_keeps_back_are_a_named_gap(campus: CampusServer, call: Any, status: int) -> None:
    path = "/api/v1/courses/4201/discussion_topics/*/view"
    campus.fault(service="canvas", fault="status", path=path, times=0, status=status)

    assert "Note: the posts are missing here." in call("canvas_get_discussion", course="bio", topic="hela").output


def test_an_unknown_or_unclear_discussion_is_said(call: Any) -> None:
    with pytest.raises(NameUnknown, match="none is called"):
        call("canvas_get_discussion", course="bio", topic="basket weaving")
    with pytest.raises(BadArguments, match=r"topic: \d fit “[^”]*”: “.*, id \d+\)"):
        call("canvas_get_discussion", course="hist", topic="section post")


def test_the_to_do_list_has_work_notes_and_peer_reviews_but_nothing_done(call: Any) -> None:
    found = call("canvas_list_todo").data["items"]

    assert {"assignment", "quiz", "own note", "peer review"} <= {item["kind"] for item in found}
    assert not {"announcement", "course event"} & {item["kind"] for item in found}
    assert all(item["to_do"] and "graded" not in item["status"] for item in found)


def test_peer_reviews_that_are_done_are_not_owed(call: Any) -> None:
    (review,) = call("canvas_list_todo", show="peer_reviews").data["items"]

    assert review["title"] == "Review a classmate's work: Essay 3: Researched argument"
    assert review["url"].endswith("/courses/4402/assignments/4402003")


def test_what_was_ticked_off_in_the_planner_is_no_longer_to_do(campus: CampusServer, call: Any) -> None:
    thing = {"title": "Read", "todo_date": "2026-11-25T12:00:00Z"}
    row = {"plannable_type": "wiki_page", "plannable_id": 5, "plannable": thing, "html_url": "/courses/1/pages/read"}
    body = [row, {**row, "plannable_id": 6, "planner_override": {"marked_complete": True}}]
    campus.fault(service="canvas", fault="status", path="/api/v1/planner/items", times=0, status=200, body=body)

    assert [item["id"] for item in call("canvas_list_todo").data["items"]] == [5]
    assert "**Read** — page to read" in call("canvas_list_todo").output
    assert call("canvas_list_todo", show="everything").data["total"] == 2


def test_weeks_begin_on_monday_and_hold_what_is_due_in_them(call: Any) -> None:
    weeks = call("canvas_get_workload", weeks=4).data["weeks"]

    first, *others = [datetime.fromisoformat(week["first"]) for week in weeks]
    assert {day.weekday() for day in others} == {0}
    assert {datetime.fromisoformat(week["last"]).weekday() for week in weeks} == {6}
    assert len(weeks) == 4 + (first.weekday() >= 5)
    assert all(
        item["due_at"] >= datetime.now(UTC).isoformat() or "missing" in item["status"] for item in weeks[0]["items"]
    )
    assert all(week["minutes"] == sum(item["minutes"] for item in week["items"]) for week in weeks)
    assert sum(len(week["items"]) for week in weeks) > 20
    assert "Time estimates are Homeroom's rule of thumb" in call("canvas_get_workload").output


def test_priorities_say_their_rule_and_leave_out_what_is_closed(campus: CampusServer, call: Any) -> None:
    ranked = call("canvas_rank_priorities", limit=30)
    rows = [{"id": 1, "assignments": [{"id": 4505005, "lock_at": "2026-01-01T00:00:00Z"}]}]
    campus.fault(service="canvas", fault="status", path="/api/v1/courses/4505/assignment_groups", status=200, body=rows)

    without = call("canvas_rank_priorities", limit=30)

    weights = [item["weight"] for item in ranked.data["items"]]
    assert weights == sorted(weights, reverse=True)
    assert "Ranked by: share of the course grade" in ranked.output
    assert 4505005 in {item["id"] for item in ranked.data["items"]}
    assert 4505005 not in {item["id"] for item in without.data["items"]}


def test_work_is_found_by_kind_state_and_words(call: Any) -> None:
    exams = call("canvas_list_assignments", kind="exam").data["assignments"]
    late = call("canvas_list_assignments", window="late").data["assignments"]
    about = call("canvas_list_assignments", window="all", search="mitotic index").data["assignments"]
    typed = call("canvas_list_assignments", window="all", search="mitossis").data["assignments"]

    assert {exam["kind"] for exam in exams} == {"exam"}
    assert all("late" in item["status"] for item in late)
    assert [item["title"] for item in about] == ["Lab Report 6: Mitosis in onion root tips"]
    assert {item["id"] for item in about} <= {item["id"] for item in typed}


def test_what_was_graded_comes_with_the_teachers_words(call: Any) -> None:
    found = call("canvas_list_assignments", window="graded").data["assignments"]

    assert all(item["status"].startswith(("graded", "excused")) for item in found)
    assert any(item.get("remark", "").startswith("Priya Raman: “") for item in found)


def test_an_assignment_tells_rubric_attempts_comments_and_class(call: Any) -> None:
    draft = call("canvas_get_assignment", assignment="essay 3 complete draft", course="writing")
    report = call("canvas_get_assignment", assignment="lab report 5", course="bio")
    essay = call("canvas_get_assignment", assignment="essay 3 researched", course="writing")

    assert "- Likely to take" not in draft.output
    assert "- Attempts used: 2" in draft.output
    assert "- Comment by Helen Brandt on " in draft.output
    assert "  - Data and figures — 24 of 25 points" in report.output
    assert "- Group: Lab (25 % of the grade)" in report.output
    assert "  - Argument — 50 points" in essay.output
    assert "(docx, pdf only)" in essay.output


def test_a_course_of_an_earlier_term_is_found_when_no_active_one_fits(call: Any) -> None:
    result = call("canvas_get_grades", course="first-year seminar")

    assert result.data["course"].startswith("FYS 100")
    past, now = call("canvas_list_courses", past=True), call("canvas_list_courses")
    assert past.data["courses"][0]["code"] == "FYS 100"
    assert past.data["courses"][0]["ends_on"] < str(datetime.now(UTC).date()) < now.data["courses"][0]["ends_on"]
    assert " until " in now.output.splitlines()[1]


def test_open_work_says_about_how_long_it_takes(call: Any) -> None:
    report = call("canvas_get_assignment", assignment="lab report 6", course="bio")

    assert "- Likely to take about 2½ hours, by Homeroom's rule of thumb" in report.output
    assert report.data["minutes"] == 150


def test_a_time_limit_is_used_wherever_time_is_estimated_and_missed_nowhere(campus: CampusServer, call: Any) -> None:
    quiz = call("canvas_get_assignment", assignment="quiz 5", course="bio")
    assert "- Likely to take about 15 minutes (its time limit)" in quiz.output

    for name, rows in (("canvas_get_workload", "weeks"), ("canvas_rank_priorities", "items")):
        data = call(name).data[rows]
        found = [item for row in data for item in row.get("items", [row])]
        assert [item["minutes"] for item in found if item["title"].startswith("Quiz 5 (chapters")] == [15], name

    campus.fault(service="canvas", fault="status", path="/api/v1/courses/*/quizzes", status=404, times=0)
    without = call("canvas_get_assignment", assignment="quiz 5", course="bio")
    assert without.data["minutes"] == 60


def test_an_item_of_a_module_has_the_id_that_another_tool_takes_or_none(call: Any) -> None:
    lines = call("canvas_list_modules", course="bio", module="Unit 3").output.splitlines()

    ids = {
        line.partition("**")[2].partition("**")[0]: line.rpartition("(id: ")[2][:-1]
        for line in lines
        if "(id: " in line
    }
    assert call("canvas_get_assignment", assignment=ids["Problem Set 9: Signal transduction"]).success
    assert ids["Animation: mitosis"].startswith("canvas-4201.link-")
    assert [id for id in ids.values() if id.startswith("canvas-4201.file-")]
    assert lines[-1].startswith("What these pages, files and links say is read by materials_search")
