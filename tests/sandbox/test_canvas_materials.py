"""What the campus's Canvas knows besides assignments: rubrics, comments, posts, reviews, pages and closed courses."""

from itertools import combinations
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.canvas.gradebook.grades import totals
from tests.campus_server import CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, CampusServer
from tests.sandbox.canvas_clients import Get, getter


@pytest.fixture
def get(campus: CampusServer) -> Get:
    """Plain GET as Maya."""
    return getter(campus, "maya")


def test_an_item_of_a_module_leads_to_its_page_and_its_data(campus: CampusServer, get: Get) -> None:
    modules = get("/courses/4201/modules", params={"include[]": ["items", "content_details"], "per_page": 50}).json()
    items = [item for module in modules for item in module["items"]]

    assert {item["html_url"].partition("/modules/items/")[2] for item in items} == {str(item["id"]) for item in items}
    assert {campus.http.get(item["html_url"]).status_code for item in items} == {200}
    assert {item["type"] for item in items if "url" in item} == {"Assignment", "Page", "Quiz", "File"}
    works = [item for item in items if item["type"] == "Assignment"]
    assert works
    assert {get(work["url"]).json()["name"] for work in works} == {work["title"] for work in works}


def test_a_profile_has_its_calendar_feed_and_an_event_the_time_it_was_made(campus: CampusServer, get: Get) -> None:
    address = get("/users/self/profile").json()["calendar"]["ics"]
    events = get("/calendar_events", params={"context_codes[]": "course_4201", "all_events": "1"}).json()

    assert campus.http.get(address).text.startswith("BEGIN:VCALENDAR")
    assert events
    assert all(event["created_at"] <= event["updated_at"] for event in events)


def test_an_assignment_may_have_no_description(get: Get) -> None:
    rows = get("/courses/4201/assignments", params={"per_page": 100}).json()

    assert [row["name"] for row in rows if row["description"] is None] == ["Lab notebook check 3"]


def test_a_discussion_is_a_tree_with_the_people_who_wrote_in_it(get: Get) -> None:
    topics = get("/courses/4201/discussion_topics").json()
    topic = next(row for row in topics if "HeLa" in row["title"])

    view = get(f"/courses/4201/discussion_topics/{topic['id']}/view").json()

    (first,) = view["view"]
    assert first["replies"][0]["replies"][0]["user_id"] == 2001
    assert topic["discussion_subentry_count"] == 3
    assert {person["display_name"] for person in view["participants"]} == {"Maya Chen", "Jonas Lindgren", "Anne Okafor"}
    assert (view["unread_entries"], view["new_entries"]) == ([], [])


def test_unread_posts_are_counted_for_whom_they_are_unread(campus: CampusServer, get: Get) -> None:
    path = "/courses/4201/discussion_topics"
    hers = {row["title"]: row["unread_count"] for row in get(path).json()}
    teachers = {row["title"]: row["unread_count"] for row in getter(campus, "okafor")(path).json()}

    assert hers["Ask anything before the unit 3 quiz"] == 2
    assert teachers["Ask anything before the unit 3 quiz"] == 0


def test_where_one_must_write_first_the_posts_are_closed(campus: CampusServer, get: Get) -> None:
    topic = next(row for row in get("/courses/4201/discussion_topics").json() if "p53" in row["title"])
    path = f"/courses/4201/discussion_topics/{topic['id']}/view"

    assert (topic["require_initial_post"], topic["user_can_see_posts"]) == (True, False)
    assert get(path).status_code == 403
    assert getter(campus, "okafor")(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/courses/4201/discussion_topics/1/view", "/courses/4310/discussion_topics/4201903/view"]
)
def test_a_discussion_of_elsewhere_is_not_found(get: Get, path: str) -> None:
    assert get(path).status_code == 404


def test_a_peer_review_is_in_the_planner_under_the_assignments_title(get: Get) -> None:
    items = get("/planner/items", params={"per_page": 100}).json()

    reviews = [item for item in items if item["plannable_type"] == "assessment_request"]
    assert {item["plannable"]["workflow_state"] for item in reviews} == {"assigned", "completed"}
    assert {item["plannable"]["title"] for item in reviews} == {"Essay 3: Researched argument"}
    assert all("/submissions/" in item["html_url"] and item["submissions"] is False for item in reviews)


def test_a_submission_has_comments_rubric_and_attempts(get: Get) -> None:
    include = {"include[]": ["submission_comments", "rubric_assessment"]}
    draft = get("/courses/4402/assignments/4402010/submissions/self", params=include).json()
    report = get("/courses/4201/assignments/4201015/submissions/self", params=include).json()

    assert draft["attempt"] == 2
    assert [comment["author_name"] for comment in draft["submission_comments"]] == ["Helen Brandt", "Noor Haddad"]
    assert sum(criterion["points"] for criterion in report["rubric_assessment"].values()) == report["score"]
    assert "rubric_assessment" not in draft


def test_an_assignments_rubric_comes_to_its_points(get: Get) -> None:
    essay = get("/courses/4402/assignments/4402003").json()

    assert sum(criterion["points"] for criterion in essay["rubric"]) == essay["points_possible"]
    assert essay["allowed_extensions"] == ["docx", "pdf"]


