"""Which account a command is about: by its id, or by an e-mail address that only one account has for certain."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from services.errors import BadArguments
from services.identity.roles import address_key
from services.identity.students import Student, Students
from services.safety.text import plain
from services.storage.store import Store


@dataclass(frozen=True, kw_only=True)
class StudentAccount:
    """An account with where its owner comes from. issuer: the sign-in provider, or "lti:" and a school's system."""

    student: Student
    issuer: str


def add_account_options(parser: argparse.ArgumentParser, *, is_required: bool = True, whose: str = "") -> None:
    """Let a command take one of --email and --id. whose: words before what they are."""
    which = parser.add_mutually_exclusive_group(required=is_required)
    which.add_argument("--email", help=f"{whose}as the sign-in provider tells it; capitals do not count")
    which.add_argument("--id", help="of the account, where several have the address: without it they are listed")


def chosen_student(store: Store, students: Students, *, email: str | None, id: str | None) -> Student:
    """The student of an id, or of an address; raises `BadArguments` when it is nobody's, or several accounts' alike.

    Of several the one counts whose provider vouches for the address; the others are told on the error stream.
    """
    if id is not None:
        if (student := students.get(id)) is None:
            step = "Give --email instead: where several accounts have the address, they are listed with their ids."
            raise BadArguments(f"No account has the id {plain(id)}.", next_step=step)
        return student
    address = plain(email or "")
    accounts = accounts_with(store, students, email or "")
    vouched = [account for account in accounts if account.student.is_email_verified]
    if not accounts:
        step = "Let them sign in once, then try again; write the address as Settings shows it."
        raise BadArguments(f"Nobody has signed in with {address} yet.", next_step=step)
    if len(vouched or accounts) > 1:
        print(_listed(accounts))
        step = "Choose one of these ids, and give it with --id instead of --email."
        raise BadArguments(f"{len(accounts)} accounts have {address}.", next_step=step)
    chosen = (vouched or accounts)[0]
    if others := [account for account in accounts if account is not chosen]:
        print(f"Taken: the account whose provider vouches for {address}. Others have it, too:", file=sys.stderr)
        print(_listed(others), file=sys.stderr)
    return chosen.student


def _listed(accounts: Sequence[StudentAccount]) -> str:
    return "\n".join(
        f"{account.student.id}  {plain(account.student.name)}, "
        f"{'address vouched for' if account.student.is_email_verified else 'address not vouched for'}, "
        f"by {plain(account.issuer)}"
        for account in accounts
    )


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
