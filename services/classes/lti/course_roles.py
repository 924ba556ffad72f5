"""Roles that a launch or a roster gives somebody in a course: who of them teaches it, who only learns in it, and who
looks after the whole school's system.
"""

import re
from enum import StrEnum

_VOCABULARY = "http://purl.imsglobal.org/vocab/"
_COURSE_ROLE = re.compile(rf"(?:{re.escape(_VOCABULARY)}lis/v2/membership[/#])?(\w[\w-]*)(?:[#/](\w[\w-]*))?")
"""Role in the context, in whole or as a short name (LTI Core 1.3, appendix A.2): `membership#Instructor`, `Instructor`,
and with a sub-role `membership/Instructor#Grader`.
"""
_TEST_USER = f"{_VOCABULARY}lti/system/person#testuser"
"""Canvas's "Student View": an instructor who looks at the course as a student of it."""

_TEACHING_SUB_ROLES = frozenset(
    ("", "instructor", "primaryinstructor", "secondaryinstructor", "lecturer", "guestinstructor", "externalinstructor")
)
"""Every other sub-role of Instructor, such as a teaching assistant's or a grader's, is below one who teaches."""
_ASSISTING = ("teachingassistant", "grader")
"""Sub-roles of Instructor that come as a short name of their own."""
_LOOKING_ON = frozenset(("administrator", "contentdeveloper", "manager", "mentor", "officer", *_ASSISTING))
_ADMINISTRATORS = frozenset(
    f"{_VOCABULARY}lis/v2/{place}#{name}"
    for place, listed in (
        ("system/person", ("administrator", "sysadmin", "accountadmin", "syssupport", "creator")),
        ("institution/person", ("administrator",)),
        ("person", ("administrator",)),
    )
    for name in listed
)


class CourseStanding(StrEnum):
    """What roles say of somebody in a course. LOOKS_ON: in it, and neither its teacher nor its student: assistants,
    observers, designers. TEST_USER: the platform's own. UNSAID: nothing of this course.
    """

    TEACHES = "teaches"
    LEARNS = "learns"
    LOOKS_ON = "looks_on"
    TEST_USER = "test_user"
    UNSAID = "unsaid"


def course_standing(roles: object) -> CourseStanding:
    """What roles of a launch or of a roster say. Roles in the institution or the system never count.

    Platforms send a sub-role together with its principal role: one that is below an instructor's wins.
    """
    texts = [role.casefold() for role in roles if isinstance(role, str)] if isinstance(roles, list) else []
    parts = [(match[1], match[2] or "") for role in texts if (match := _COURSE_ROLE.fullmatch(role))]
    principal = {name for name, _ in parts}
    is_below = any(name == "instructor" and sub not in _TEACHING_SUB_ROLES for name, sub in parts)
    is_below |= any(name.startswith(_ASSISTING) for name in principal)
    if "instructor" in principal and not is_below:
        return CourseStanding.TEACHES
    if _TEST_USER in texts:
        return CourseStanding.TEST_USER
    if is_below:
        return CourseStanding.LOOKS_ON
    if "learner" in principal:
        return CourseStanding.LEARNS
    return CourseStanding.LOOKS_ON if principal & _LOOKING_ON else CourseStanding.UNSAID


def teaches(roles: object) -> bool:
    """Whether roles say that somebody teaches this course; teaching assistants do not."""
    return course_standing(roles) is CourseStanding.TEACHES


def only_learns(roles: object) -> bool:
    """Whether roles say that somebody is a student of this course, and nothing more in it."""
    return course_standing(roles) is CourseStanding.LEARNS


def is_administrator(roles: object) -> bool:
    """Whether roles say that somebody looks after the school's system, or manages this course for the school: Moodle
    lets them launch as an instructor of every course.
    """
    texts = [role.casefold() for role in roles if isinstance(role, str)] if isinstance(roles, list) else []
    names = {match[1] for role in texts if (match := _COURSE_ROLE.fullmatch(role))}
    return bool(_ADMINISTRATORS.intersection(texts)) or "administrator" in names
