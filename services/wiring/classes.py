"""Classes: their parts, made once and shared."""

from services.classes.classes import Classes
from services.classes.classroom import Classroom
from services.identity.roles import Roles
from services.runtime.clock import Clock
from services.settings import Settings
from services.wiring.repositories import Repositories


def classroom_of(settings: Settings, repositories: Repositories, clock: Clock) -> Classroom:
    """Make the parts of classes."""
    roles = Roles(settings)
    return Classroom(roles=roles, classes=Classes(repositories.store, repositories.students, roles, clock))
