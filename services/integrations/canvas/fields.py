"""Texts of Canvas's JSON that Homeroom reads, each with who may have written it; the others are not read.

Who may write what: https://community.canvaslms.com/t5/Canvas-Resource-Documents/Canvas-Permissions/ta-p/387078.
Teachers write courses, assignments, modules and rubrics; students write comments, posts, the titles of their topics and
their own display names, and pages and group events where a course allows it.
"""

from services.integrations.canvas.payloads import Json
from services.safety.field_log import Fields, read_fields
from services.safety.provenance import ELSEWHERE, Provenance

_BY_SCHOOL = (
    *("name", "course_code", "title", "description", "long_description", "syllabus_body", "syllabus_text"),
    *("context_name", "current_grading_period_title", "lock_explanation", "comments", "allowed_extensions"),
    *("computed_current_grade", "computed_final_grade"),
    *("current_period_computed_current_grade", "current_period_computed_final_grade"),
)
_BY_SERVICE = (
    *(
        "id",
        "course_id",
        "assignment_id",
        "assignment_group_id",
        "plannable_id",
        "quiz_id",
        "user_id",
        "author_id",
        "content_id",
    ),
    *("grader_id", "grading_standard_id", "current_grading_period_id", "prerequisite_module_ids", "never_drop"),
    *("context_code", "html_url", "url", "type", "grading_type", "submission_types", "plannable_type"),
    *("workflow_state", "state", "enrollment_state", "read_state", "role", "time_zone", "unread_entries"),
    *("due_at", "lock_at", "unlock_at", "start_at", "end_at", "start_date", "end_date", "close_date", "posted_at"),
    *("plannable_date", "todo_date", "submitted_at", "graded_at", "created_at", "updated_at", "delayed_post_at"),
    *("last_reply_at", "expires_at", "hide_final_grades", "missing_type"),
    *("is_quiz_assignment", "is_quiz_lti_assignment"),
)
_PEOPLE: Fields = {"id": Provenance.SERVICE, "display_name": Provenance.OTHERS}

COURSES: Fields = {
    **dict.fromkeys(_BY_SCHOOL, Provenance.SCHOOL),
    **dict.fromkeys(_BY_SERVICE, Provenance.SERVICE),
    "teachers": {"id": Provenance.SERVICE, "display_name": Provenance.SCHOOL},
    "grading_scheme": Provenance.SCHOOL,
    "submission_comments": {
        **dict.fromkeys(("author_id", "created_at"), Provenance.SERVICE),
        **dict.fromkeys(("comment", "author_name"), Provenance.OTHERS),
    },
}
"""Courses with all that teachers make, and the student's submissions with what was said about them."""
POSTS: Fields = {
    **COURSES,
    **dict.fromkeys(("title", "message", "user_name", "location_name"), Provenance.OTHERS),
    "author": _PEOPLE,
    "participants": _PEOPLE,
}
"""Announcements, discussions, and items of the planner that students may write."""
MATERIALS: Fields = {
    **POSTS,
    **dict.fromkeys(("page_url", "modified_at", "upload_status", "content-type", "uuid"), Provenance.SERVICE),
    **dict.fromkeys(("folder_id", "page_id", "module_id"), Provenance.SERVICE),
    # A yes or no, which may come as a text; one that is not read would pass for a no.
    **dict.fromkeys(("locked_for_user", "locked", "published", "hide_from_students", "can_view"), Provenance.SERVICE),
    "is_announcement": Provenance.SERVICE,
    **dict.fromkeys(("display_name", "filename", "full_name", "body", "external_url"), Provenance.OTHERS),
}
"""Files, folders, pages and items of modules; many come from elsewhere, whoever put them there."""
_OWN_NOTES: Fields = {**COURSES, "title": Provenance.STUDENT}
_OF_PLANNER = {
    **dict.fromkeys(("assignment", "sub_assignment", "quiz", "assessment_request"), COURSES),
    "planner_note": _OWN_NOTES,
}


def read_planner(row: Json, origin: str = ELSEWHERE) -> Json:
    """Read an item of the planner: what is neither work nor the student's own note others may have written."""
    item: Json = read_fields(row, _OF_PLANNER.get(str(row.get("plannable_type")), POSTS), origin)
    return item
