"""`Roles`: who is a student, an instructor or the operator of this deployment."""

from enum import StrEnum

from services.errors import PermissionMissing
from services.i18n import gettext
from services.identity.students import Student
from services.settings import Settings


class Role(StrEnum):
    """Role of a person in the deployment, from the least to the most; their role in a class is `ClassRole`."""

    STUDENT = "student"
    INSTRUCTOR = "instructor"
    OPERATOR = "operator"


class Roles:
    """Reader of the operator's lists: an address counts only where the sign-in provider vouches for it."""

    def __init__(self, settings: Settings) -> None:
        self._instructors, self._operators = settings.instructors, settings.operators

    def of(self, student: Student) -> Role:
        """The role of a person in this deployment."""
        address = student.email.casefold() if student.is_email_verified else ""
        if address and address in self._operators:
            return Role.OPERATOR
        return Role.INSTRUCTOR if address and address in self._instructors else Role.STUDENT

    def may_make_classes(self, student: Student) -> bool:
        """Whether they may make a class by themselves; the first launch from a school's system makes one, too."""
        return self.of(student) is not Role.STUDENT

    def require_operator(self, student: Student) -> None:
        """Raise `PermissionMissing` for everybody but the operator."""
        if self.of(student) is not Role.OPERATOR:
            raise PermissionMissing("Homeroom", gettext("Only the operator of this Homeroom can do this."))
