"""Role matrix of the pages: what is a class's stands on none of them for who is not in it, and what is its instructors'
alone on none for its members (T41).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from services.classes.budgets.budget import Budget, Limits
from services.files.upload import Upload
from services.identity.students import Student
from services.navigation import PAGES
from tests.pages.conftest import Visitor
from tests.rooms import Room
from tests.telling import telling
from ui.classroom.class_views import CLASS_VIEWS

CLASS, INSTRUCTORS = "periwinkle", "oxalis"
"""In all that members of the class may see, and in what its instructors alone may."""
LISTING = {"materials", "settings"}
"""Other pages that name a class to its members: what they have to read, and whose assistant they may begin with."""
NAMES = {"student": "ana", "member": "maya", "instructor of another class": "ben", "operator": "otto"}
PLACES = [page.name for page in PAGES] + [f"classroom {view.id}" for view in CLASS_VIEWS]
IN_CI = {("classroom people", "member"), ("classroom assistants", "member"), ("classroom assistants", "operator")}
ROWS = telling([(place, who) for place in PLACES for who in NAMES], IN_CI.__contains__)


@dataclass(frozen=True)
class Taught:
    """A class of Anne's with an assistant, a file, a budget and people, and the address of each part of it."""

    room: Room
    class_id: str
    assistant_id: str
    material_id: str
    chat_id: str

    def visit(self, who: str, place: str) -> Visitor:
        """Somebody opens a page with everything in its address that leads into the class."""
        visitor = Visitor(self.room, who, _claims(who))
        page, _, view = place.partition(" ")
        query = {"open": self.material_id} if page == "materials" else {"c": self.chat_id} if page == "chat" else {}
        if view:
            query = {"class": self.class_id, "view": view, "assistant": self.assistant_id}
        visitor.opens(page, **query)
        assert not visitor.page.exception, visitor.page.exception[0].stack_trace
        return visitor


@pytest.fixture
def taught(make_visitor: Callable[..., Visitor]) -> Taught:
    named = {"HOMEROOM_INSTRUCTORS": f"{_email('anne')} {_email('ben')}", "HOMEROOM_OPERATORS": _email("otto")}
    room = make_visitor(settings=named).room
    classroom = room.services.classroom
    anne, maya, ben = (_sign_in(room, name) for name in ("anne", "maya", "ben"))
    classroom.classes.create(ben, name="Another class")
    made = classroom.classes.create(anne, name=f"The {CLASS} class")
    classroom.memberships.join(maya, made.join_code)
    classroom.memberships.join(_sign_in(room, INSTRUCTORS), made.join_code)
    classroom.roster.invite(anne, made.id, f"{INSTRUCTORS}.two@campus.example")
    tutor = classroom.assistants.create(anne, made.id, f"The {CLASS} tutor", request_id="0123456789abcdef")
    record = classroom.assistants.save(anne, replace(tutor.draft, words=f"Know {CLASS}."), seen=1)
    record = classroom.assistants.publish(anne, record.id, seen=record.draft_version)
    classroom.assistants.save(anne, replace(record.draft, words=f"Think of {INSTRUCTORS}."), seen=record.draft_version)
    classroom.budget_control.set_of_class(anne, made.id, Budget(total=Limits(day=1_000_000)))
    file = Upload(name=f"{CLASS}.txt", content=f"All about {CLASS}.".encode())
    material = classroom.materials.add(anne, made.id, file)
    chat = room.services.conversations.create(anne.id, assistant=record.id)
    return Taught(room, made.id, record.id, material.id, chat)


def _email(name: str) -> str:
    return f"{name}@campus.example"


def _claims(name: str) -> dict[str, Any]:
    return {"email": _email(name), "email_verified": True}


def _sign_in(room: Room, name: str) -> Student:
    who = {"subject": name, "name": name.capitalize(), "email": _email(name), "is_email_verified": True}
    return room.services.students.sign_in(issuer="https://id.example", **who)  # type: ignore[arg-type]


def told(visitor: Visitor) -> str:
    """All that a page sends to the browser: words, labels, values and addresses."""
    return "\n".join(_sent(visitor.page._tree)).casefold()


def _sent(tree: Any) -> Iterator[str]:
    for element in tree:
        yield str(getattr(element, "proto", ""))
        yield str(getattr(element, "value", ""))


@pytest.mark.parametrize(("place", "who"), ROWS)
def test_nobody_reads_more_of_a_class_than_their_role_in_it_gives(taught: Taught, place: str, who: str) -> None:
    words = told(taught.visit(NAMES[who], place))

    assert INSTRUCTORS not in words
    assert (CLASS in words) == (who == "member" and (place.startswith("classroom") or place in LISTING))


@pytest.mark.parametrize("view", [view.id for view in CLASS_VIEWS])
def test_the_same_addresses_show_its_instructor_the_class(taught: Taught, view: str) -> None:
    assert CLASS in told(taught.visit("anne", f"classroom {view}"))


@pytest.mark.parametrize("view", ["people", "assistants"])
def test_the_same_addresses_show_its_instructor_what_is_theirs_alone(taught: Taught, view: str) -> None:
    assert INSTRUCTORS in told(taught.visit("anne", f"classroom {view}"))
