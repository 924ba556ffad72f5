"""Launches over HTTP (T44): a good one signs in and lets into the class, anything else is a plain page with a code."""

from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import RSAKey

from services.classes.lti import claim_names as names
from services.classes.school_class import ClassRole
from tests.api.lti.lti_room import PUBLIC, LtiRoom, refusal_of, token_of
from tests.api.lti.platform_server import INSTRUCTOR, KEY, OTHER_KEY


def test_a_login_goes_on_to_the_platform_with_what_it_was_given(lti: LtiRoom) -> None:
    hint = 'a&b=c "d"/é'
    answer = lti.browser().login(login_hint=hint, lti_message_hint="m&1")

    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    assert answer.status_code == 302
    assert answer.headers["location"].startswith(f"{lti.platform.origin}/auth?tenant=4&")
    assert (asked["login_hint"], asked["lti_message_hint"]) == ([hint], ["m&1"])
    assert (asked["redirect_uri"], asked["response_mode"]) == ([f"{PUBLIC}/lti/launch"], ["form_post"])


def test_an_instructor_makes_the_class_and_a_learner_joins_it(lti: LtiRoom) -> None:
    teacher, learner = lti.browser(), lti.browser()
    opened = teacher.open(teacher.launch(sub="teacher", name="Tess Vo", email=None, **{names.ROLES: [INSTRUCTOR]}))
    page = learner.launch()
    arrived = learner.open(page)

    assert opened.status_code == arrived.status_code == 303
    assert arrived.headers["location"].startswith("/classroom?class=")
    assert "Biology 201" in page.text
    assert teacher.student
    assert learner.student
    [(made, role)] = lti.services.classroom.classes.of_student(learner.student.id)
    assert (made.name, role) == ("Biology 201", ClassRole.MEMBER)
    assert lti.services.classroom.classes.role_in(teacher.student.id, made.id) is ClassRole.INSTRUCTOR
    assert not learner.student.is_email_verified


def test_a_state_works_once(lti: LtiRoom) -> None:
    browser = lti.browser()
    asked = parse_qs(urlsplit(browser.login().headers["location"]).query)
    id_token = lti.platform.sign(lti.platform.claims(asked["nonce"][0]))

    assert refusal_of(browser.post_launch(id_token, asked["state"][0])) == ""
    assert refusal_of(browser.post_launch(id_token, asked["state"][0])) == "state_unknown"


def test_a_launch_in_another_browser_is_refused(lti: LtiRoom) -> None:
    browser = lti.browser()
    asked = parse_qs(urlsplit(browser.login().headers["location"]).query)
    id_token = lti.platform.sign(lti.platform.claims(asked["nonce"][0]))
    page = lti.browser().post_launch(id_token, asked["state"][0])

    assert (page.status_code, refusal_of(page)) == (403, "browser_unknown")
    assert id_token not in page.text


def test_a_new_key_of_the_platform_is_fetched_and_an_unknown_one_refused(lti: LtiRoom) -> None:
    lti.browser().launch()
    lti.platform.keys = {"k2": OTHER_KEY}
    browser = lti.browser()
    asked = parse_qs(urlsplit(browser.login().headers["location"]).query)
    claims = lti.platform.claims(asked["nonce"][0])

    assert refusal_of(browser.post_launch(lti.platform.sign(claims, kid="k2"), asked["state"][0])) == ""
    other = lti.browser()
    asked = parse_qs(urlsplit(other.login().headers["location"]).query)
    token = lti.platform.sign(lti.platform.claims(asked["nonce"][0]), kid="k9", key=OTHER_KEY)
    assert refusal_of(other.post_launch(token, asked["state"][0])) == "key_unknown"
    assert lti.platform.asked.count("/jwks") == 3


def test_a_key_that_was_renewed_under_its_old_id_is_fetched_once_more(lti: LtiRoom) -> None:
    lti.browser().launch()
    lti.platform.keys = {"k1": OTHER_KEY}

    assert refusal_of(lti.browser().launch()) == ""
    lti.platform.keys = {"k1": KEY}
    browser = lti.browser()
    asked = parse_qs(urlsplit(browser.login().headers["location"]).query)
    forged = lti.platform.sign(lti.platform.claims(asked["nonce"][0]), key=RSAKey.generate_key(2048, private=True))
    assert refusal_of(browser.post_launch(forged, asked["state"][0])) == "signature_invalid"
    assert lti.platform.asked.count("/jwks") == 3
    assert refusal_of(lti.browser().launch()) == ""


