"""Key rotation for the operator: encrypt all credentials anew under the newest key, or only try that they open."""

import logging
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path

from services.connections.vault import KeyRing, Vault, lti_key_place
from services.errors import SealBroken, SettingsError
from services.settings import new_vault_key
from services.storage.documents import Document
from services.storage.store import Store

_OF_STUDENTS = ("connections", "revocations")
_LTI_KEYS, _SIGNS = "lti_keys", {"retired_at": None}
"""Keys that sign for school systems: nothing opens a retired one any more."""
SETTING = "HOMEROOM_VAULT_KEYS"
SAMPLE = 8
"""Connections whose seals are tried at the start of each process, as each has keys of its own: under other keys none
opens, and that so many are damaged by themselves at once is as good as impossible.
"""
REMEDY = "Bring back the keys that sealed them; nothing was deleted, and all opens again with them."
log = logging.getLogger(__name__)


class SealState(StrEnum):
    """State of one sealed field: how it was found, or left."""

    NEWEST = "newest"
    OLDER = "older"
    RESEALED = "resealed"
    BROKEN = "broken"


def verify_seals(store: Store, vault: Vault) -> Counter[SealState]:
    """Try every sealed field and change nothing."""
    of_students = (
        _seal_state(vault, text, student_id=student_id, integration=_integration(document), field=field)
        for collection, student_id, id in _places(store)
        if (document := store.for_student(student_id).get(collection, id))
        for field, text in document["sealed"].items()
    )
    of_lti_keys = (
        _seal_state(vault, document["sealed"], **lti_key_place(document["id"]))
        for document in store.shared.find(_LTI_KEYS, _SIGNS)
    )
    return Counter(chain(of_students, of_lti_keys))


class SealCheck:
    """Check whether this process's vault keys are those that the stored credentials were sealed with."""

    def __init__(self, store: Store, vault: Vault) -> None:
        self._store, self._vault = store, vault
        self._is_wrong = False

    def run(self) -> bool:
        """Try a sample of the seals; whether most of them open. One that is damaged by itself proves nothing.

        Raises `StorageError`; then what was found last still counts.
        """
        seals = Counter(
            _seal_state(self._vault, text, student_id=student_id, integration=_integration(document), field=field)
            for student_id, id in self._store.owners("connections", {}, limit=SAMPLE)
            if (document := self._store.for_student(student_id).get("connections", id))
            for field, text in document["sealed"].items()
        )
        is_wrong = seals[SealState.BROKEN] * 2 > seals.total()
        if is_wrong and not self._is_wrong:
            log.error("vault_keys_do_not_open broken=%s of=%s %s", seals[SealState.BROKEN], seals.total(), REMEDY)
        self._is_wrong = is_wrong
        return not is_wrong

    def require(self) -> None:
        """Raise `SettingsError` when the last check found other keys; asks no store."""
        if self._is_wrong:
            raise SettingsError(SETTING, "does not open the sign-ins that students saved.", next_step=REMEDY)


def rewrap_seals(store: Store, vault: Vault) -> Counter[SealState]:
    """Seal everything anew that an older key sealed; what does not open is counted and left as it is.

    May be stopped and started again at any point, and run beside the app and beside itself.
    """
    of_students = (
        seal
        for collection, student_id, id in _places(store)
        for seal in _rewrap(store, vault, collection, student_id, id)
    )
    of_lti_keys = (
        seal
        for document in store.shared.find(_LTI_KEYS, _SIGNS)
        for seal in _rewrap_lti_key(store, vault, document["id"])
    )
    return Counter(chain(of_students, of_lti_keys))


def _places(store: Store) -> Iterator[tuple[str, str, str]]:
    """(collection, student id, document id) of every document of a student with sealed fields."""
    return ((name, student_id, id) for name in _OF_STUDENTS for student_id, id in store.owners(name, {}))


