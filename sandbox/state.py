"""The campus's memory: JSON values in one SQLite file, committed before any answer is sent."""

import json
import logging
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TABLE = """
CREATE TABLE IF NOT EXISTS facts (
    position INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
    UNIQUE (kind, id)
)
"""
log = logging.getLogger(__name__)


class State:
    """Values by (kind, id), kind being a namespaced string such as "google.events"; safe to share between threads."""

    def __init__(self, database: Path) -> None:
        """A damaged file is set aside, told in the log, and begun anew: the campus can be made again at any time."""
        self._lock = threading.RLock()
        self._depth = 0
        database.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._connection = _opened(database)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise
            aside = _set_aside(database)
            log.warning("The campus's data were damaged. They are kept as %s, and the campus begins anew.", aside)
            self._connection = _opened(database)

    def get(self, kind: str, id: str | int) -> Any | None:
        """The value, or None."""
        rows = self._run("SELECT value FROM facts WHERE kind = ? AND id = ?", (kind, str(id)))
        return json.loads(rows[0][0]) if rows else None

    def put(self, kind: str, id: str | int, value: Any) -> None:
        """Write the value, new or over the old one; an overwritten value keeps its place in the order of `all`."""
        self._run(
            "INSERT INTO facts (kind, id, value) VALUES (?, ?, ?) "
            "ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value",
            (kind, str(id), json.dumps(value)),
        )

    def change(self, kind: str, id: str | int, **fields: Any) -> None:
        """Set top-level fields of a value, without reading the whole of it; nothing where there is none."""
        places = "".join(f", '$.{field}', json(?)" for field in fields)
        written = [json.dumps(value) for value in fields.values()]
        sql = f"UPDATE facts SET value = json_set(value{places}) WHERE kind = ? AND id = ?"
        self._run(sql, (*written, kind, str(id)))

    def change_written(self, kind: str, id: str | int, field: str, written: str) -> None:
        """Set a field of a value to what is JSON already; raises `ValueError` when it is not."""
        if not self._run("SELECT json_valid(?)", (written,))[0][0]:
            raise ValueError("This is not JSON.")
        sql = f"UPDATE facts SET value = json_set(value, '$.{field}', json(?)) WHERE kind = ? AND id = ?"
        self._run(sql, (written, kind, str(id)))

    def insert(self, kind: str, id: str | int, value: Any) -> bool:
        """Write the value only if the id is free; False when it is taken."""
        sql = "INSERT INTO facts (kind, id, value) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO NOTHING RETURNING 1"
        return bool(self._run(sql, (kind, str(id), json.dumps(value))))

    def all(self, kind: str, **equal_fields: Any) -> list[Any]:
        """Every value of a kind in order of insertion; `equal_fields` compare top-level fields of the value."""
        conditions = "".join(f" AND json_extract(value, '$.{field}') IS ?" for field in equal_fields)
        sql = f"SELECT value FROM facts WHERE kind = ?{conditions} ORDER BY position"
        return [json.loads(value) for (value,) in self._run(sql, (kind, *equal_fields.values()))]

    def delete(self, kind: str, id: str | int) -> bool:
        """Remove the value; False when there was none."""
        return bool(self._run("DELETE FROM facts WHERE kind = ? AND id = ? RETURNING 1", (kind, str(id))))

    def delete_all(self, kind: str) -> None:
        """Remove every value of a kind."""
        self._run("DELETE FROM facts WHERE kind = ?", (kind,))

    def erase(self, *, keep: tuple[str, ...] = ()) -> None:
        """Remove everything except the kinds to keep."""
        marks = ",".join("?" * len(keep))
        self._run(f"DELETE FROM facts WHERE kind NOT IN ({marks})", keep)

    def remember(self) -> None:
        """Keep a copy of everything, for `restore`, as long as this process lives."""
        self._run("DROP TABLE IF EXISTS temp.remembered", ())
        self._run("CREATE TEMP TABLE remembered AS SELECT kind, id, value FROM facts ORDER BY position", ())

    def restore(self, *, keep: tuple[str, ...] = ()) -> None:
        """Make everything as it was remembered, except the kinds to keep."""
        marks = ",".join("?" * len(keep))
        copy = f"SELECT kind, id, value FROM temp.remembered WHERE kind NOT IN ({marks}) ORDER BY rowid"
        with self.transaction():
            self.erase(keep=keep)
            self._run(f"INSERT INTO facts (kind, id, value) {copy}", keep)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make several verbs one commit, or none of them when the block raises; nested blocks join the outer one."""
        with self._lock:
            if self._depth == 0:
                self._connection.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._leave("ROLLBACK")
                raise
            self._leave("COMMIT")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _leave(self, verb: str) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._connection.execute(verb)

    def _run(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()


def _opened(database: Path) -> sqlite3.Connection:
    """A connection to the file, which only its owner reads; SQLite's own files beside it take their mode from it."""
    os.close(os.open(database, os.O_RDWR | os.O_CREAT, 0o600))
    database.chmod(0o600)
    connection = sqlite3.connect(database, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # NORMAL survives a killed process (the kernel has the pages); only a power cut could lose the last commits.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(TABLE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _set_aside(database: Path) -> Path:
    """Rename the file, and drop what SQLite kept beside it: a log of a damaged file would damage the next one."""
    aside = database.with_name(f"{database.name}.damaged-{secrets.token_hex(3)}")
    database.rename(aside)
    for end in ("-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)
    return aside
