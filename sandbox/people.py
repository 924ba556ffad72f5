"""The people of the demo campus, on whose ids all its data hangs."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Person:
    """One person who can sign in; `role` is "student" or "instructor", `timezone` an IANA name."""

    id: str
    name: str
    email: str
    role: str
    timezone: str = "America/Chicago"

    @property
    def first_name(self) -> str:
        """The given name, for greetings."""
        return self.name.split()[0]


PEOPLE = {
    person.id: person
    for person in (
        Person(id="maya", name="Maya Chen", email="maya.chen@campus.example", role="student"),
        Person(id="diego", name="Diego Ramos", email="diego.ramos@campus.example", role="student"),
        Person(id="okafor", name="Anne Okafor", email="anne.okafor@campus.example", role="instructor"),
    )
}