def test_an_unknown_deployment_waits_for_the_operator(lti: LtiRoom) -> None:
    page = lti.browser().launch(**{names.DEPLOYMENT_ID: "d9"})
    waiting = lti.lti.platforms.get(lti.registered.id)
    lti.lti.platforms.allow(lti.registered.id, "d9")

    assert refusal_of(page) == "deployment_unknown"
    assert waiting is not None
    assert waiting.waiting == ("d9",)
    assert refusal_of(lti.browser().launch(**{names.DEPLOYMENT_ID: "d9"})) == ""


def test_a_ticket_opens_once_and_from_our_own_page_alone(lti: LtiRoom) -> None:
    browser = lti.browser()
    page = browser.launch()
    foreign = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    refused = browser.send("POST", "/lti/open", data={"token": token_of(page)}, headers=foreign)

    assert refusal_of(refused) == "origin_foreign"
    assert refusal_of(browser.open(page)) == ""
    assert browser.student is not None
    assert refusal_of(browser.open(page)) == "handover_unknown"


@pytest.mark.parametrize(("origin", "refusal"), [(PUBLIC, ""), ("null", "origin_foreign"), (None, "origin_foreign")])
def test_safari_calls_what_our_page_in_a_frame_posts_cross_site(lti: LtiRoom, origin: str | None, refusal: str) -> None:
    browser = lti.browser()
    headers = {"sec-fetch-site": "cross-site", **({"origin": origin} if origin else {})}
    answer = browser.send("POST", "/lti/open", data={"token": token_of(browser.launch())}, headers=headers)

    assert refusal_of(answer) == refusal


def test_an_account_is_linked_only_when_its_owner_says_so(lti: LtiRoom) -> None:
    maya = lti.room.maya
    quiet, willing = lti.browser(), lti.browser()
    quiet.sign_in(maya)
    willing.sign_in(maya)
    question = quiet.open(quiet.launch())
    began = quiet.open(question, step="account", account="new")
    assert refusal_of(began) == ""
    assert quiet.student
    assert quiet.student.id != maya.id

    question = willing.open(willing.launch(sub="user-8"))
    assert "Maya" in question.text
    willing.open(question, step="account", account="mine")
    elsewhere = lti.browser()
    elsewhere.open(elsewhere.launch(sub="user-8"))
    assert elsewhere.student
    assert elsewhere.student.id == maya.id


def test_who_has_an_account_already_may_sign_in_first(lti: LtiRoom) -> None:
    sam = lti.services.students.sign_in(
        issuer="https://id.example", subject="sam", name="Sam", email="lena@school.example"
    )
    browser = lti.browser()
    question = browser.open(browser.launch())
    away = browser.open(question, step="account", account="sign_in")
    assert away.headers["location"] == "/"
    assert browser.cookies["homeroom_wanted"] == "/lti/open"

    browser.sign_in(sam)
    again = browser.send("GET", "/lti/open")
    arrived = browser.open(again, step="account", account="mine")
    assert refusal_of(arrived) == ""
    assert browser.student
    assert browser.student.id == sam.id


def test_an_instructor_with_classes_says_which_one_the_course_is(lti: LtiRoom) -> None:
    anne = lti.services.students.sign_in(
        issuer="https://id.example",
        subject="anne",
        name="Anne",
        email="anne.okafor@campus.example",
        is_email_verified=True,
    )
    made = lti.services.classroom.classes.create(anne, name="My own biology")
    browser = lti.browser()
    browser.sign_in(anne)
    teaching = {names.ROLES: [INSTRUCTOR]}
    question = browser.open(browser.open(browser.launch(**teaching)), step="account", account="mine")
    arrived = browser.open(question, step="class", **{"class": made.id})
    learner = lti.browser()
    learner.open(learner.launch(sub="user-9", email="x@school.example"))

    assert "My own biology" in question.text
    assert arrived.headers["location"] == f"/classroom?class={made.id}"
    assert learner.student
    assert [found.id for found, _ in lti.services.classroom.classes.of_student(learner.student.id)] == [made.id]


def test_a_learner_before_any_instructor_is_told_so(lti: LtiRoom) -> None:
    browser = lti.browser()
    page = browser.open(browser.launch())

    assert page.status_code == 200
    assert "Biology 201 is not in Homeroom yet" in page.text
    assert browser.student is not None


def test_frames_are_open_to_registered_platforms_alone(lti: LtiRoom) -> None:
    page = lti.browser().launch()
    other = lti.browser().send("GET", "/lti/nothing-here")
    opened = lti.browser().send("GET", "/lti/open")

    policy = page.headers["content-security-policy"]
    assert f"frame-ancestors {lti.platform.origin}" in policy
    assert "x-frame-options" not in page.headers
    assert page.headers["cross-origin-opener-policy"] == "unsafe-none"
    assert other.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in other.headers["content-security-policy"]
    assert refusal_of(opened) == "handover_unknown"
