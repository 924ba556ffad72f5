"""A new vault key, from beginning to end, by what `manage.py rotate-keys` says and nothing else."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from services.connections.key_rotation import advance_rotation
from services.connections.vault import KeyRing, Vault
from services.settings import new_vault_key
from services.storage.store import Store
from tests.fakes import FakeDocuments

OLD = new_vault_key("k1")


@pytest.fixture
def store() -> Store:
    """One connection, sealed under the old key."""
    made = Store(FakeDocuments())
    sealed = Vault(KeyRing.parse([OLD])).seal("canary", student_id="maya", integration="canvas", field="grant")
    made.for_student("maya").insert("connections", {"id": "canvas", "version": 1, "sealed": {"grant": sealed}})
    return made


def opens(store: Store, keys: Sequence[str]) -> bool:
    sealed = store.for_student("maya").get("connections", "canvas")
    assert sealed is not None
    vault = Vault(KeyRing.parse(keys))
    return vault.open(sealed["sealed"]["grant"], student_id="maya", integration="canvas", field="grant") == "canary"


def test_a_rotation_goes_from_step_to_step_and_every_replica_can_open_all_the_while(store: Store) -> None:
    begun, _ = advance_rotation(store, [OLD])
    new = begun.splitlines()[-1]
    version = new.partition(":")[0]
    assert "write after k1 in HOMEROOM_VAULT_KEYS" in begun

    waiting, _ = advance_rotation(store, [OLD, new])
    assert f"If {version} is the new one: put it first" in waiting
    assert opens(store, [OLD])

    done, is_well = advance_rotation(store, [new, OLD])
    assert "1 of 1 sealed with" in done
    assert "take k1 out of HOMEROOM_VAULT_KEYS" in done
    assert (is_well, opens(store, [new])) == (True, True)

    again, _ = advance_rotation(store, [new, OLD])
    assert "If it is the old one: take it out" in again


def test_a_demo_that_keeps_its_keys_in_a_file_is_led_to_that_file(store: Store) -> None:
    file, new = Path("/demo/vault.keys"), new_vault_key("k2")
    steps = [advance_rotation(store, keys, file=file)[0] for keys in ([OLD], [OLD, new], [new, OLD])]

    assert [f"{file} and restart Homeroom" in step for step in steps] == [True] * 3
    assert "HOMEROOM_VAULT_KEYS" not in "".join(steps)


def test_a_key_that_is_gone_is_asked_for_and_nothing_is_touched(store: Store) -> None:
    told, is_well = advance_rotation(store, [new_vault_key("k2")])

    assert not is_well
    assert "1 do not open." in told
    assert opens(store, [OLD])


def test_no_key_that_is_in_use_is_ever_printed(store: Store) -> None:
    new = new_vault_key("k2")

    told = [advance_rotation(store, keys)[0] for keys in ([OLD], [OLD, new], [new, OLD], [new])]

    assert not [text for text in told if OLD.partition(":")[2] in text or new.partition(":")[2] in text]
