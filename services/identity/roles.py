"""`Roles`: who is a student, an instructor or the operator of this deployment."""

from collections.abc import Iterable
from enum import StrEnum

from services.errors import PermissionMissing
from services.i18n import gettext
from services.identity.students import Student


class Role(StrEnum):
    """Role of a person in the deployment, from the least to the most; their role in a class is `ClassRole`."""

    STUDENT = "student"
    INSTRUCTOR = "instructor"
    OPERATOR = "operator"


class Roles:
    """Reader of the operator's lists: an address counts only where the sign-in provider vouches for it."""

    def __init__(self, *, instructors: Iterable[str] = (), operators: Iterable[str] = ()) -> None:
        """E-mail addresses, as the operator wrote them; capitals do not count."""
        self._instructors = frozenset(map(address_key, instructors))
        self._operators = frozenset(map(address_key, operators))

    def of(self, student: Student) -> Role:
        """The role of a person in this deployment.

        In a session that a school's system began, an operator is none: whoever runs that system can begin one for
        anybody.
        """
        address = address_key(student.email) if student.is_email_verified else ""
        if address and address in self._operators and not student.is_launched:
            return Role.OPERATOR
        return Role.INSTRUCTOR if address and address in self._instructors else Role.STUDENT

    def is_instructor(self, student: Student) -> bool:
        """Whether they may make classes by themselves and see what is for instructors; the operator may, too.

        Who teaches one class, because its instructor or the school's system says so, is its `ClassRole` alone.
        """
        return self.of(student) is not Role.STUDENT

    def is_operator(self, student: Student) -> bool:
        """Whether they run this Homeroom, and see what is of all its students together."""
        return self.of(student) is Role.OPERATOR

    def require_operator(self, student: Student) -> None:
        """Raise `PermissionMissing` for everybody but the operator."""
        if not self.is_operator(student):
            raise PermissionMissing("Homeroom", gettext("Only the operator of this Homeroom can do this."))


def address_key(email: str) -> str:
    """An e-mail address as it is compared and kept: without capitals and blanks around it.

    A letter of another alphabet never becomes one of ours: the Kelvin sign and the long s have "k" and "s" as their
    small letters, and would make one person's address out of another's.
    """
    given = email.strip()
    lowered = given.lower()
    return lowered if given.isascii() or not lowered.isascii() else given
