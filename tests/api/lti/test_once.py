"""What a launch uses up is used up once, and what it makes is made once, in any replica (R94)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import parse_qs, urlsplit

from services.classes.lti import claim_names as names
from services.classes.lti.launch import Launch
from services.classes.lti.launch_completion import LaunchVisitor, OpenedLaunch
from services.classes.lti.refusals import LaunchRefused
from services.classes.lti.registration.invites import Invites
from tests.api.lti.lti_room import PUBLIC, LtiRoom
from tests.api.lti.platform_server import INSTRUCTOR

AT_ONCE = 8
NOBODY = LaunchVisitor(signed_in=None, locale="en-US", browser="Firefox on Linux")


def at_once(act: Callable[[int], object]) -> list[object]:
    """What `act` gives when it is done at the same moment several times; a refusal gives its code."""
    start = Barrier(AT_ONCE)

    def attempt(number: int) -> object:
        start.wait()
        try:
            return act(number)
        except LaunchRefused as error:
            return error.code

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(attempt, range(AT_ONCE)))


def launch_of(lti: LtiRoom, subject: str) -> Launch:
    return Launch(
        platform_id=lti.registered.id,
        issuer=lti.platform.origin,
        deployment_id="d1",
        subject=subject,
        name=f"Instructor {subject}",
        email="",
        is_teaching=True,
        context_id="bio",
        context_title="Biology 201",
        memberships_url="",
        target=f"{PUBLIC}/lti/launch",
    )


def test_a_state_is_used_up_once_in_two_replicas(lti: LtiRoom) -> None:
    replicas = [lti.lti, lti.room.replica().services.classroom.lti]
    asked = parse_qs(urlsplit(lti.browser().login().headers["location"]).query)
    found = at_once(lambda number: replicas[number % 2].launches.login_of(asked["state"][0]))

    assert found.count("state_unknown") == AT_ONCE - 1


def test_a_ticket_opens_one_tab(lti: LtiRoom) -> None:
    replicas = [lti.lti, lti.room.replica().services.classroom.lti]
    token = lti.lti.completion.hand_over(launch_of(lti, "t0")).token
    found = at_once(lambda number: replicas[number % 2].completion.open(token, NOBODY))

    assert found.count("handover_unknown") == AT_ONCE - 1


def test_of_instructors_who_launch_at_once_one_makes_the_class_and_is_asked_about_the_others(lti: LtiRoom) -> None:
    replicas = [lti.lti, lti.room.replica().services.classroom.lti]
    tokens = [lti.lti.completion.hand_over(launch_of(lti, f"t{number}")).token for number in range(AT_ONCE)]
    found = at_once(lambda number: replicas[number % 2].completion.open(tokens[number], NOBODY))

    opened = [step for step in found if isinstance(step, OpenedLaunch)]
    assert len(opened) == AT_ONCE
    assert len({step.entry.school_class.id for step in opened if step.entry.school_class}) == 1
    assert len(lti.services.store.shared.find("classes", {})) == 1
    [school_class] = lti.services.store.shared.find("classes", {})
    members = lti.services.store.shared.find("class_members", {})
    asking = [member for member in members if member["asks_from"] and member["role"] == "member"]
    assert school_class["name"] == "Biology 201"
    assert (len(members), len(asking)) == (AT_ONCE, AT_ONCE - 1)


def test_an_invite_registers_one_system_at_a_time(lti: LtiRoom) -> None:
    token = lti.lti.invites.create().partition("invite=")[2]
    replicas = [lti.lti.invites, Invites(lti.services.store, lti.services.clock, public_url=PUBLIC)]
    found = at_once(lambda number: replicas[number % 2].begin(token))

    assert found.count("invite_used") == AT_ONCE - 1


def test_a_launch_that_was_cut_off_goes_on_with_the_next(lti: LtiRoom) -> None:
    """After the class was made and before it was bound: the next launch finds the class that there is."""
    teacher = lti.services.students.sign_in(issuer=f"lti:{lti.platform.origin}", subject="t0", name="T", email="")
    launch = launch_of(lti, "t0")
    lti.lti.courses.enter(launch, teacher)
    [course] = lti.services.store.shared.find("lti_courses", {})
    made = course["class_id"]
    lti.services.store.shared.compare_and_set("lti_courses", course["id"], {}, {"class_id": ""})
    browser = lti.browser()
    browser.open(browser.launch(sub="t1", email=None, **{names.ROLES: [INSTRUCTOR]}))

    [course] = lti.services.store.shared.find("lti_courses", {})
    assert course["class_id"] == made
    assert len(lti.services.store.shared.find("classes", {})) == 1
