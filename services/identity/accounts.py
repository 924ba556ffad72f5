"""Accounts of one e-mail address, for whoever runs Homeroom: a person may have one by sign-in and one by a launch."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.identity.roles import address_key
from services.identity.students import Student, Students
from services.storage.store import Store


@dataclass(frozen=True, kw_only=True)
class StudentAccount:
    """An account with where its owner comes from. issuer: the sign-in provider, or "lti:" and a school's system."""

    student: Student
    issuer: str


def accounts_with(store: Store, students: Students, email: str) -> Sequence[StudentAccount]:
    """The accounts of an address, written with whatever capitals; those whose provider vouches for it first."""
    key = address_key(email)
    documents = [each for each in store.shared.find("students", {}) if address_key(each["email"]) == key]
    accounts = [
        StudentAccount(student=student, issuer=each["issuer"])
        for each in documents
        if (student := students.get(each["id"])) is not None
    ]
    return sorted(accounts, key=lambda account: not account.student.is_email_verified)
