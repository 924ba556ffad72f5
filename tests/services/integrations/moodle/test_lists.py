"""Lists of a Moodle are whole or an error: an empty one is confirmed, and no page passes for all of them."""

import json
from datetime import UTC, datetime
from urllib.parse import parse_qs

import httpx
import pytest

from services.connections.connector import Grant
from services.errors import PermissionMissing, ServiceUnavailable
from services.integrations.moodle.client import MoodleClient
from services.integrations.moodle.lists import MoodleAccount, read_account, read_action_rows, read_course_rows

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
ADA = MoodleAccount(id=5, name="Ada", functions=frozenset())
ACTIONS = "core_calendar_get_action_events_by_timesort"


def moodle(**answers) -> MoodleClient:
    """Client of a Moodle whose functions give these answers; a callable is given the request's fields."""

    def answer(request: httpx.Request) -> httpx.Response:
        fields = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        body = answers[fields["wsfunction"]]
        return httpx.Response(200, text=json.dumps(body(fields) if callable(body) else body))

    http = httpx.Client(transport=httpx.MockTransport(answer))
    return MoodleClient(Grant(origin="https://learn.example.edu", access_token="token"), http=http)


def test_an_account_tells_what_its_token_may_call():
    functions = [{"name": "core_course_get_contents", "version": "4.5"}, {"version": "4.5"}, None]
    info = {"userid": 5, "fullname": "Ada", "functions": functions, "userprivateaccesskey": "secret"}

    assert read_account(moodle(core_webservice_get_site_info=info)) == MoodleAccount(
        id=5, name="Ada", functions=frozenset({"core_course_get_contents"})
    )


@pytest.mark.parametrize("info", [[], None, {}, {"userid": "5"}, {"userid": 0}])
def test_an_account_without_an_id_cannot_be_read(info):
    with pytest.raises(ServiceUnavailable):
        read_account(moodle(core_webservice_get_site_info=info))


def test_no_courses_are_no_courses_only_once_the_calendar_answers_too():
    forced = {"exception": "moodle_exception", "errorcode": "forcepasswordchangenotice", "message": "Change it"}
    waits = moodle(core_enrol_get_users_courses=[], **{ACTIONS: forced})
    is_new = moodle(core_enrol_get_users_courses=[], **{ACTIONS: {"events": []}})

    with pytest.raises(PermissionMissing):
        read_course_rows(waits, ADA, NOW)
    assert read_course_rows(is_new, ADA, NOW) == []


def test_actions_are_read_page_by_page_to_the_end():
    def page(fields):
        first = int(fields.get("aftereventid", 0)) + 1
        return {"events": [{"id": id} for id in range(first, min(first + 50, 121))]}

    assert [row["id"] for row in read_action_rows(moodle(**{ACTIONS: page}), NOW)] == list(range(1, 121))


def test_a_list_that_goes_round_in_a_circle_ends():
    same = {"events": [{"id": id} for id in range(50)]}

    assert len(read_action_rows(moodle(**{ACTIONS: same}), NOW)) == 50


def test_a_list_without_an_end_is_an_error():
    def page(fields):
        first = int(fields.get("aftereventid", 0)) + 1
        return {"events": [{"id": id} for id in range(first, first + 50)]}

    with pytest.raises(ServiceUnavailable):
        read_action_rows(moodle(**{ACTIONS: page}), NOW)


@pytest.mark.parametrize("body", [None, {}, {"events": None}, {"events": [1]}, [], 7])
def test_spoiled_actions_are_an_error_and_no_empty_list(body):
    with pytest.raises(ServiceUnavailable):
        read_action_rows(moodle(**{ACTIONS: body}), NOW)
