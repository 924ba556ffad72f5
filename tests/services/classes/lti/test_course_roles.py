"""Who of a course teaches it, as the roles of real platforms say (T44): a sub-role below an instructor's wins."""

import pytest

from services.classes.lti.course_roles import CourseStanding, course_standing, is_administrator, only_learns, teaches

COURSE = "http://purl.imsglobal.org/vocab/lis/v2/membership"
SCHOOL = "http://purl.imsglobal.org/vocab/lis/v2/institution/person"
SYSTEM = "http://purl.imsglobal.org/vocab/lis/v2/system/person"
TEST_USER = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"
TEACHES, LEARNS, LOOKS_ON, TESTS, UNSAID = CourseStanding


@pytest.mark.parametrize(
    ("roles", "is_teaching", "is_learning"),
    [
        ([f"{COURSE}#Instructor", f"{SCHOOL}#Instructor"], True, False),
        ([f"{COURSE}/Instructor#TeachingAssistant", f"{COURSE}#Instructor", f"{SCHOOL}#Instructor"], False, None),
        ([f"{COURSE}#Learner", f"{SCHOOL}#Student"], False, True),
        ([f"{COURSE}#Learner", TEST_USER], False, False),
        ([f"{COURSE}#Mentor", f"{SCHOOL}#Observer"], False, False),
        ([f"{COURSE}#ContentDeveloper", f"{SCHOOL}#Instructor"], False, False),
    ],
    ids=["teacher", "teaching assistant", "student", "student view", "observer", "designer"],
)
def test_the_roles_of_canvas_say_who_teaches(roles: list[str], is_teaching: bool, is_learning: bool | None) -> None:
    assert teaches(roles) is is_teaching
    assert is_learning is None or only_learns(roles) is is_learning


SUB_ROLES = {
    TEACHES: ("Instructor", "PrimaryInstructor", "SecondaryInstructor", "Lecturer", "GuestInstructor"),
    LOOKS_ON: (
        *("TeachingAssistant", "TeachingAssistantSection", "TeachingAssistantSectionAssociation", "Mentor"),
        *("TeachingAssistantOffering", "TeachingAssistantTemplate", "TeachingAssistantGroup", "Grader", "Unheard"),
    ),
}


@pytest.mark.parametrize(("standing", "sub"), [(kind, sub) for kind, subs in SUB_ROLES.items() for sub in subs])
def test_a_sub_role_counts_whether_its_principal_role_comes_along_or_not(standing: CourseStanding, sub: str) -> None:
    lone, principal = f"{COURSE}/Instructor#{sub}", f"{COURSE}#Instructor"

    for roles in ([lone], [lone, principal], [principal, lone], [principal, lone, f"{SCHOOL}#Faculty"]):
        assert course_standing(roles) is standing, roles
        assert course_standing([role.upper().replace("HTTP", "http") for role in roles]) is standing


@pytest.mark.parametrize(
    ("standing", "roles"),
    [
        (TEACHES, ["Instructor"]),
        (TEACHES, [f"{COURSE}#instructor"]),
        (TEACHES, [f"{COURSE}#Learner", f"{COURSE}#Instructor"]),
        (TEACHES, [f"{COURSE}#Instructor", f"{COURSE}#ContentDeveloper"]),
        (TEACHES, [f"{COURSE}#Instructor", "https://school.example/roles#Dean", f"{SYSTEM}#User"]),
        (LOOKS_ON, ["TeachingAssistant", "Instructor"]),
        (LOOKS_ON, ["Instructor#TeachingAssistant", "Instructor"]),
        (LOOKS_ON, ["Instructor/TeachingAssistant"]),
        (LOOKS_ON, [f"{COURSE}#Instructor", f"{COURSE}/Instructor#TeachingAssistant", f"{COURSE}#Learner"]),
        (LOOKS_ON, [f"{COURSE}/Instructor#PrimaryInstructor", f"{COURSE}/Instructor#TeachingAssistant"]),
        (LOOKS_ON, ["Mentor"]),
        (LOOKS_ON, ["ContentDeveloper"]),
        (LOOKS_ON, [f"{COURSE}#Manager"]),
        (LOOKS_ON, [f"{COURSE}/Manager#Observer"]),
        (LOOKS_ON, [f"{COURSE}#Administrator"]),
        (TESTS, [TEST_USER, f"{COURSE}#Learner"]),
        (LEARNS, ["Learner"]),
        (LEARNS, [f"{COURSE}/Learner#Instructor"]),
        (LEARNS, [f"{COURSE}/Learner#NonCreditLearner", f"{COURSE}#Learner"]),
        (LEARNS, [f"{COURSE}#Learner", f"{SCHOOL}#Instructor"]),
        (UNSAID, []),
        (UNSAID, [f"{COURSE}#Member"]),
        (UNSAID, [f"{SCHOOL}#Instructor"]),
        (UNSAID, [f"{SYSTEM}#Administrator"]),
        (UNSAID, ["https://school.example/membership#Instructor"]),
        (UNSAID, [f"{COURSE}s#Instructor"]),
        (UNSAID, ["http://purl.imsglobal.org/vocab/lis/v2/institution/membership#Instructor"]),
        (UNSAID, [f"{COURSE}#InstructorOfRecord"]),
        (UNSAID, [f"{COURSE}#Instructor "]),
        (UNSAID, "Instructor"),
        (UNSAID, None),
        (UNSAID, [7, {"role": "Instructor"}]),
    ],
)
def test_roles_of_other_vocabularies_and_short_names_say_what_they_say(standing: CourseStanding, roles: object) -> None:
    assert course_standing(roles) is standing


@pytest.mark.parametrize(
    ("roles", "is_one"),
    [
        ([f"{COURSE}#Instructor", f"{SYSTEM}#Administrator"], True),
        ([f"{COURSE}#Instructor", f"{SCHOOL}#Administrator"], True),
        ([f"{SYSTEM}#SysAdmin"], True),
        ([f"{COURSE}#Administrator"], True),
        ([f"{COURSE}/Administrator#Support"], True),
        (["Administrator"], True),
        ([f"{COURSE}#Instructor", f"{SYSTEM}#User"], False),
        ([f"{COURSE}#Instructor", f"{SCHOOL}#Faculty", f"{SCHOOL}#Staff"], False),
        (["https://school.example/person#Administrator"], False),
        (None, False),
    ],
)
def test_an_administrator_is_known_by_any_place_in_the_vocabulary(roles: object, is_one: bool) -> None:
    assert is_administrator(roles) is is_one
