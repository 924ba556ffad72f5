"""`LtiOperator`: what the operator does about school systems in the browser; everybody else is refused."""

from collections.abc import Sequence

from services.classes.lti.platform import LtiPlatform
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.registration.invites import Invites
from services.classes.lti.tool_keys import ToolKey, ToolKeys
from services.identity.roles import Roles
from services.identity.students import Student


class LtiOperator:
    """Every method takes the student who asks, and raises `PermissionMissing` unless they run this Homeroom."""

    def __init__(self, roles: Roles, platforms: LtiPlatforms, invites: Invites, keys: ToolKeys) -> None:
        self._roles, self._platforms, self._invites, self._keys = roles, platforms, invites, keys

    def platforms(self, student: Student) -> Sequence[LtiPlatform]:
        self._roles.require_operator(student)
        return self._platforms.all()

    def add(self, student: Student, platform: LtiPlatform) -> LtiPlatform:
        """Register a school's system, or change one; raises `BadArguments` as `LtiPlatforms.add` does."""
        self._roles.require_operator(student)
        return self._platforms.add(platform)

    def allow(self, student: Student, id: str, deployment_id: str) -> None:
        self._roles.require_operator(student)
        self._platforms.allow(id, deployment_id)

    def forbid(self, student: Student, id: str, deployment_id: str) -> None:
        self._roles.require_operator(student)
        self._platforms.forbid(id, deployment_id)

    def remove(self, student: Student, id: str) -> None:
        self._roles.require_operator(student)
        self._platforms.remove(id)

    def invite(self, student: Student, name: str) -> str:
        """A registration link, which is shown once."""
        self._roles.require_operator(student)
        return self._invites.create(name)

    def keys(self, student: Student) -> Sequence[ToolKey]:
        self._roles.require_operator(student)
        self._keys.public_keys()
        return self._keys.all()

    def rotate(self, student: Student) -> ToolKey:
        self._roles.require_operator(student)
        return self._keys.rotate()