def _rewrap(store: Store, vault: Vault, collection: str, student_id: str, id: str) -> list[SealState]:
    documents = store.for_student(student_id)
    while document := documents.get(collection, id):
        sealed, integration = document["sealed"], _integration(document)
        found = {
            field: _seal_state(vault, text, student_id=student_id, integration=integration, field=field)
            for field, text in sealed.items()
        }
        renewed = {
            field: vault.rewrap(text, student_id=student_id, integration=integration, field=field)
            for field, text in sealed.items()
            if found[field] is SealState.OLDER
        }
        # The version stays: the credential is the same, and a refresh under way must not lose its race against us.
        # Every old envelope must still be there, so that a newer credential is never overwritten by an older one.
        if not renewed or documents.compare_and_set(
            collection, id, _unchanged(document), {"sealed": {**sealed, **renewed}}
        ):
            return [SealState.RESEALED if field in renewed else seal for field, seal in found.items()]
    return []


def _rewrap_lti_key(store: Store, vault: Vault, id: str) -> list[SealState]:
    place = lti_key_place(id)
    while document := store.shared.get(_LTI_KEYS, id):
        sealed = document["sealed"]
        state = _seal_state(vault, sealed, **place)
        if state is not SealState.OLDER:
            return [state]
        renewed = vault.rewrap(sealed, **place)
        if store.shared.compare_and_set(_LTI_KEYS, id, {"sealed": sealed}, {"sealed": renewed}):
            return [SealState.RESEALED]
    return []


def _seal_state(vault: Vault, text: str, *, student_id: str, integration: str, field: str) -> SealState:
    try:
        vault.open(text, student_id=student_id, integration=integration, field=field)
    except SealBroken:
        return SealState.BROKEN
    return SealState.OLDER if vault.needs_rewrap(text) else SealState.NEWEST


def _unchanged(document: Document) -> Mapping[str, object]:
    envelopes = {f"sealed.{field}": text for field, text in document["sealed"].items()}
    return {"version": document.get("version"), **envelopes}


def _integration(document: Document) -> str:
    """A connection's id is its integration; a revocation names it."""
    return str(document.get("integration", document["id"]))


def advance_rotation(store: Store, keys: Sequence[str], *, file: Path | None = None) -> tuple[str, bool]:
    """Take the next step of a rotation: what to do after it, for a person, and whether all opens; raises
    `SettingsError` for a bad key.

    keys: as HOMEROOM_VAULT_KEYS has them. file: where a demo keeps them instead. Which of them is new is not known: a
    key that seals nothing may be about to come first or about to go, and is never dropped by itself. May be repeated,
    also beside the running app.
    """
    ring = KeyRing.parse(keys)
    newest, *others = ring.versions
    vault = Vault(ring)
    seals = verify_seals(store, vault)
    if seals[SealState.OLDER]:
        seals = rewrap_seals(store, vault)
    counted = _summary(seals, newest)
    if seals[SealState.BROKEN]:
        step = "Bring the key back that sealed them, and run this again. Nothing was deleted."
        return f"{counted} {seals[SealState.BROKEN]} do not open.\n{step}", False
    if not others:
        return f"{counted}\n{_first_step(newest, file)}", True
    named = ", ".join(others)
    if seals[SealState.RESEALED]:
        return f"{counted}\nNow take {named} out of {_where_keys_are_set(file)}.", True
    is_new = f"put it first in {_where_keys_are_set(file)}, then run this again."
    is_old = f"take it out of {_where_keys_are_set(file)}; nothing needs it any more."
    return f"{counted}\nIf {named} is the new one: {is_new}\nIf it is the old one: {is_old}", True


def _where_keys_are_set(file: Path | None) -> str:
    return f"{file} and restart Homeroom" if file else f"{SETTING} on every replica and restart them"


def _summary(seals: Counter[SealState], newest: str) -> str:
    if not seals.total():
        return "Nothing is sealed yet."
    ours = seals[SealState.NEWEST] + seals[SealState.RESEALED]
    return f"{ours} of {seals.total()} sealed with {newest}, {seals[SealState.RESEALED]} of these just now."


def _first_step(newest: str, file: Path | None) -> str:
    key = new_vault_key(f"k{secrets.token_hex(3)}")
    return f"A new key to write after {newest} in {_where_keys_are_set(file)}, before you run this again:\n{key}"