def test_modules_tell_how_far_one_is(get: Get) -> None:
    bio = get("/courses/4201/modules", params={"include[]": "items"}).json()
    code = get("/courses/4310/modules", params={"include[]": ["items", "content_details"]}).json()

    assert [module["state"] for module in bio] == ["unlocked", "completed", "unlocked"]
    assert bio[1]["completed_at"]
    assert code[3]["state"] == "locked"
    asked = [item["completion_requirement"] for item in code[3]["items"] if "completion_requirement" in item]
    assert {item["type"] for item in bio[2]["items"]} == {"Page", "Assignment", "Quiz", "File", "ExternalUrl"}
    assert [asks["completed"] for asks in asked if asks["type"] == "must_submit"] == [True, False, False]
    assert "content_details" in code[3]["items"][0]
    assert "content_details" not in bio[0]["items"][0]


def test_a_course_outside_its_dates_has_a_number_and_no_name(campus: CampusServer) -> None:
    diego = getter(campus, "diego")

    (closed,) = [row for row in diego("/courses").json() if "name" not in row]
    assert closed == {"id": 4930, "access_restricted_by_date": True}
    assert diego("/courses/4930").status_code == 403
    assert diego("/planner/items", params={"context_codes[]": "course_4930"}).status_code == 403


def test_hidden_totals_are_left_out_and_schemes_are_told(campus: CampusServer) -> None:
    include = {"include[]": ["total_scores", "grading_scheme"]}
    rows = {row["id"]: row for row in getter(campus, "diego")("/courses", params=include).json()}

    assert rows[4809]["hide_final_grades"]
    assert "computed_current_score" not in rows[4809]["enrollments"][0]
    assert rows[4402]["grading_scheme"][0] == ["A", 0.93]
    assert rows[4310]["grading_scheme"][0] == ["A", 0.94]


def test_grading_periods_are_told_and_each_has_its_own_work_and_score(campus: CampusServer) -> None:
    diego = getter(campus, "diego")
    include = {"include[]": ["total_scores", "current_grading_period_scores"]}
    rows = {row["id"]: row for row in diego("/courses", params=include).json()}
    first, second = diego("/courses/4402/grading_periods").json()["grading_periods"]

    mine = rows[4402]["enrollments"][0]
    split = [
        {
            assignment["id"]
            for group in diego("/courses/4402/assignment_groups", params=wanted).json()
            for assignment in group["assignments"]
        }
        for wanted in ({"include[]": "assignments", "grading_period_id": period["id"]} for period in (first, second))
    ]
    assert (first["is_closed"], second["is_closed"]) == (True, False)
    assert mine["current_grading_period_id"] == second["id"]
    assert mine["current_period_computed_current_score"] != mine["computed_current_score"]
    assert rows[4402]["has_weighted_grading_periods"]
    assert split[0]
    assert split[1]
    assert not split[0] & split[1]
    assert not rows[4310]["has_grading_periods"]
    assert diego("/courses/4402/assignment_groups", params={"grading_period_id": 1}).status_code == 404


def test_groups_tell_their_rules(campus: CampusServer) -> None:
    groups = getter(campus, "diego")("/courses/4809/assignment_groups").json()
    quizzes = getter(campus, "diego")("/courses/4310/assignment_groups").json()[2]

    assert groups[0]["rules"] == {"drop_lowest": 2, "drop_highest": 1}
    assert quizzes["rules"] == {"drop_lowest": 2, "never_drop": [4310020]}
    assert groups[1]["rules"] == {}


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30)), min_size=2, max_size=6))
def test_the_lowest_that_is_dropped_leaves_the_best_that_is_left(pairs: list[tuple[int, int]]) -> None:
    group = {"id": 1, "group_weight": 100, "drop_lowest": 1, "drop_highest": 0, "never_drop": []}
    rows = [
        {"id": at, "group_id": 1, "points_possible": possible, "omit_from_final_grade": False}
        for at, (possible, _) in enumerate(pairs)
    ]
    submissions = {at: {"score": score, "excused": False} for at, (_, score) in enumerate(pairs)}

    current = totals([group], rows, submissions).current

    kept = combinations(pairs, len(pairs) - 1)
    best = max(100 * sum(score for _, score in some) / sum(possible for possible, _ in some) for some in kept)
    assert current == pytest.approx(best, abs=0.006)


def test_a_token_reads_what_it_asked_leave_for_and_nothing_else(campus: CampusServer) -> None:
    query = {"client_id": CLIENT_ID, "redirect_uri": REDIRECT_URI, "response_type": "code"}
    scopes = "url:GET|/api/v1/courses url:GET|/api/v1/courses/:course_id/assignments/:id"
    address = f"{campus.url}/canvas/login/oauth2/auth?{urlencode({**query, 'scope': scopes})}"
    fields = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "grant_type": "authorization_code"}
    token = campus.http.post(
        f"{campus.url}/canvas/login/oauth2/token",
        data={**fields, "redirect_uri": REDIRECT_URI, "code": campus.consent(address, "maya")},
    ).json()["access_token"]

    answers = [
        campus.http.get(f"{campus.url}/canvas/api/v1/{path}", headers={"authorization": f"Bearer {token}"})
        for path in ("courses", "courses/4201/assignments/4201015", "courses/4201/assignments", "planner/items")
    ]

    assert [answer.status_code for answer in answers] == [200, 200, 401, 401]
    assert "Insufficient scopes" in answers[2].text
    assert "www-authenticate" not in answers[2].headers
