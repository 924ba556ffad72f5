"""Deep links, rosters, registration and keys, with a school's system that answers over HTTP, or not (R94)."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from services.classes.lti import claim_names as names
from services.classes.lti.launch_targets import assistant_page
from services.errors import PermissionMissing
from services.identity.students import Student
from tests.api.lti.lti_room import PUBLIC, Browser, LtiRoom, refusal_of, token_of
from tests.api.lti.platform_server import INSTRUCTOR, LEARNER, PlatformServer

PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
DEEP = {
    names.MESSAGE_TYPE: names.DEEP_LINKING_REQUEST,
    names.ROLES: [INSTRUCTOR],
    names.TARGET_LINK_URI: None,
    names.RESOURCE_LINK: None,
    "sub": "teacher",
    "email": None,
}


def asked_to_link(browser: Browser, **settings: object) -> dict[str, object]:
    return_url = f"{browser.room.platform.origin}/return?x=1&y=2"
    given = {"deep_link_return_url": return_url, "accept_types": ["ltiResourceLink"], "data": 'a"<b>', **settings}
    return {**DEEP, names.DEEP_LINKING_SETTINGS: given}


def taught(lti: LtiRoom) -> tuple[Browser, Student]:
    """An instructor whose launch has made the class."""
    browser = lti.browser()
    browser.open(browser.launch(sub="teacher", email=None, name="Tess Vo", **{names.ROLES: [INSTRUCTOR]}))
    assert browser.student
    return browser, browser.student


def test_the_answer_of_a_deep_link_is_signed_and_echoes_its_data(lti: LtiRoom) -> None:
    browser, _ = taught(lti)
    page = browser.launch(**asked_to_link(browser, accept_multiple=True))
    own = {"origin": PUBLIC, "sec-fetch-site": "same-origin"}
    chosen = {"token": token_of(page), "choice": ["/study", "/lti/launch"]}
    answer = browser.send("POST", "/lti/deep-link", data=chosen, headers=own)

    written = re.search(r'name="JWT" value="([^"]+)"', answer.text)
    keys = KeySet.import_key_set(browser.send("GET", "/lti/jwks").json())
    assert written
    claims = jwt.decode(unescape(written[1]), keys, algorithms=["RS256"]).claims
    assert (claims["iss"], claims["aud"]) == ("client-1", [lti.platform.origin])
    assert claims[names.DEEP_LINKING_DATA] == 'a"<b>'
    assert [item["url"] for item in claims[names.CONTENT_ITEMS]] == [f"{PUBLIC}/study", f"{PUBLIC}/lti/launch"]
    assert f"form-action 'self' {lti.platform.origin};" in answer.headers["content-security-policy"]
    again = browser.send("POST", "/lti/deep-link", data=chosen, headers=own)
    assert refusal_of(again) == "handover_unknown"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({names.ROLES: [LEARNER]}, "role_insufficient"),
        ({names.ROLES: ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"]}, "role_insufficient"),
        ({names.DEEP_LINKING_SETTINGS: {"deep_link_return_url": "javascript:alert(1)"}}, "content_refused"),
        (
            {
                names.DEEP_LINKING_SETTINGS: {
                    "deep_link_return_url": "http://elsewhere.example/",
                    "accept_types": ["ltiResourceLink"],
                }
            },
            "return_refused",
        ),
    ],
)
def test_a_deep_link_is_for_instructors_and_goes_back_over_https(
    lti: LtiRoom, changed: dict[str, object], code: str
) -> None:
    browser = lti.browser()

    assert refusal_of(browser.launch(**{**asked_to_link(browser), **changed})) == code


def test_a_page_that_was_not_offered_is_not_linked(lti: LtiRoom) -> None:
    browser, _ = taught(lti)
    page = browser.launch(**asked_to_link(browser))
    chosen = {"token": token_of(page), "choice": "/settings"}

    assert refusal_of(browser.send("POST", "/lti/deep-link", data=chosen)) == "request_malformed"


def test_an_assistant_that_cannot_be_read_hides_no_other_link(lti: LtiRoom) -> None:
    _, tess = taught(lti)
    classroom, store = lti.services.classroom, lti.services.store.shared
    [(school_class, _)] = classroom.classes.of_student(tess.id)
    pages = []
    for id in ("1", "2"):
        record = classroom.assistants.create(tess, school_class.id, f"Tutor {id}", request_id=id)
        record = classroom.assistants.save(tess, replace(record.draft, words="Help."), seen=record.draft_version)
        classroom.assistants.publish(tess, record.id, seen=record.draft_version)
        pages.append(assistant_page(record.id))
    store.compare_and_set("class_assistants", record.id, {}, {"published": {"name": 7}})
    shown = unescape(lti.browser().launch(**asked_to_link(lti.browser())).text)

    assert [page in shown for page in pages] == [True, False]


def test_who_is_not_confirmed_links_nothing_of_the_class(lti: LtiRoom) -> None:
    _, tess = taught(lti)
    classroom, further = lti.services.classroom, {"sub": "uma", "name": "Uma"}
    [(school_class, _)] = classroom.classes.of_student(tess.id)
    record = classroom.assistants.create(tess, school_class.id, "Biology tutor", request_id="1")
    record = classroom.assistants.save(tess, replace(record.draft, words="Help."), seen=record.draft_version)
    classroom.assistants.publish(tess, record.id, seen=record.draft_version)
    mine = assistant_page(record.id)
    browser = lti.browser()
    assert mine in unescape(browser.launch(**asked_to_link(browser)).text)

    for _ in range(2):
        page = browser.launch(**{**asked_to_link(browser), **further})
        assert mine not in unescape(page.text)
        assert "have said that you teach it" in page.text
        sent = {"token": token_of(page), "choice": mine}
        assert refusal_of(browser.send("POST", "/lti/deep-link", data=sent)) == "request_malformed"
        browser.open(browser.launch(**further, email=None, **{names.ROLES: [INSTRUCTOR]}))
    [uma] = classroom.memberships.requests(tess, school_class.id)
    classroom.memberships.confirm_instructor(tess, school_class.id, uma.member.student_id)

    assert mine in unescape(browser.launch(**{**asked_to_link(browser), **further}).text)


def test_a_roster_brings_people_in_and_takes_out_who_left(lti: LtiRoom) -> None:
    _, teacher = taught(lti)
    learner = lti.browser()
    learner.open(learner.launch())
    [(school_class, _)] = lti.services.classroom.classes.of_student(teacher.id)
    people = [{"user_id": f"new-{n}", "email": f"n{n}@school.example", "roles": ["Learner"]} for n in range(3)]
    lti.platform.pages = [
        [{"user_id": "teacher", "roles": [INSTRUCTOR]}, {"user_id": "silent", "roles": [LEARNER]}],
        [*people, {"user_id": "user-7", "status": "Inactive", "roles": [LEARNER]}],
    ]
    rosters = lti.lti.rosters
    change = rosters.compare(teacher, school_class.id)
    rosters.apply(teacher, school_class.id)

    assert (change.listed, change.waiting, len(change.inviting)) == (5, 1, 3)
    assert [gone.name for gone in change.leaving] == ["Lena Park"]
    assert learner.student
    assert lti.services.classroom.classes.role_in(learner.student.id, school_class.id) is None
    assert rosters.compare(teacher, school_class.id).is_empty
    assert not any("rlid" in path for path in lti.platform.asked)
    assertion = jwt.decode(
        lti.platform.assertions[0], KeySet.import_key_set(dict(lti.lti.keys.public_keys())), algorithms=["RS256"]
    ).claims
    assert (assertion["iss"], assertion["sub"], assertion["aud"]) == (
        "client-1",
        "client-1",
        f"{lti.platform.origin}/token",
    )


def test_an_invitation_of_a_roster_goes_with_its_line_or_when_the_person_comes_and_no_other_one_does(
    lti: LtiRoom,
) -> None:
    _, teacher = taught(lti)
    [(school_class, _)] = lti.services.classroom.classes.of_student(teacher.id)
    rosters, roster, id = lti.lti.rosters, lti.services.classroom.roster, school_class.id

    def lists(*names: str) -> None:
        people = [{"user_id": name, "email": f"{name}@school.example", "roles": ["Learner"]} for name in names]
        lti.platform.pages = [[{"user_id": "teacher", "roles": [INSTRUCTOR]}, *people]]

    def invited() -> list[str]:
        return [person.email.partition("@")[0] for person in roster.invited(teacher, id)]

    roster.invite(teacher, id, "typed@school.example, comes@school.example, both@school.example")
    lists("both", "comes", "drops", "later", "silent")
    rosters.apply(teacher, id)
    roster.invite(teacher, id, "later@school.example")
    assert invited() == ["both", "comes", "drops", "later", "silent", "typed"]

    for name, email in (("comes", "comes@school.example"), ("silent", None), ("impostor", "typed@school.example")):
        browser = lti.browser()
        browser.open(browser.launch(sub=name, email=email))
    assert invited() == ["both", "comes", "drops", "later", "silent", "typed"]

    lists("silent", "comes")
    change = rosters.compare(teacher, id)
    assert [email.partition("@")[0] for email in change.withdrawing] == ["drops", "silent"]
    assert not change.is_empty
    rosters.apply(teacher, id)
    assert invited() == ["both", "comes", "later", "typed"]

    lists("new")
    rosters.apply(teacher, id)
    browser = lti.browser()
    browser.open(browser.launch(sub="new", email="New@school.example"))
    assert invited() == ["both", "comes", "later", "typed"]


def test_an_empty_roster_takes_nobody_out(lti: LtiRoom) -> None:
    _, teacher = taught(lti)
    learner = lti.browser()
    learner.open(learner.launch())
    [(school_class, _)] = lti.services.classroom.classes.of_student(teacher.id)

    assert lti.lti.rosters.compare(teacher, school_class.id).is_empty


def test_a_member_reads_no_roster(lti: LtiRoom) -> None:
    _, teacher = taught(lti)
    learner = lti.browser()
    learner.open(learner.launch())
    [(school_class, _)] = lti.services.classroom.classes.of_student(teacher.id)

    assert learner.student
    with pytest.raises(PermissionMissing):
        lti.lti.rosters.compare(learner.student, school_class.id)


def test_a_platform_registers_itself_by_an_invite_once(tmp_path: Path, platform: PlatformServer) -> None:
    lti = LtiRoom(tmp_path, platform, is_registered=False)
    link = lti.lti.invites.create("Riverside").removeprefix(PUBLIC)
    wanted = f"{link}&openid_configuration={platform.origin}/openid&registration_token=rt-1"
    first, again = lti.browser().send("GET", wanted), lti.browser().send("GET", wanted)
    [made] = lti.lti.platforms.all()

    assert first.status_code == again.status_code == 200
    assert "org.imsglobal.lti.close" in first.text
    assert (made.name, made.client_id, made.deployments) == ("Riverside", "client-1", ("d1",))
    [sent] = platform.registered
    assert sent["redirect_uris"] == [f"{PUBLIC}/lti/launch"]
    assert sent["token_endpoint_auth_method"] == "private_key_jwt"
    assert platform.bearers == ["Bearer rt-1", "Bearer rt-1"]
    assert refusal_of(lti.browser().launch()) == ""
    lti.services.store.close()


def test_a_canvas_that_registers_is_asked_to_tell_who_acts_as_somebody_else(
    tmp_path: Path, platform: PlatformServer
) -> None:
    lti = LtiRoom(tmp_path, platform, is_registered=False)
    platform.configuration[PLATFORM] = {"product_family_code": "canvas"}
    link = lti.lti.invites.create("Riverside").removeprefix(PUBLIC)
    registered = lti.browser().send("GET", f"{link}&openid_configuration={platform.origin}/openid")

    assert registered.status_code == 200
    assert platform.registered[-1][TOOL]["custom_parameters"] == {names.MASQUERADING: names.MASQUERADING_VARIABLE}
    lti.services.store.close()


@pytest.mark.parametrize(
    ("configuration", "code"),
    [
        ({"issuer": "https://accounts.google.com"}, "issuer_mismatch"),
        ({"jwks_uri": "http://169.254.169.254/keys"}, "endpoint_refused"),
        ({"registration_endpoint": None}, "configuration_malformed"),
    ],
)
def test_a_registration_that_speaks_for_another_is_refused(
    tmp_path: Path, platform: PlatformServer, configuration: dict[str, object], code: str
) -> None:
    lti = LtiRoom(tmp_path, platform, is_registered=False)
    platform.configuration = configuration
    link = lti.lti.invites.create().removeprefix(PUBLIC)
    page = lti.browser().send("GET", f"{link}&openid_configuration={platform.origin}/openid")
    platform.configuration = {}
    mended = lti.browser().send("GET", f"{link}&openid_configuration={platform.origin}/openid")

    assert refusal_of(page) == code
    assert refusal_of(mended) == ""
    lti.services.store.close()


def test_a_second_system_under_one_issuer_is_refused(lti: LtiRoom) -> None:
    lti.platform.configuration = {"jwks_uri": f"{lti.platform.origin}/other-keys"}
    link = lti.lti.invites.create().removeprefix(PUBLIC)
    page = lti.browser().send("GET", f"{link}&openid_configuration={lti.platform.origin}/openid")

    assert refusal_of(page) == "issuer_taken"
    assert not lti.platform.registered


def test_a_rotated_key_signs_and_the_old_one_stays_listed(lti: LtiRoom) -> None:
    before = lti.lti.keys.sign({"iss": "x"})
    old = lti.lti.keys.all()[0].id
    lti.lti.keys.rotate()
    listed = lti.browser().send("GET", "/lti/jwks").json()
    keys = KeySet.import_key_set(listed)

    assert [key["kid"] for key in listed["keys"]][1:] == [old]
    assert "d" not in str([sorted(key) for key in listed["keys"]]).replace("kid", "")
    for token in (before, lti.lti.keys.sign({"iss": "x"})):
        assert jwt.decode(token, keys, algorithms=["RS256"]).claims["iss"] == "x"


def test_a_key_that_does_not_open_any_more_is_replaced(lti: LtiRoom) -> None:
    lti.lti.keys.sign({"iss": "x"})
    [stored] = lti.services.store.shared.find("lti_keys", {})
    lti.services.store.shared.compare_and_set("lti_keys", stored["id"], {}, {"sealed": "v1.k.AAAA"})
    other = lti.room.replica().services.classroom.lti.keys
    token = other.sign({"iss": "x"})

    assert len(other.public_keys()["keys"]) == 2
    assert jwt.decode(token, KeySet.import_key_set(dict(other.public_keys())), algorithms=["RS256"]).claims
    assert isinstance(RSAKey.import_key(other.public_keys()["keys"][0]), RSAKey)
