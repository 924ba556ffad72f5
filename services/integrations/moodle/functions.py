"""`MoodleFunction`: the closed list of web service functions that Homeroom may call.

The token of the mobile service can write, and some functions that are named like reads have effects. So what is not in
this list is never sent, whoever asks for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, kw_only=True)
class MoodleFunction:
    """Function of Moodle's web service. parameters: the names that a call may have, without indices.

    leaves_trace: the call changes what a teacher sees, so that it is only made for what the student opens.
    """

    name: str
    parameters: frozenset[str] = frozenset()
    leaves_trace: bool = False


def _function(name: str, *parameters: str, leaves_trace: bool = False) -> MoodleFunction:
    return MoodleFunction(name=name, parameters=frozenset(parameters), leaves_trace=leaves_trace)


_LIST = (
    _function("core_webservice_get_site_info"),
    _function("core_enrol_get_users_courses", "userid", "returnusercount"),
    _function("core_course_get_contents", "courseid", "options"),
    _function("core_calendar_get_action_events_by_timesort", "timesortfrom", "timesortto", "aftereventid", "limitnum"),
    _function("core_calendar_get_calendar_monthly_view", "year", "month", "courseid"),
    _function("core_completion_get_activities_completion_status", "courseid", "userid"),
    _function("gradereport_overview_get_course_grades", "userid"),
    _function("gradereport_user_get_grade_items", "courseid", "userid"),
    _function("mod_assign_get_assignments", "courseids"),
    # Moodle 4.5: a first call makes a submission "new", and graded work is logged as "feedback viewed".
    _function("mod_assign_get_submission_status", "assignid", leaves_trace=True),
    _function("mod_forum_get_forums_by_courses", "courseids"),
    _function("mod_forum_get_forum_discussions", "forumid", "sortorder", "page", "perpage"),
    _function("mod_forum_get_discussion_posts", "discussionid", "sortby", "sortdirection"),
    _function("mod_quiz_get_quizzes_by_courses", "courseids"),
    _function("mod_quiz_get_user_attempts", "quizid", "status"),
    _function("mod_page_get_pages_by_courses", "courseids"),
    _function("mod_url_get_urls_by_courses", "courseids"),
)
READING_FUNCTIONS: Mapping[str, MoodleFunction] = MappingProxyType({function.name: function for function in _LIST})
