"""Who leaves a class, is removed, is let in by a list or lowered, and the end of a class, as a process may die then."""

from collections.abc import Mapping
from typing import Any

from services.classes.class_repository import ClassRepository
from services.classes.school_class import ClassMember, ClassRole, SchoolClass
from services.runtime.clock import utc_now
from services.wiring.container import ServiceContainer
from tests.operations import Given, Operation, person, teacher


def new_class(services: ServiceContainer, mark: str) -> SchoolClass:
    return services.classroom.classes.create(teacher(services), name=mark, request_id=f"{mark}-made")


def member_of(services: ServiceContainer, given: Given, name: str) -> ClassMember | None:
    member_id = person(services, name).id
    return ClassRepository(services.store, utc_now).member(given["class"], member_id)


def class_with_member(services: ServiceContainer, mark: str) -> dict[str, Any]:
    made, ana = new_class(services, mark), person(services, f"ana.{mark}")
    services.classroom.memberships.join(ana, made.join_code)
    return {"class": made.id, "name": f"ana.{mark}", "version": made.version}


def class_of_two(services: ServiceContainer, mark: str) -> dict[str, Any]:
    """A class that two people teach."""
    given = class_with_member(services, mark)
    ana = person(services, given["name"])
    services.classroom.memberships.make_instructor(teacher(services), given["class"], ana.id)
    return given


def leave(services: ServiceContainer, given: Given) -> None:
    services.classroom.memberships.leave(person(services, given["name"]), given["class"])


def remove(services: ServiceContainer, given: Given) -> None:
    ana = person(services, given["name"])
    services.classroom.memberships.remove(teacher(services), given["class"], ana.id)


def lower(services: ServiceContainer, given: Given) -> None:
    ana = person(services, given["name"])
    services.classroom.memberships.make_member(teacher(services), given["class"], ana.id)


def raise_member(services: ServiceContainer, given: Given) -> None:
    ana = person(services, given["name"])
    services.classroom.memberships.make_instructor(teacher(services), given["class"], ana.id)


def wrong_gone(services: ServiceContainer, given: Given) -> str:
    """They are gone, and who stays teaches the class and is not about to leave."""
    if member_of(services, given, given["name"]) is not None:
        return "lost"
    return _wrong_teacher(services, given)


def wrong_lowered(services: ServiceContainer, given: Given) -> str:
    return _wrong_role(services, given, ClassRole.MEMBER) or _wrong_teacher(services, given)


def wrong_raised(services: ServiceContainer, given: Given) -> str:
    return _wrong_role(services, given, ClassRole.INSTRUCTOR) or _wrong_teacher(services, given)


def archive(services: ServiceContainer, given: Given) -> None:
    services.classroom.classes.archive(teacher(services), given["class"])


def wrong_archived(services: ServiceContainer, given: Given) -> str:
    found = services.store.shared.get("classes", given["class"])
    if found is None or not found["archived_at"]:
        return "lost"
    return "untrue" if found["join_code"] or len(_members(services, given)) != 2 else ""


def invited(services: ServiceContainer, mark: str) -> dict[str, Any]:
    made, name = new_class(services, mark), f"ana.{mark}"
    services.classroom.roster.invite(teacher(services), made.id, f"{name}@campus.example")
    return {"class": made.id, "name": name}


def accept(services: ServiceContainer, given: Given) -> None:
    services.classroom.roster.accept(person(services, given["name"]))


def wrong_accepted(services: ServiceContainer, given: Given) -> str:
    left = services.store.shared.find("class_invitations", {"class_id": given["class"]})
    return _wrong_role(services, given, ClassRole.MEMBER) or ("untrue" if left else "")


def _wrong_role(services: ServiceContainer, given: Given, role: ClassRole) -> str:
    member = member_of(services, given, given["name"])
    if member is None or member.role is not role:
        return "lost"
    return "doubled" if len(_members(services, given)) != 2 else ""


def _wrong_teacher(services: ServiceContainer, given: Given) -> str:
    me = teacher(services).id
    marks = [found.get("leaving_at") for found in _members(services, given) if found["student_id"] == me]
    return "" if marks == [None] else "untrue"


def _members(services: ServiceContainer, given: Given) -> list[dict[str, Any]]:
    return services.store.shared.find("class_members", {"class_id": given["class"]})


MEMBERSHIPS: Mapping[str, Operation] = {
    "leave": Operation(prepare=class_with_member, do=leave, wrong=wrong_gone),
    "leave teaching": Operation(prepare=class_of_two, do=leave, wrong=wrong_gone),
    "remove": Operation(prepare=class_with_member, do=remove, wrong=wrong_gone),
    "remove teacher": Operation(prepare=class_of_two, do=remove, wrong=wrong_gone),
    "raise": Operation(prepare=class_with_member, do=raise_member, wrong=wrong_raised),
    "lower": Operation(prepare=class_of_two, do=lower, wrong=wrong_lowered),
    "archive": Operation(prepare=class_with_member, do=archive, wrong=wrong_archived),
    "accept": Operation(prepare=invited, do=accept, wrong=wrong_accepted),
}
