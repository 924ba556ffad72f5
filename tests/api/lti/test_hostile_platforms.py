"""What a registered school's system, or somebody in front of one, may not do to others (T44)."""

import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from starlette.testclient import TestClient

from services.classes.lti import claim_names as names
from services.classes.lti import roster_client
from services.classes.lti.login_initiation import LoginInitiation
from services.classes.lti.refusals import LaunchRefused
from services.classes.school_class import ClassRole
from services.errors import ServiceUnavailable
from services.identity.students import Student
from tests.api.lti.lti_room import PUBLIC, Browser, LtiRoom, refusal_of
from tests.api.lti.platform_server import INSTRUCTOR, LEARNER
from tests.api.lti.test_once import launch_of

TEACHES = {"email": None, names.ROLES: [INSTRUCTOR]}


def teacher(lti: LtiRoom, subject: str = "teacher") -> tuple[Browser, Student]:
    """An instructor who has opened the course."""
    browser = lti.browser()
    browser.open(browser.launch(sub=subject, name=f"Teacher {subject}", **TEACHES))
    assert browser.student
    return browser, browser.student


def test_who_takes_a_course_over_gets_a_class_of_their_own_and_not_the_one_that_was_parted_from_it(
    lti: LtiRoom,
) -> None:
    classes = lti.services.classroom.classes
    _, first = teacher(lti, "first")
    [(parted, _)] = classes.of_student(first.id)
    lti.lti.courses.unbind(first, parted.id)

    _, second = teacher(lti, "second")

    [(theirs, role)] = classes.of_student(second.id)
    assert (theirs.id != parted.id, role) == (True, ClassRole.INSTRUCTOR)
    assert classes.role_in(second.id, parted.id) is None


def test_a_class_that_was_deleted_comes_anew_with_the_next_launch_of_its_course(lti: LtiRoom) -> None:
    classes = lti.services.classroom.classes
    _, first = teacher(lti)
    [(deleted, _)] = classes.of_student(first.id)
    classes.delete(first, deleted.id)

    _, again = teacher(lti)

    [(made, _)] = classes.of_student(again.id)
    assert made.id != deleted.id


@pytest.mark.parametrize(
    "claims",
    [
        {names.NAMES_AND_ROLES: {"context_memberships_url": "https://x.example/\ud800"}},
        {names.CONTEXT: {"id": "bio", "title": "\ud800"}},
        {"name": "\udfff", "email": "\udfff@x.example"},
        {"given_name": "\ud800", "name": None},
    ],
)
def test_half_a_letter_in_what_is_said_stops_no_launch(lti: LtiRoom, claims: Mapping[str, Any]) -> None:
    browser = lti.browser()
    page = browser.launch(**claims)

    assert (page.status_code, refusal_of(page)) == (200, "")
    assert browser.open(page).status_code in (200, 303)


