"""Classes: their parts, made once and shared."""

from services.classes.class_repository import ClassRepository
from services.classes.classes import Classes
from services.classes.classroom import Classroom
from services.classes.memberships import Memberships
from services.classes.roster import Roster
from services.identity.roles import Roles
from services.runtime.clock import Clock
from services.settings import Settings
from services.wiring.repositories import Repositories


def classroom_of(settings: Settings, repositories: Repositories, clock: Clock) -> Classroom:
    """Make the parts of classes."""
    roles = Roles(settings)
    stored = ClassRepository(repositories.store, clock)
    classes = Classes(stored, repositories.students, roles)
    memberships = Memberships(stored, classes, repositories.students, repositories.rate_limiter)
    roster = Roster(repositories.store, stored, classes)
    return Classroom(roles=roles, classes=classes, memberships=memberships, roster=roster)
