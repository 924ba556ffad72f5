"""Giving the vault a new key, step by step: what can be done now is done, and what whoever runs Homeroom does next."""

import secrets
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from services.connections.rewrap import Seal, rewrap_all, verify_all
from services.connections.vault import KeyRing, Vault
from services.settings import new_vault_key
from services.storage.store import Store

SETTING = "HOMEROOM_VAULT_KEYS"


def advance(store: Store, keys: Sequence[str], *, file: Path | None = None) -> tuple[str, bool]:
    """What to do next, for a person, and whether every credential opens; raises `SettingsError` for a bad key.

    keys: as HOMEROOM_VAULT_KEYS has them. file: where a demo keeps them instead. Which of them is new is not known: a
    key that seals nothing may be about to come first or about to go, and is never dropped by itself. May be repeated,
    also beside the running app.
    """
    ring = KeyRing.parse(keys)
    newest, *others = ring.versions
    vault = Vault(ring)
    seals = verify_all(store, vault)
    if seals[Seal.OLDER]:
        seals = rewrap_all(store, vault)
    counted = _counted(seals, newest)
    if seals[Seal.BROKEN]:
        step = "Bring the key back that sealed them, and run this again. Nothing was deleted."
        return f"{counted} {seals[Seal.BROKEN]} do not open.\n{step}", False
    if not others:
        return f"{counted}\n{_begun(newest, file)}", True
    named = ", ".join(others)
    if seals[Seal.RESEALED]:
        return f"{counted}\nNow take {named} out of {_everywhere(file)}.", True
    is_new = f"put it first in {_everywhere(file)}, then run this again."
    is_old = f"take it out of {_everywhere(file)}; nothing needs it any more."
    return f"{counted}\nIf {named} is the new one: {is_new}\nIf it is the old one: {is_old}", True


def _everywhere(file: Path | None) -> str:
    return f"{file} and restart Homeroom" if file else f"{SETTING} on every replica and restart them"


def _counted(seals: Counter[Seal], newest: str) -> str:
    if not seals.total():
        return "Nothing is sealed yet."
    ours = seals[Seal.NEWEST] + seals[Seal.RESEALED]
    return f"{ours} of {seals.total()} sealed with {newest}, {seals[Seal.RESEALED]} of these just now."


def _begun(newest: str, file: Path | None) -> str:
    key = new_vault_key(f"k{secrets.token_hex(3)}")
    return f"A new key to write after {newest} in {_everywhere(file)}, before you run this again:\n{key}"
