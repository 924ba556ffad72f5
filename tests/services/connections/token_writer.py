"""A program that saves new tokens and rewraps them all the while, until it is killed.

python -m tests.services.connections.token_writer ADDRESS KEY KEY; it says which save was acknowledged.
"""

import itertools
import sys
import threading

from services.connections.key_rotation import rewrap_seals
from services.connections.vault import KeyRing, Vault
from services.storage.store import Store
from tests.services.storage.writer import open_address, say

STUDENTS = ("maya", "diego")
FIELDS = ("access_token", "refresh_token")


def seal_pair(vault: Vault, student_id: str, n: int) -> dict[str, str]:
    """Both tokens of save number n."""
    return {f: vault.seal(f"{f} {n}", student_id=student_id, integration="canvas", field=f) for f in FIELDS}


def open_pair(vault: Vault, store: Store, student_id: str) -> list[int]:
    """The number of the save that each stored token is from."""
    document = store.for_student(student_id).get("connections", "canvas")
    assert document is not None
    texts = [vault.open(document["sealed"][f], student_id=student_id, integration="canvas", field=f) for f in FIELDS]
    return [int(text.split()[1]) for text in texts]


def save_for_ever(store: Store, vault: Vault, student_id: str) -> None:
    mine = store.for_student(student_id)
    first = open_pair(vault, store, student_id)[0] + 1 if mine.get("connections", "canvas") else 1
    for n in itertools.count(first):
        sealed = seal_pair(vault, student_id, n)
        if not mine.compare_and_set("connections", "canvas", {}, {"sealed": sealed, "version": n}):
            mine.put("connections", {"id": "canvas", "sealed": sealed, "version": n})
        say(f"{student_id} {n}")


def rewrap_for_ever(store: Store, vaults: list[Vault]) -> None:
    """Under one key, then under the other, so that there is always something to do."""
    for vault in itertools.cycle(vaults):
        rewrap_seals(store, vault)
        say("rewrapped -")


if __name__ == "__main__":
    address, *keys = sys.argv[1:]
    vaults = [Vault(KeyRing.parse(keys)), Vault(KeyRing.parse(keys[::-1]))]
    store = Store(open_address(address))
    for student in STUDENTS:
        threading.Thread(target=save_for_ever, args=(store, vaults[0], student)).start()
    threading.Thread(target=rewrap_for_ever, args=(store, vaults)).start()