def test_a_crash_of_ours_is_a_plain_page_with_a_reference(
    lti: LtiRoom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing that is known crashes a launch, so that one part of it is broken here by hand."""

    def crash(*_: object) -> None:
        raise RuntimeError("canary-of-a-crash")

    monkeypatch.setattr(LoginInitiation, "begin", crash)
    page = lti.browser().login()

    assert (page.status_code, refusal_of(page)) == (500, "crashed")
    assert page.headers["content-type"].startswith("text/html")
    assert "canary" not in page.text + caplog.text
    assert "lti_crashed" in caplog.text


def test_a_registration_with_an_odd_token_is_a_plain_page(lti: LtiRoom) -> None:
    link = lti.lti.invites.create().removeprefix(PUBLIC)
    wanted = f"{link}&openid_configuration={lti.platform.origin}/openid&registration_token={quote('é 語')}"

    assert refusal_of(lti.browser().send("GET", wanted)) == "configuration_refused"


@pytest.mark.parametrize(
    "host", ["*", "*.example", "a.example;sandbox", "a.example,b.example", "a'b.example", "学校.example"]
)
def test_an_odd_host_opens_our_frames_to_nobody(lti: LtiRoom, host: str) -> None:
    lti.platform.configuration = {"authorization_endpoint": f"https://{host}/auth"}
    link = lti.lti.invites.create().removeprefix(PUBLIC)
    page = lti.browser().send("GET", f"{link}&openid_configuration={lti.platform.origin}/openid")

    assert refusal_of(page) == "endpoint_refused"
    assert host not in lti.browser().send("GET", "/lti/launch").headers["content-security-policy"]


def test_a_school_whose_keys_do_not_come_makes_no_other_school_wait(
    lti: LtiRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Launches that somebody makes up for it ask for its keys once, and none of the others stands behind them."""
    waits, is_asked, asked, answer = threading.Event(), threading.Event(), list[str](), lti.platform.answer

    def silent(method: str, path: str, body: bytes, bearer: str) -> tuple[int, Any, Mapping[str, str]]:
        if path != "/silent":
            return answer(method, path, body, bearer)
        asked.append(path)
        is_asked.set()
        waits.wait(4)
        return 503, {}, {}

    monkeypatch.setattr(lti.platform, "answer", silent)
    silent_school = lti.registration(issuer="https://silent.example", jwks_url=f"{lti.platform.origin}/silent")
    theirs, keys = lti.lti.platforms.add(silent_school), lti.lti.launches._keys

    def made_up(_: int) -> str:
        with pytest.raises(LaunchRefused) as refused:
            keys.key(theirs, "k1")
        return refused.value.code

    with ThreadPoolExecutor(6) as pool:
        codes = pool.map(made_up, range(6))
        assert is_asked.wait(4)
        assert refusal_of(lti.browser().launch()) == ""
        waits.set()

    assert [*codes, made_up(7)] == ["keys_unreachable"] * 7
    assert asked == ["/silent"]


def test_many_launches_of_a_school_whose_keys_do_not_come_leave_threads_for_the_others(
    lti: LtiRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them wait than a process has threads for launches; a school that answers is served meanwhile."""
    waits, is_asked, came_in_time, answer = threading.Event(), threading.Event(), list[bool](), lti.platform.answer

    def silent(method: str, path: str, body: bytes, bearer: str) -> tuple[int, Any, Mapping[str, str]]:
        if path != "/silent":
            return answer(method, path, body, bearer)
        is_asked.set()
        came_in_time.append(waits.wait(4))
        return 503, {}, {}

    monkeypatch.setattr(lti.platform, "answer", silent)
    issuer = "https://silent.example"
    lti.lti.platforms.add(lti.registration(issuer=issuer, jwks_url=f"{lti.platform.origin}/silent"))
    logins = [parse_qs(urlsplit(lti.browser().login(iss=issuer).headers["location"]).query) for _ in range(8)]

    def launched(login: Mapping[str, list[str]]) -> str:
        sent = {"id_token": lti.platform.sign(lti.platform.claims(login["nonce"][0])), "state": login["state"][0]}
        return refusal_of(TestClient(lti.client.app, base_url=PUBLIC).post("/lti/launch", data=sent))

    with ThreadPoolExecutor(len(logins)) as pool:
        codes = pool.map(launched, logins)
        assert is_asked.wait(4)
        while lti.services.store.shared.find("lti_logins", {"used_at": None}):
            assert not came_in_time
            time.sleep(0.01)
        assert refusal_of(lti.browser().launch()) == ""
        waits.set()

    assert [*codes] == ["keys_unreachable"] * len(logins)
    assert came_in_time == [True]


def test_who_was_brought_in_by_a_list_of_the_course_is_named_once_they_know(lti: LtiRoom) -> None:
    """An account may have a name and an address that the school's system never knew."""
    classroom = lti.services.classroom
    _, instructor = teacher(lti)
    [(school_class, _)] = classroom.classes.of_student(instructor.id)
    own = lti.services.students.sign_in(
        issuer="https://id.example", subject="maya", name="Maya Private", email="private@home.example"
    )
    lti.lti.accounts.link(launch_of(lti, "user-7"), own)
    lti.platform.pages = [[{"user_id": "teacher", "roles": [INSTRUCTOR]}, {"user_id": "user-7", "roles": [LEARNER]}]]
    lti.lti.rosters.apply(instructor, school_class.id)

    def shown() -> str:
        return repr([(p.name, p.email) for p in classroom.memberships.people(instructor, school_class.id)])

    assert "Private" not in shown()
    assert "private@home.example" not in shown()
    classroom.memberships.mark_told(own, school_class.id)
    assert "private@home.example" in shown()


def test_a_list_that_comes_too_slowly_is_given_up_as_a_whole(lti: LtiRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    _, instructor = teacher(lti)
    [(school_class, _)] = lti.services.classroom.classes.of_student(instructor.id)
    lti.platform.pages = [[{"user_id": f"user-{n}", "roles": [LEARNER]}] for n in range(90)]
    monkeypatch.setattr(roster_client, "TOTAL_S", 0.02)

    with pytest.raises(ServiceUnavailable, match="did not give the list"):
        lti.lti.rosters.compare(instructor, school_class.id)
    assert len(lti.platform.asked) < 90
