"""Nothing but the reading functions of the closed list is ever sent to a Moodle, and its token stays in the body (T50)."""

import json
import logging
from urllib.parse import parse_qs

import httpx
import pytest

from services.connections.connector import Grant
from services.errors import (
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceUnavailable,
    Throttled,
)
from services.integrations.moodle.client import FunctionRefused, MoodleClient
from services.integrations.moodle.functions import READING_FUNCTIONS

TOKEN = "0123456789abcdef0123456789abcdef"
WRITES = (
    "mod_assign_save_submission",
    "mod_quiz_start_attempt",
    "mod_quiz_process_attempt",
    "core_calendar_create_calendar_events",
    "core_calendar_get_calendar_export_token",
    "core_files_get_unused_draft_itemid",
    "core_message_get_messages",
    "core_user_get_users_by_field",
    "core_enrol_get_enrolled_users",
    "mod_page_view_page",
    "tool_mobile_call_external_functions",
    "",
)


class FakeMoodle:
    """Moodle that answers every request with one body and remembers the requests."""

    def __init__(self, body="{}", status=200, headers=None) -> None:
        self.requests: list[httpx.Request] = []
        self._answer = (status, body, headers)

    def client(self) -> MoodleClient:
        status, body, headers = self._answer

        def answer(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            return httpx.Response(status, text=body, headers=headers)

        http = httpx.Client(transport=httpx.MockTransport(answer))
        return MoodleClient(Grant(origin="https://learn.example.edu/moodle", access_token=TOKEN), http=http)


def _error(code: str) -> str:
    return json.dumps({"exception": "moodle_exception", "errorcode": code, "message": f"about {TOKEN}"})


@pytest.mark.parametrize("function", WRITES)
def test_what_is_not_in_the_closed_list_is_never_sent(function):
    moodle = FakeMoodle()

    with pytest.raises(FunctionRefused):
        moodle.client().read(function, is_opened=True)

    assert moodle.requests == []


def test_the_closed_list_holds_nothing_that_acts_and_one_function_that_leaves_a_trace():
    assert {name.split("_")[2] for name in READING_FUNCTIONS} == {"get"}
    assert [name for name, each in READING_FUNCTIONS.items() if each.leaves_trace] == [
        "mod_assign_get_submission_status"
    ]


def test_a_parameter_that_is_not_listed_is_never_sent():
    moodle = FakeMoodle()

    with pytest.raises(FunctionRefused):
        moodle.client().read("mod_assign_get_submission_status", is_opened=True, assignid=3, userid=9)

    assert moodle.requests == []


def test_what_leaves_a_trace_is_only_asked_of_what_the_student_opens():
    moodle = FakeMoodle('{"warnings": []}')

    with pytest.raises(FunctionRefused):
        moodle.client().read("mod_assign_get_submission_status", assignid=3)
    assert moodle.requests == []

    moodle.client().read("mod_assign_get_submission_status", is_opened=True, assignid=3)
    assert len(moodle.requests) == 1


def test_lists_and_the_token_go_in_the_body_to_a_site_below_a_path():
    moodle = FakeMoodle('{"courses": []}')

    moodle.client().read("mod_assign_get_assignments", courseids=(7, 12))

    (request,) = moodle.requests
    assert str(request.url) == "https://learn.example.edu/moodle/webservice/rest/server.php"
    assert parse_qs(request.content.decode()) == {
        "wstoken": [TOKEN],
        "wsfunction": ["mod_assign_get_assignments"],
        "moodlewsrestformat": ["json"],
        "courseids[0]": ["7"],
        "courseids[1]": ["12"],
    }


def test_the_private_access_key_of_an_answer_goes_no_further():
    moodle = FakeMoodle(json.dumps({"userid": 5, "userprivateaccesskey": "secret", "fullname": "Ada"}))

    assert moodle.client().read("core_webservice_get_site_info") == {"userid": 5, "fullname": "Ada"}


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("invalidtoken", ReconnectRequired),
        ("wsaccessusernologin", ReconnectRequired),
        ("forcepasswordchangenotice", PermissionMissing),
        ("accessexception", PermissionMissing),
        ("errorcoursecontextnotvalid", PermissionMissing),
        ("invalidrecord", ItemNotFound),
        ("sitemaintenance", ServiceUnavailable),
        ("invalidparameter", RequestRefused),
    ],
)
def test_an_error_that_comes_as_a_success_is_an_error_without_moodles_words(code, kind):
    with pytest.raises(kind) as error:
        FakeMoodle(_error(code)).client().read("core_webservice_get_site_info")

    assert TOKEN not in str(error.value)


def test_the_other_envelope_of_errors_is_an_error_too():
    body = json.dumps({"error": "Invalid token", "errorcode": "invalidtoken", "stacktrace": None})

    with pytest.raises(ReconnectRequired):
        FakeMoodle(body).client().read("core_webservice_get_site_info")


@pytest.mark.parametrize("body", ["", "<html>sign in</html>", "[" * 100_000, "\x00"])
def test_a_spoiled_body_is_an_answer_that_cannot_be_read(body):
    with pytest.raises(ServiceUnavailable):
        FakeMoodle(body).client().read("core_course_get_contents", courseid=7)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(403, PermissionMissing), (404, ServiceUnavailable), (429, Throttled), (503, ServiceUnavailable)],
)
def test_a_status_is_an_error_whatever_the_body(status, kind):
    with pytest.raises(kind):
        FakeMoodle("[]", status, {"retry-after": "60"}).client().read("core_course_get_contents", courseid=7)


def test_the_token_is_in_no_log_and_no_address(caplog):
    caplog.set_level(logging.DEBUG)
    moodle = FakeMoodle(_error("invalidtoken"))

    with pytest.raises(ReconnectRequired):
        moodle.client().read("core_webservice_get_site_info")

    assert TOKEN not in caplog.text
    assert TOKEN not in str(moodle.requests[0].url)
