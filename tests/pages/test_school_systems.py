"""School systems as a page: the operator registers and allows them, an instructor sees the course of a class."""

from collections.abc import Callable

import pytest

from services.classes.lti.launch import Launch
from services.classes.lti.platform import LtiPlatform
from services.i18n import locale_scope
from tests.pages.conftest import Visitor
from tests.pages.test_classroom import ANNE, Instructor
from ui.chat.pickers import NEW_CHAT_ASSISTANT

ISSUER = "https://moodle.school.example"


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Instructor:
    """An instructor who runs this Homeroom, too, as the demo's settings say."""
    visitor = Instructor(make_visitor().room, "anne", ANNE)
    visitor.opens("classroom")
    return visitor


def registered(visitor: Visitor) -> LtiPlatform:
    return visitor.room.services.classroom.lti.platforms.add(
        LtiPlatform(
            id="",
            name="Riverside",
            issuer=ISSUER,
            client_id="c1",
            authorization_url=f"{ISSUER}/mod/lti/auth.php",
            token_url=f"{ISSUER}/mod/lti/token.php",
            jwks_url=f"{ISSUER}/mod/lti/certs.php",
        )
    )


def launch_of(platform: LtiPlatform) -> Launch:
    return Launch(
        platform_id=platform.id,
        issuer=ISSUER,
        deployment_id="2",
        subject="7",
        name="Anne Okafor",
        email="",
        is_teaching=True,
        context_id="bio",
        context_title="Biology 201",
        memberships_url="",
        target="",
    )


def test_the_operator_allows_a_deployment_that_waits(anne: Instructor) -> None:
    platforms, made = anne.room.services.classroom.lti.platforms, registered(anne)
    platforms.note_waiting(made.id, "d7abc")
    anne.opens("classroom")
    assert "d7abc" in anne.words
    anne.page.button(key=f"school-system-primary-{made.id}-0").click().run()

    found = platforms.get(made.id)
    assert found is not None
    assert (found.deployments, found.waiting) == (("d7abc",), ())


def test_a_registration_link_is_shown_once(anne: Instructor) -> None:
    anne.page.button(key="school-systems-invite").click().run()

    codes = [str(code.value) for code in anne.page.code]
    assert any("/lti/register?invite=" in code for code in codes)
    assert not anne.page.exception


def test_nobody_else_sees_or_changes_school_systems(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor()
    registered(maya)
    maya.opens("classroom")

    assert "Riverside" not in maya.words


def test_an_instructor_sees_the_course_of_a_class(anne: Instructor) -> None:
    classroom = anne.room.services.classroom
    made = classroom.classes.create(anne.student, name="Biology")
    anne.opens("classroom", **{"class": made.id, "view": "school_system"})
    assert "belongs to no course" in anne.words
    classroom.lti.courses.decide(launch_of(registered(anne)), anne.student, made.id)
    anne.opens("classroom", **{"class": made.id, "view": "school_system"})

    assert not anne.page.exception
    assert "**Biology 201** in Riverside" in anne.words


def test_a_linked_course_can_be_unlinked(anne: Instructor) -> None:
    accounts, platform = anne.room.services.classroom.lti.accounts, registered(anne)
    with locale_scope("en-US"):
        accounts.link(launch_of(platform), anne.student)
    anne.opens("classroom")
    assert "moodle.school.example" in anne.words
    anne.page.button(key="linked-account-part-0").click().run()

    assert not accounts.linked(anne.student)


@pytest.mark.parametrize(("wanted", "chosen"), [("research", "research"), ("c_0123456789abcdef", None)])
def test_a_link_to_an_assistant_chooses_it_for_who_has_it(
    make_visitor: Callable[..., Visitor], wanted: str, chosen: str | None
) -> None:
    maya = make_visitor()
    maya.opens("chat", assistant=wanted)

    assert not maya.page.exception
    assert "assistant" not in maya.page.query_params
    found = maya.page.session_state.get(NEW_CHAT_ASSISTANT, None)
    assert found == chosen
