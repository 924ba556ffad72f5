"""The campus's LTI platforms, with a tool on pylti1p3next as the other side; and what they refuse."""

from collections.abc import Iterator

import httpx
import pytest
from pylti1p3.exception import LtiException

from sandbox.lti.flavour import CANVAS, FLAVOURS, MOODLE, Flavour
from services.classes.lti.course_roles import CourseStanding, course_standing, is_administrator
from tests.api.lti.platform_server import PlatformServer, platform_server
from tests.campus_server import CampusServer
from tests.sandbox.lti_clients import LibraryTool, Message, form_of


@pytest.fixture(scope="module")
def keys() -> Iterator[PlatformServer]:
    with platform_server() as running:
        yield running


@pytest.fixture(params=[CANVAS, MOODLE], ids=lambda flavour: flavour.name)
def flavour(request: pytest.FixtureRequest) -> Flavour:
    found: Flavour = request.param
    return found


@pytest.fixture
def tool(campus: CampusServer, keys: PlatformServer, flavour: Flavour) -> LibraryTool:
    return LibraryTool(campus, keys, flavour, f"{campus.url.replace('127.0.0.1', 'localhost')}/lti")


def test_a_library_verifies_a_launch_and_knows_who_teaches(tool: LibraryTool) -> None:
    teacher, learner = tool.launch("okafor"), tool.launch("maya")

    assert teacher.get_launch_data()["name"] == "Anne Okafor"
    assert (teacher.check_teacher_access(), learner.check_teacher_access()) == (True, False)
    assert learner.check_student_access()
    assert teacher.is_resource_launch()


def test_assistants_observers_designers_and_administrators_come_as_the_real_platforms_send_them(
    tool: LibraryTool, flavour: Flavour
) -> None:
    """Canvas sends an assistant's sub-role beside `Instructor`; Moodle lets them launch as one, and lists a learner."""
    launched = {who: course_standing(roles(tool.launch(who))) for who in ("tara", "olga", "dora")}
    listed = {str(member["name"]): member["roles"] for member in tool.launch("okafor").get_nrps().get_members()}
    of_list = [course_standing(listed[name]) for name in ("Tara Lind", "Olga Chen", "Dora Blum")]
    root = roles(tool.launch("root"))

    if flavour is CANVAS:
        assert list(launched.values()) == of_list == [CourseStanding.LOOKS_ON] * 3
        assert course_standing(root) is CourseStanding.UNSAID
    else:
        assert list(launched.values()) == [CourseStanding.TEACHES, CourseStanding.LEARNS, CourseStanding.TEACHES]
        assert of_list == [CourseStanding.LEARNS, CourseStanding.LEARNS, CourseStanding.TEACHES]
        assert course_standing(root) is CourseStanding.TEACHES
    assert is_administrator(root)
    assert "Rae Ortiz" not in listed


def roles(launch: Message) -> object:
    return launch.get_launch_data()["https://purl.imsglobal.org/spec/lti/claim/roles"]


def test_a_library_reads_every_page_of_a_roster(campus: CampusServer, tool: LibraryTool, flavour: Flavour) -> None:
    campus.http.post(f"{campus.url}/lti/switches", json={"page_size": 2, "times": 0})
    members = tool.launch("okafor").get_nrps().get_members()

    assert len(members) > 2
    assert {"Anne Okafor", "Maya Chen"} <= {str(member["name"]) for member in members}
    assert any("email" not in member for member in members)
    assert len({str(member["user_id"]) for member in members}) == len(members)
    campus.http.delete(f"{campus.url}/lti/switches")


def test_links_of_a_library_stand_in_the_course_once(tool: LibraryTool) -> None:
    launch = tool.launch("okafor", choose="1")
    first = tool.answer(launch, "okafor", "Osmosis", "Mitosis")
    again = tool.answer(launch, "okafor", "Osmosis")

    assert (first.status_code, again.status_code) == (200, 400)
    assert tool.course("okafor").count("Osmosis") == 1
    assert "Mitosis" in tool.course("maya")


