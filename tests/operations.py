"""`Operation`: something that is done, as a process may die in the middle of it."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from services.errors import HomeroomError
from services.identity.students import Student
from services.wiring.container import ServiceContainer

TEACHER = "teacher@campus.example"
Given = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """prepare: makes what there must be, by a mark of this case's own; what `do` is given, plain JSON. do: the click,
    which may be clicked again, unless each click is another one. before_again: what the jobs loop and others do after a
    death. wrong: "" or "lost", "doubled", "untrue", after all of it.
    """

    prepare: Callable[[ServiceContainer, str], dict[str, Any]]
    do: Callable[[ServiceContainer, Given], None]
    wrong: Callable[[ServiceContainer, Given], str]
    before_again: Callable[[ServiceContainer, Given], None] = lambda services, given: None
    is_repeated: bool = True


def person(services: ServiceContainer, name: str) -> Student:
    return services.students.sign_in(
        issuer="campus", subject=name, name=name, email=f"{name}@campus.example", is_email_verified=True
    )


def teacher(services: ServiceContainer) -> Student:
    return person(services, "teacher")


def counted(number: int) -> str:
    return {0: "lost", 1: ""}.get(number, "doubled")


def do_again(services: ServiceContainer, operation: Operation, given: Given) -> str:
    """What whoever lives on does after a death: the jobs and others first, then the same click; what is wrong then."""
    with suppress(HomeroomError):
        operation.before_again(services, given)
    if operation.is_repeated:
        # That it is done already, or that another one was first, is an answer, too.
        with suppress(HomeroomError):
            operation.do(services, given)
    return operation.wrong(services, given)
