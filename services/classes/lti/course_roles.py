"""Roles that a launch or a roster gives somebody in a course: who of them teaches it."""

_MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"


def teaches(roles: object) -> bool:
    """Whether roles of a launch or of a roster say that somebody teaches this course (LTI Core 1.3, appendix A.2).

    Roles in the institution or the system never count, nor do teaching assistants: their sub-role of Instructor.
    """
    named = [role for role in roles if isinstance(role, str)] if isinstance(roles, list) else []
    return any(_is_instructor(role) for role in named)


def _is_instructor(role: str) -> bool:
    if role in ("Instructor", f"{_MEMBERSHIP}#Instructor"):
        return True
    begin = f"{_MEMBERSHIP}/Instructor#"
    return role.startswith(begin) and "TeachingAssistant" not in role
