"""A program that writes until it is killed, and says on its standard output what was acknowledged.

python -m tests.services.storage.writer ADDRESS NAME
"""

import itertools
import os
import sys
import threading
from pathlib import Path

from services.errors import DuplicateDocument, StorageUnavailable
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.services.storage.shelf import COLLECTIONS

THREADS = 3
FILLING = "x" * 3000


def open_address(address: str) -> Documents:
    engine = MongoDocuments(address) if address.startswith("mongodb://") else SqliteDocuments(Path(address))
    engine.ensure_collections(COLLECTIONS)
    return engine


def write(engine: Documents, name: str) -> None:
    """One document after the other; each thread also counts, and turns a document of its own over."""
    engine.put("notes", {"id": f"turning-{name}", "turn": 0, "text": FILLING})
    for n in itertools.count(1):
        try:
            engine.insert("notes", {"id": f"{name}-{n}", "n": n, "text": FILLING})
            say(f"insert {name}-{n}")
            engine.increment("notes", "counter", {"count": 1}, defaults={"count": 0})
            say("count 1")
            if engine.compare_and_set(
                "notes", f"turning-{name}", {"turn": {"$lt": n}}, {"turn": n, "text": FILLING + str(n)}
            ):
                say(f"turn {name} {n}")
        except (StorageUnavailable, DuplicateDocument):
            # Duplicate: the driver repeated our own insert after a crash, and this test server, unlike MongoDB, forgets
            # in a crash which writes it had seen (config.transactions). Either way nothing was acknowledged.
            say("refused -")


def say(line: str) -> None:
    # One write to the pipe, so that lines of several threads never mix and a kill never halves one.
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


if __name__ == "__main__":
    shared = open_address(sys.argv[1])
    for thread in range(THREADS):
        threading.Thread(target=write, args=(shared, f"{sys.argv[2]}.{thread}")).start()
