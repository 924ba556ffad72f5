"""What the tests of backups have in common: the deployment's secrets, and how its store is looked at."""

from contextlib import closing
from pathlib import Path

from services.settings import new_vault_key
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store

KEY = new_vault_key("old")
SECRET = "c" * 40
FILLING = "x" * 2000


def opened(database: Path) -> Store:
    return Store(SqliteDocuments(database))


def tasks(database: Path) -> int:
    with closing(opened(database)) as store:
        return len(store.owners("tasks", {}))
