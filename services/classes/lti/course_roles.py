"""Roles that a launch or a roster gives somebody in a course: who of them teaches it, and who only learns in it."""

_MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
_TEST_USER = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"
"""Canvas's "Student View": an instructor who looks at the course as a student of it."""


def teaches(roles: object) -> bool:
    """Whether roles of a launch or of a roster say that somebody teaches this course (LTI Core 1.3, appendix A.2).

    Roles in the institution or the system never count, nor do teaching assistants: their sub-role of Instructor.
    """
    return any(_is_instructor(role) for role in _texts(roles))


def only_learns(roles: object) -> bool:
    """Whether roles say what somebody is in this course, and that they do not teach it. No role, one in the institution
    alone and the platform's test user say nothing of that.
    """
    named = _texts(roles)
    is_told = any(role.startswith(_MEMBERSHIP) or ":" not in role for role in named)
    return is_told and _TEST_USER not in named and not teaches(roles)


def _texts(roles: object) -> list[str]:
    return [role for role in roles if isinstance(role, str)] if isinstance(roles, list) else []


def _is_instructor(role: str) -> bool:
    if role in ("Instructor", f"{_MEMBERSHIP}#Instructor"):
        return True
    begin = f"{_MEMBERSHIP}/Instructor#"
    return role.startswith(begin) and "TeachingAssistant" not in role
