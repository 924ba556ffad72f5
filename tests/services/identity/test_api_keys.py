"""Keys: seen once, kept as hashes, bound to their student, ended at once (T12)."""

import json
import re
from datetime import timedelta

import pytest

from services.errors import BadArguments, PermissionMissing, SignInRequired, StorageUnavailable
from services.identity.api_keys import MOST_KEYS, ApiKeys, CreatedKey, KeyScope, is_well_formed, new_secret
from services.identity.roles import Roles
from services.identity.students import Student, Students
from services.storage.store import Store
from tests.fakes import FakeClock, FakeDocuments


class Desk:
    """Keys over a fake store, with two students."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.engine = FakeDocuments(clock=self.clock)
        self.store = Store(self.engine)
        self.keys = ApiKeys(
            self.store, self.clock, Roles(instructors=["okafor@campus.example"], operators=["otto@campus.example"])
        )
        self.students = Students(self.store, self.clock)
        self.maya = self.sign_in("maya")
        self.diego = self.sign_in("diego")

    def sign_in(self, name: str) -> Student:
        email = f"{name}@campus.example"
        return self.students.sign_in(
            issuer="https://id.example", subject=name, name=name, email=email, is_email_verified=True
        )

    def make(self, student: Student | None = None, *scopes: str, label: str = "Laptop") -> CreatedKey:
        return self.keys.create(student or self.maya, label=label, scopes=scopes or ("read",))

    def stored(self) -> str:
        return json.dumps(self.store.shared.find("keys", {}))


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_key_leads_to_its_student_and_scopes(desk: Desk) -> None:
    made = desk.make(desk.maya, "read", "approve")

    caller = desk.keys.authenticate(made.secret)

    assert caller.student == desk.maya
    assert caller.key.scopes == {KeyScope.READ, KeyScope.APPROVE}


def test_only_the_hash_is_kept_and_the_key_is_in_no_repr(desk: Desk) -> None:
    made = desk.make()

    assert re.fullmatch(r"hr_[0-9A-Za-z]{36}", made.secret)
    assert made.secret not in desk.stored() + repr(made)
    assert made.secret[9:] not in desk.stored()
    assert made.key.prefix == made.secret[:9]


def test_no_two_keys_are_alike() -> None:
    assert len({new_secret() for _ in range(500)}) == 500


def test_a_misspelt_key_is_told_without_the_store(desk: Desk) -> None:
    secret = desk.make().secret
    swapped = "A" if secret[10] != "A" else "B"
    reads = desk.engine.reads

    with pytest.raises(SignInRequired):
        desk.keys.authenticate(secret[:10] + swapped + secret[11:])

    assert desk.engine.reads == reads


@pytest.mark.parametrize("secret", ["", "hr_", "hr_" + "é" * 36, "hr_" + "0" * 36, " " * 39, "hr_\0", "x" * 100_000])
def test_nonsense_is_not_a_key(desk: Desk, secret: str) -> None:
    assert not is_well_formed(secret)
    with pytest.raises(SignInRequired):
        desk.keys.authenticate(secret)


def test_a_well_formed_key_that_nobody_made_is_refused(desk: Desk) -> None:
    with pytest.raises(SignInRequired):
        desk.keys.authenticate(new_secret())


def test_a_revoked_key_is_refused_at_once_in_every_replica(desk: Desk) -> None:
    made = desk.make()
    elsewhere = ApiKeys(desk.store, desk.clock)
    elsewhere.authenticate(made.secret)

    assert desk.keys.revoke(desk.maya.id, made.key.id)

    with pytest.raises(SignInRequired):
        elsewhere.authenticate(made.secret)


def test_nobody_revokes_or_sees_the_key_of_somebody_else(desk: Desk) -> None:
    made = desk.make(desk.maya)

    assert not desk.keys.revoke(desk.diego.id, made.key.id)
    assert desk.keys.list(desk.diego.id) == []
    assert desk.keys.authenticate(made.secret).student == desk.maya


def test_a_disabled_students_key_is_refused(desk: Desk) -> None:
    made = desk.make()

    desk.students.disable(desk.maya.id)

    with pytest.raises(SignInRequired):
        desk.keys.authenticate(made.secret)


def test_a_key_ends_when_it_was_said_to(desk: Desk) -> None:
    ends_at = desk.clock() + timedelta(days=1)
    made = desk.keys.create(desk.maya, label="Trial", scopes=["read"], expires_at=ends_at)
    desk.keys.authenticate(made.secret)

    desk.clock.advance(days=1)

    with pytest.raises(SignInRequired, match="expired"):
        desk.keys.authenticate(made.secret)


def test_use_is_noted_at_most_once_a_minute(desk: Desk) -> None:
    made = desk.make()
    first = desk.clock()
    desk.keys.authenticate(made.secret)
    writes = desk.engine.writes
    desk.clock.advance(seconds=59)
    desk.keys.authenticate(made.secret)

    assert desk.engine.writes == writes
    assert desk.keys.list(desk.maya.id)[0].last_used_at == first
    desk.clock.advance(seconds=1)
    desk.keys.authenticate(made.secret)
    assert desk.keys.list(desk.maya.id)[0].last_used_at == desk.clock()


def test_a_store_that_cannot_be_written_still_lets_a_program_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made = desk.make()

    def refuse(*_: object) -> None:
        raise StorageUnavailable("The disk is full.")

    monkeypatch.setattr(desk.engine, "compare_and_set", refuse)

    assert desk.keys.authenticate(made.secret).student == desk.maya


def test_admin_is_for_operators_as_it_tells_of_other_students(desk: Desk) -> None:
    otto, okafor = desk.sign_in("otto"), desk.sign_in("okafor")

    for student in (desk.maya, okafor):
        with pytest.raises(PermissionMissing):
            desk.make(student, "admin")
    mine = desk.make(otto, "admin")
    given = desk.keys.create(desk.maya, label="Report", scopes=["admin"], by_operator=True)

    assert desk.keys.authenticate(mine.secret).key.scopes == {KeyScope.ADMIN}
    assert desk.keys.authenticate(given.secret).key.scopes == {KeyScope.ADMIN}


def test_who_is_no_operator_any_more_has_no_admin_key_any_more(desk: Desk) -> None:
    made = desk.make(desk.sign_in("otto"), "admin", "read")

    later = ApiKeys(desk.store, desk.clock, Roles())

    assert later.authenticate(made.secret).key.scopes == {KeyScope.READ}


@pytest.mark.parametrize("scopes", [[], ["root"], ["read", "root"], ["READ"]])
def test_unknown_scopes_are_refused(desk: Desk, scopes: list[str]) -> None:
    with pytest.raises(BadArguments):
        desk.keys.create(desk.maya, label="Laptop", scopes=scopes)


@pytest.mark.parametrize("label", ["", "  \n", "\u200b", "x" * 61])
def test_a_label_is_one_readable_line(desk: Desk, label: str) -> None:
    with pytest.raises(BadArguments):
        desk.make(label=label)


def test_the_number_of_keys_is_bounded(desk: Desk) -> None:
    for _ in range(MOST_KEYS):
        desk.make()

    with pytest.raises(BadArguments):
        desk.make()
    desk.make(desk.diego)


@pytest.mark.parametrize("is_verified", [False, True])
def test_an_address_makes_an_instructor_only_when_the_sign_in_provider_vouches_for_it(is_verified: bool) -> None:
    desk = Desk()
    address = {"name": "Anne", "email": "Okafor@Campus.Example"}
    theirs = desk.students.sign_in(
        issuer="https://id.example", subject="okafor", is_email_verified=is_verified, **address
    )
    other = desk.students.sign_in(issuer="https://elsewhere.example", subject="okafor", **address)

    assert theirs.id != other.id
    assert desk.keys.is_instructor(theirs) is is_verified
    assert not desk.keys.is_instructor(other)
    with pytest.raises(PermissionMissing):
        desk.keys.create(other, label="mine", scopes=[KeyScope.ADMIN])


def test_who_loses_the_providers_word_for_their_address_is_no_instructor_any_more() -> None:
    desk = Desk()
    who = {"issuer": "https://id.example", "subject": "o", "name": "Anne", "email": "okafor@campus.example"}
    before = desk.students.sign_in(**who, is_email_verified=True)

    after = desk.students.sign_in(**who, is_email_verified=False)

    assert desk.keys.is_instructor(before)
    assert not desk.keys.is_instructor(after)
    assert desk.students.get(before.id) == after
