"""Every sealed credential at once, for the operator: seal it anew under the newest key, or only try that it opens."""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum

from services.connections.vault import Vault
from services.errors import SealBroken
from services.storage.documents import Document
from services.storage.store import Store

_COLLECTIONS = ("connections", "revocations")


class Seal(StrEnum):
    """How one sealed field was found, or left."""

    NEWEST = "newest"
    OLDER = "older"
    RESEALED = "resealed"
    BROKEN = "broken"


def verify_all(store: Store, vault: Vault) -> Counter[Seal]:
    """Try every sealed field and change nothing."""
    return Counter(
        _found(vault, text, student_id=student_id, integration=_integration(document), field=field)
        for collection, student_id, id in _places(store)
        if (document := store.of(student_id).get(collection, id))
        for field, text in document["sealed"].items()
    )


def rewrap_all(store: Store, vault: Vault) -> Counter[Seal]:
    """Seal everything anew that an older key sealed; what does not open is counted and left as it is.

    May be stopped and started again at any point, and run beside the app and beside itself.
    """
    return Counter(
        seal
        for collection, student_id, id in _places(store)
        for seal in _rewrap(store, vault, collection, student_id, id)
    )


def _places(store: Store) -> Iterator[tuple[str, str, str]]:
    """(collection, student id, document id) of every document with sealed fields."""
    return ((name, student_id, id) for name in _COLLECTIONS for student_id, id in store.owners(name, {}))


def _rewrap(store: Store, vault: Vault, collection: str, student_id: str, id: str) -> list[Seal]:
    documents = store.of(student_id)
    while document := documents.get(collection, id):
        sealed, integration = document["sealed"], _integration(document)
        found = {
            field: _found(vault, text, student_id=student_id, integration=integration, field=field)
            for field, text in sealed.items()
        }
        renewed = {
            field: vault.rewrap(text, student_id=student_id, integration=integration, field=field)
            for field, text in sealed.items()
            if found[field] is Seal.OLDER
        }
        # The version stays: the credential is the same, and a refresh under way must not lose its race against us.
        # Every old envelope must still be there, so that a newer credential is never overwritten by an older one.
        if not renewed or documents.swap(collection, id, _unchanged(document), {"sealed": {**sealed, **renewed}}):
            return [Seal.RESEALED if field in renewed else seal for field, seal in found.items()]
    return []


def _found(vault: Vault, text: str, *, student_id: str, integration: str, field: str) -> Seal:
    try:
        vault.open(text, student_id=student_id, integration=integration, field=field)
    except SealBroken:
        return Seal.BROKEN
    return Seal.OLDER if vault.needs_rewrap(text) else Seal.NEWEST


def _unchanged(document: Document) -> Mapping[str, object]:
    envelopes = {f"sealed.{field}": text for field, text in document["sealed"].items()}
    return {"version": document.get("version"), **envelopes}


def _integration(document: Document) -> str:
    """A connection's id is its integration; a revocation names it."""
    return str(document.get("integration", document["id"]))