def test_a_new_key_signs_from_then_on(campus: CampusServer, tool: LibraryTool, flavour: Flavour) -> None:
    tool.launch("maya")
    rotated = campus.http.post(f"{campus.url}/lti/keys/{flavour.name}").json()["kid"]
    launch = tool.launch("maya")

    assert launch._jwt["header"]["kid"] == rotated


@pytest.mark.parametrize("signature", ["none", "HS256", "other_key", "tampered"])
def test_a_switch_makes_the_platform_sign_wrongly(campus: CampusServer, tool: LibraryTool, signature: str) -> None:
    campus.http.post(f"{campus.url}/lti/switches", json={"signature": signature})

    with pytest.raises(LtiException):
        tool.launch("maya")
    tool.launch("maya")


def test_a_switch_sends_any_claim_wrong(campus: CampusServer, tool: LibraryTool) -> None:
    campus.http.post(f"{campus.url}/lti/switches", json={"claims": {"set": {"nonce": "other"}, "without": ["email"]}})

    with pytest.raises(LtiException):
        tool.launch("maya")


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("scope", "openid email", "invalid_request"),
        ("response_type", "code", "invalid_request"),
        ("response_mode", "query", "invalid_request"),
        ("prompt", "login", "invalid_request"),
        ("nonce", "", "invalid_request"),
        ("login_hint", "somebody-else", "access_denied"),
        ("lti_message_hint", "made up", "invalid_request"),
    ],
)
def test_the_platform_takes_each_parameter_to_the_letter(
    campus: CampusServer, tool: LibraryTool, field: str, value: str, error: str
) -> None:
    asked = httpx.URL(tool.begin("maya")).copy_set_param(field, value)
    page = campus.http.get(asked, headers={"cookie": "campus_lms=maya"})

    assert form_of(page.text)[1]["error"] == error


def test_a_browser_that_keeps_no_secure_cookie_without_https_stays_signed_in(campus: CampusServer) -> None:
    course = f"{campus.url.replace('127.0.0.1', 'localhost')}/lti/canvas/halvorsen/courses/4201"
    with httpx.Client(follow_redirects=True, trust_env=False) as safari:
        page = safari.get(course)
        answer = safari.post(page.url, data={"to": course, "person": "okafor"})

    assert str(answer.url) == course


def test_nothing_is_sent_to_an_address_that_is_not_registered(campus: CampusServer, tool: LibraryTool) -> None:
    address = httpx.URL(tool.begin("maya"))
    pages = [
        campus.http.get(address.copy_set_param(field, value), headers={"cookie": "campus_lms=maya"})
        for field, value in (("redirect_uri", "https://evil.example/"), ("client_id", "unknown"))
    ]

    assert [(page.status_code, "<form" in page.text) for page in pages] == [(400, False)] * 2


def test_another_persons_browser_gets_no_token(campus: CampusServer, tool: LibraryTool) -> None:
    address = tool.begin("maya")
    page = campus.http.get(address, headers={"cookie": "campus_lms=diego"})

    assert form_of(page.text)[1]["error"] == "access_denied"


def test_rosters_and_tokens_ask_for_proof(campus: CampusServer) -> None:
    for flavour in FLAVOURS.values():
        base = f"{campus.url}/lti/{flavour.name}"
        bare = {"grant_type": "client_credentials", "client_assertion_type": "x", "client_assertion": "a.b.c"}
        asked = campus.http.post(f"{base}/{flavour.shared or flavour.schools[0]}{flavour.token}", data=bare)
        path = "/api/lti/courses/4201/names_and_roles" if flavour is CANVAS else None
        path = path or "/mod/lti/services.php/CourseSection/4201/bindings/2/memberships"
        roster = campus.http.get(f"{base}/{flavour.schools[0]}{path}", headers={"authorization": "Bearer x"})

        assert (asked.status_code, roster.status_code) == (400, 401)
