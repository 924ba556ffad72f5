"""Staff of a school who are in its system alone: an assistant, an observer, a designer, an administrator."""

from dataclasses import dataclass

from sandbox.canvas.school import Row
from sandbox.people import Person


@dataclass(frozen=True, kw_only=True)
class StaffMember:
    """Somebody of the school's system. kind: of enrollment, in every open course; "" for an administrator, who is
    enrolled in none and may open each. number: the user's.
    """

    person: Person
    kind: str
    number: int

    @property
    def user(self) -> Row:
        """The user of this person, as Canvas's data has it."""
        return {"id": self.number, "name": self.person.name, "person": self.person.id}


STAFF = {
    member.person.id: member
    for member in (
        StaffMember(
            person=Person(id="tara", name="Tara Lind", email="tara.lind@campus.example", role="assistant"),
            kind="TaEnrollment",
            number=9001,
        ),
        StaffMember(
            person=Person(id="olga", name="Olga Chen", email="olga.chen@home.example", role="observer"),
            kind="ObserverEnrollment",
            number=9002,
        ),
        StaffMember(
            person=Person(id="dora", name="Dora Blum", email="dora.blum@campus.example", role="designer"),
            kind="DesignerEnrollment",
            number=9003,
        ),
        StaffMember(
            person=Person(id="root", name="Rae Ortiz", email="rae.ortiz@campus.example", role="administrator"),
            kind="",
            number=9004,
        ),
    )
}
