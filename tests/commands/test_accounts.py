"""A command is about exactly one account: by its id, or by an address that one account has for certain."""

from collections.abc import Mapping

import pytest

from commands.accounts import chosen_student
from services.errors import BadArguments
from services.identity.students import Student, Students
from services.runtime.clock import utc_now
from services.storage.store import Store
from tests.fakes import FakeDocuments

ADDRESS = "Maya.Chen@campus.example"


@pytest.fixture
def store() -> Store:
    return Store(FakeDocuments())


def signed_in(store: Store, issuer: str, *, email: str = ADDRESS, is_email_verified: bool = False) -> Student:
    return Students(store, utc_now).sign_in(
        issuer=issuer, subject="1", name="Maya Chen", email=email, is_email_verified=is_email_verified
    )


def choose(store: Store, **by: str | None) -> Student:
    given: Mapping[str, str | None] = {"email": None, "id": None, **by}
    return chosen_student(store, Students(store, utc_now), **given)


@pytest.mark.parametrize("written", [ADDRESS, ADDRESS.lower(), f" {ADDRESS.upper()} "])
def test_capitals_of_an_address_do_not_count(store: Store, written: str) -> None:
    maya = signed_in(store, "https://id.example")

    assert choose(store, email=written).id == maya.id


def test_of_two_accounts_the_one_counts_whose_address_is_vouched_for_and_the_other_is_told(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    launched = signed_in(store, "lti:https://moodle.example", email=ADDRESS.lower())
    maya = signed_in(store, "https://id.example", is_email_verified=True)

    assert choose(store, email=ADDRESS).id == maya.id
    assert (
        f"{launched.id}  Maya Chen, address not vouched for, by lti:https://moodle.example" in capsys.readouterr().err
    )


@pytest.mark.parametrize("is_email_verified", [True, False])
def test_accounts_that_are_alike_are_listed_with_their_ids_and_each_can_be_chosen(
    store: Store, capsys: pytest.CaptureFixture[str], is_email_verified: bool
) -> None:
    both = [
        signed_in(store, issuer, is_email_verified=is_email_verified)
        for issuer in ("https://one.example", "https://two.example")
    ]
    with pytest.raises(BadArguments, match="2 accounts have") as refused:
        choose(store, email=ADDRESS)

    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == [student.id for student in both]
    assert "--id" in refused.value.next_step
    assert [choose(store, id=student.id).id for student in both] == [student.id for student in both]


def test_an_id_that_nobody_has_is_refused(store: Store) -> None:
    with pytest.raises(BadArguments, match="No account has the id x"):
        choose(store, id="x")
