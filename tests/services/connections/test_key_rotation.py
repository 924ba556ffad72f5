"""Rewrapping: every credential ends up under the newest key, none is lost, and a newer one is never overwritten."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from services.classes.lti.tool_keys import ToolKeys
from services.connections.key_rotation import SealState, rewrap_seals, verify_seals
from services.connections.vault import KeyRing, Vault
from services.runtime.clock import utc_now
from services.settings import new_vault_key
from services.storage.documents import Document, Where
from services.storage.store import Store
from tests.fakes import FakeDocuments

OLD_KEY, NEW_KEY = new_vault_key("old"), new_vault_key("new")
OLD, BOTH, NEW = (Vault(KeyRing.parse(keys)) for keys in ([OLD_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY]))


@pytest.fixture
def engine() -> "RacingDocuments":
    return RacingDocuments()


@pytest.fixture
def store(engine: "RacingDocuments") -> Store:
    return Store(engine)


def connection(student_id: str, integration: str, vault: Vault = OLD, token: str = "token") -> Document:
    place = {"student_id": student_id, "integration": integration}
    sealed = {f: vault.seal(f"{token} {f}", field=f, **place) for f in ("access_token", "refresh_token")}
    return {"id": integration, "account": "Maya", "version": 7, "sealed": sealed}


def opened(store: Store, student_id: str, integration: str, vault: Vault) -> dict[str, str]:
    document = store.for_student(student_id).get("connections", integration)
    assert document is not None
    place = {"student_id": student_id, "integration": integration}
    return {field: vault.open(text, field=field, **place) for field, text in document["sealed"].items()}


def test_everything_old_is_sealed_anew_and_opens_without_the_old_key(store: Store) -> None:
    for student in ("maya", "diego"):
        for integration in ("canvas", "notion"):
            store.for_student(student).put(
                "connections", connection(student, integration, token=f"{student} {integration}")
            )

    assert verify_seals(store, BOTH) == Counter({SealState.OLDER: 8})
    assert rewrap_seals(store, BOTH) == Counter({SealState.RESEALED: 8})
    assert verify_seals(store, NEW) == Counter({SealState.NEWEST: 8})
    assert opened(store, "diego", "notion", NEW) == {
        "access_token": "diego notion access_token",
        "refresh_token": "diego notion refresh_token",
    }


def test_a_grant_that_waits_to_be_revoked_is_sealed_anew_too(store: Store) -> None:
    sealed = OLD.seal("token", student_id="maya", integration="canvas", field="grant")
    waiting = {"id": "r1", "integration": "canvas", "sealed": {"grant": sealed}, "next_at": "x"}
    store.for_student("maya").insert("revocations", waiting)

    assert rewrap_seals(store, BOTH) == Counter({SealState.RESEALED: 1})
    assert verify_seals(store, NEW) == Counter({SealState.NEWEST: 1})


def test_a_key_that_signs_for_school_systems_is_sealed_anew_too(store: Store) -> None:
    signed_before = ToolKeys(store, OLD, utc_now).public_keys()

    assert verify_seals(store, BOTH) == Counter({SealState.OLDER: 1})
    assert rewrap_seals(store, BOTH) == Counter({SealState.RESEALED: 1})
    assert ToolKeys(store, NEW, utc_now).public_keys() == signed_before


def test_a_retired_key_that_nothing_opens_any_more_is_not_counted(store: Store) -> None:
    ToolKeys(store, OLD, utc_now).public_keys()
    ToolKeys(store, NEW, utc_now).rotate()

    assert verify_seals(store, NEW) == Counter({SealState.NEWEST: 1})


def test_a_second_run_changes_nothing(store: Store, engine: "RacingDocuments") -> None:
    store.for_student("maya").put("connections", connection("maya", "canvas"))
    rewrap_seals(store, BOTH)
    before, writes = store.for_student("maya").get("connections", "canvas"), engine.writes

    assert rewrap_seals(store, BOTH) == Counter({SealState.NEWEST: 2})
    assert store.for_student("maya").get("connections", "canvas") == before
    assert engine.writes == writes


@pytest.mark.exact_documents
def test_everything_but_the_envelopes_stays_as_it_was(store: Store) -> None:
    before = connection("maya", "canvas")
    store.for_student("maya").put("connections", before)
    rewrap_seals(store, BOTH)

    after = store.for_student("maya").get("connections", "canvas")
    assert after is not None
    assert {**after, "sealed": None} == {**before, "sealed": None}


@pytest.mark.exact_documents
@pytest.mark.parametrize("vault", [NEW, Vault(KeyRing.parse([new_vault_key("old")]))])
def test_a_missing_or_wrong_key_deletes_nothing(store: Store, vault: Vault) -> None:
    before = connection("maya", "canvas")
    store.for_student("maya").put("connections", before)

    assert verify_seals(store, vault) == Counter({SealState.BROKEN: 2})
    assert rewrap_seals(store, vault) == Counter({SealState.BROKEN: 2})
    assert store.for_student("maya").get("connections", "canvas") == before


def test_one_damaged_envelope_keeps_no_other_from_being_sealed_anew(store: Store) -> None:
    damaged = connection("maya", "canvas")
    damaged["sealed"]["access_token"] = "v1.old.AAAA"
    store.for_student("maya").put("connections", damaged)
    store.for_student("diego").put("connections", connection("diego", "canvas"))

    assert rewrap_seals(store, BOTH) == Counter({SealState.RESEALED: 3, SealState.BROKEN: 1})
    kept = store.for_student("maya").get("connections", "canvas")
    assert kept is not None
    assert kept["sealed"]["access_token"] == "v1.old.AAAA"


def test_a_token_refreshed_meanwhile_is_never_overwritten_by_the_older_one(
    store: Store, engine: "RacingDocuments"
) -> None:
    store.for_student("maya").put("connections", connection("maya", "canvas", token="older"))
    engine.before_swap = [
        lambda: store.for_student("maya").put("connections", connection("maya", "canvas", token="newer")),
    ]

    assert rewrap_seals(store, BOTH) == Counter({SealState.RESEALED: 2})
    assert opened(store, "maya", "canvas", NEW)["access_token"] == "newer access_token"


def test_a_refresh_under_way_wins_although_the_rewrap_came_in_between(store: Store) -> None:
    maya = store.for_student("maya")
    maya.put("connections", connection("maya", "canvas", token="older"))
    rewrap_seals(store, BOTH)
    refreshed = connection("maya", "canvas", vault=OLD, token="newer")["sealed"]

    assert (
        maya.compare_and_set("connections", "canvas", {"version": 7}, {"sealed": refreshed, "version": 8}) is not None
    )
    assert opened(store, "maya", "canvas", BOTH)["access_token"] == "newer access_token"


def test_a_connection_erased_meanwhile_stays_erased(store: Store, engine: "RacingDocuments") -> None:
    store.for_student("maya").put("connections", connection("maya", "canvas"))
    engine.before_swap = [lambda: store.for_student("maya").delete("connections", {"id": "canvas"})]

    assert rewrap_seals(store, BOTH) == Counter()
    assert store.for_student("maya").find("connections", {}) == []


class RacingDocuments(FakeDocuments):
    """Lets somebody else be faster: runs what `before_swap` holds before the next swap."""

    before_swap: list[Any] = []

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        faster, self.before_swap = self.before_swap, []
        for call in faster:
            call()
        return super().compare_and_set(collection, id, expected, changes)
