"""`SqliteDocuments`: the documents of one machine, as JSON in one SQLite file.

Field names come from `conditions.checked_field`, so they are safe inside SQL; every value is bound. SQLite compares
true with 1 and a list with its own text, so each comparison also names the JSON type.
"""

# ruff: noqa: S608 - names come from declared collections and checked fields; every value is bound.
import json
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from services.errors import WriteConflict
from services.runtime.clock import Clock, stamp, utc_now
from services.storage.conditions import Condition, checked_changes, checked_field, conditions, to_json
from services.storage.documents import Collection, Document, Operation, Order, Where, Write
from services.storage.group_commit import Work
from services.storage.sqlite_pool import SqlitePool

Fragment = tuple[str, list[Any]]
"""A piece of SQL and the values it binds."""

BUSY_TIMEOUT_S = 2.5
"""How long a call waits for another writer, before it is "database is locked"."""
_SYMBOLS = {"$eq": "=", "$lt": "<", "$lte": "<=", "$gt": ">", "$gte": ">="}
_OPPOSITES = {"$ne": "$eq", "$nin": "$in"}


class SqliteDocuments:
    """Engine with one table for each collection, and expression indexes as declared, so that queries do not scan.

    A write is on the disk (WAL, synchronous=FULL) when its call returns. Any number of threads and processes may
    share the file. `busy_timeout_s` bounds how long a call waits for other writers.
    """

    def __init__(self, path: Path, *, clock: Clock = utc_now, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self._pool = SqlitePool(path, busy_timeout_s=busy_timeout_s)
        self._clock = clock
        self._collections: dict[str, Collection] = {}
        self._single: dict[str, frozenset[str]] = {}

    def ensure_collections(self, collections: Sequence[Collection]) -> None:
        self._pool.write(lambda connection: _make_all(connection, collections))
        for collection in collections:
            self._collections[collection.name] = collection
            self._single[collection.name] = frozenset(
                field for fields, _ in collection.index_fields() for field in fields
            )

    def insert(self, collection: str, document: Document) -> None:
        self._pool.write(self._inserting(collection, document))

    def write_all(self, writes: Sequence[Write]) -> None:
        works = [(write, self._work_of(write)) for write in writes]

        def write_together(connection: sqlite3.Connection) -> None:
            for write, work in works:
                if work(connection) is None and write.operation == "compare_and_set":
                    raise WriteConflict(write.collection)

        self._pool.write(write_together)

    def get(self, collection: str, id: str) -> Document | None:
        found = self.find(collection, {"id": id}, limit=1)
        return found[0] if found else None

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        condition, values = self._matching(collection, where)
        tail, more = ordering(order, limit, skip)
        with self._pool.reading() as connection:
            rows = connection.execute(f'SELECT body FROM "{collection}" WHERE {condition}{tail}', values + more)
            return [json.loads(body) for (body,) in rows.fetchall()]

    def count(self, collection: str, where: Where) -> int:
        condition, values = self._matching(collection, where)
        with self._pool.reading() as connection:
            (number,) = connection.execute(f'SELECT count(*) FROM "{collection}" WHERE {condition}', values).fetchone()
        return int(number)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        return self._pool.write(self._exchanging(collection, id, expected, changes))

    def put(self, collection: str, document: Document) -> None:
        self._pool.write(self._putting(collection, document))

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        self._pool.write(self._counting(collection, id, amounts, defaults))

    def delete(self, collection: str, where: Where) -> int:
        return self._pool.write(self._deleting(collection, where))

    def verify(self) -> None:
        self._pool.verify()

    def ping(self) -> None:
        self._pool.require_sound()
        self._pool.write(lambda connection: connection.execute("INSERT OR REPLACE INTO _pings (id) VALUES (1)"))

    def purge_deleted(self) -> None:
        self._pool.truncate_log()

    def close(self) -> None:
        self._pool.close()

    def _work_of(self, write: Write) -> Work[Any]:
        prepare: dict[Operation, Callable[..., Work[Any]]] = {
            "insert": self._inserting,
            "compare_and_set": self._exchanging,
            "put": self._putting,
            "increment": self._counting,
            "delete": self._deleting,
        }
        return prepare[write.operation](write.collection, **write.arguments)

    def _inserting(self, collection: str, document: Document) -> Work[None]:
        declared = self._collection(collection)
        body = to_json(document, declared)

        def add(connection: sqlite3.Connection) -> None:
            self._sweep(connection, declared)
            _add(connection, collection, document["id"], body)

        return add

    def _exchanging(
        self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]
    ) -> Work[Document | None]:
        declared = self._collection(collection)
        condition, values = self._matching(collection, expected)
        select = f'SELECT body FROM "{collection}" WHERE id = ? AND {condition}'

        def exchange(connection: sqlite3.Connection) -> Document | None:
            self._sweep(connection, declared)
            row = connection.execute(select, [id, *values]).fetchone()
            if row is None:
                return None
            body = to_json({**json.loads(row[0]), **checked_changes(changes, declared)}, declared)
            _replace(connection, collection, id, body)
            return _read(body)

        return exchange

    def _putting(self, collection: str, document: Document) -> Work[None]:
        declared = self._collection(collection)
        body = to_json(document, declared)

        def lay_down(connection: sqlite3.Connection) -> None:
            self._sweep(connection, declared)
            if not _replace(connection, collection, document["id"], body):
                _add(connection, collection, document["id"], body)

        return lay_down

    def _counting(self, collection: str, id: str, amounts: Mapping[str, float], defaults: Document) -> Work[None]:
        declared = self._collection(collection)

        def count(connection: sqlite3.Connection) -> None:
            self._sweep(connection, declared)
            row = connection.execute(f'SELECT body FROM "{collection}" WHERE id = ?', [id]).fetchone()
            document = {**defaults, "id": id} if row is None else json.loads(row[0])
            added = {
                name: document.get(name, 0) + amount for name, amount in checked_changes(amounts, declared).items()
            }
            body = to_json({**document, **added}, declared)
            if row is None:
                _add(connection, collection, id, body)
            else:
                _replace(connection, collection, id, body)

        return count

    def _deleting(self, collection: str, where: Where) -> Work[int]:
        condition, values = self._matching(collection, where)
        sql = f'DELETE FROM "{collection}" WHERE {condition}'
        return lambda connection: connection.execute(sql, values).rowcount

    def _collection(self, name: str) -> Collection:
        if name not in self._collections:
            raise ValueError(f"There is no collection named {name}.")
        return self._collections[name]

    def _matching(self, name: str, where: Where) -> Fragment:
        """The condition of a query; what has expired never matches."""
        expires = self._collection(name).expires
        sql, values = matching(conditions(where), single=self._single[name])
        if expires is None:
            return sql, values
        return f"{sql} AND ({column(expires)} <= ?) IS NOT TRUE", [*values, stamp(self._clock())]

    def _sweep(self, connection: sqlite3.Connection, collection: Collection) -> None:
        """Make room: what has expired counts as gone, so its id and unique values are free."""
        if collection.expires:
            over = Condition(field=collection.expires, operator="$lte", value=stamp(self._clock()))
            condition, values = matching([over], single=(collection.expires,))
            connection.execute(f'DELETE FROM "{collection.name}" WHERE {condition}', values)


def _make_all(connection: sqlite3.Connection, collections: Sequence[Collection]) -> None:
    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for name, sql in [("_pings", "CREATE TABLE _pings (id INTEGER PRIMARY KEY)"), *_schema(collections)]:
        if name not in present:
            connection.execute(sql)
    for collection in collections:
        for fields in collection.retired_fields():
            connection.execute(f'DROP INDEX IF EXISTS "{_index_name(collection, fields)}"')


def _schema(collections: Iterable[Collection]) -> Iterator[tuple[str, str]]:
    """Each table and index by its name, with the SQL that makes it."""
    for collection in collections:
        name = collection.name
        yield name, f'CREATE TABLE "{name}" (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL)'
        for fields, is_unique in collection.index_fields():
            index = f"{_index_name(collection, fields)}{'__unique' if is_unique else ''}"
            columns = ", ".join(column(field) for field in fields)
            yield index, f'CREATE {"UNIQUE " if is_unique else ""}INDEX "{index}" ON "{name}" ({columns})'


def _index_name(collection: Collection, fields: Sequence[str]) -> str:
    return f"{collection.name}__{'__'.join(fields)}"


def _add(connection: sqlite3.Connection, collection: str, id: str, body: str) -> None:
    connection.execute(f'INSERT INTO "{collection}" (id, body) VALUES (?, ?)', [id, body])


def _replace(connection: sqlite3.Connection, collection: str, id: str, body: str) -> bool:
    return connection.execute(f'UPDATE "{collection}" SET body = ? WHERE id = ?', [body, id]).rowcount == 1


def _read(body: str) -> Document:
    document: Document = json.loads(body)
    return document


def column(field: str) -> str:
    """The expression of a field; the same text in indexes and queries, or SQLite would not use the index."""
    return "id" if field == "id" else f"json_extract(body, '{_path(field)}')"


def matching(comparisons: Iterable[Condition], *, single: Container[str]) -> Fragment:
    """A condition that all comparisons hold. `single` names the fields that never hold a list."""
    parts = [_compared(comparison, single=single) for comparison in comparisons]
    return " AND ".join(sql for sql, _ in parts) or "1", [value for _, values in parts for value in values]


def ordering(order: Order, limit: int | None, skip: int = 0) -> Fragment:
    terms = ", ".join(f"{column(checked_field(field))} {'DESC' if way < 0 else 'ASC'}" for field, way in order)
    by = f" ORDER BY {terms}" if terms else ""
    if skip:
        return f"{by} LIMIT ? OFFSET ?", [-1 if limit is None else limit, skip]
    return (by, []) if limit is None else (f"{by} LIMIT ?", [limit])


def _compared(condition: Condition, *, single: Container[str]) -> Fragment:
    field, operator, value = condition.field, condition.operator, condition.value
    if operator in _OPPOSITES:
        sql, values = _compared(Condition(field=field, operator=_OPPOSITES[operator], value=value), single=single)
        return f"({sql}) IS NOT TRUE", values
    wanted = value if operator == "$in" else (value,)
    symbol = _SYMBOLS.get(operator, "=")
    if field == "id":
        texts = [text for text in wanted if isinstance(text, str)]
        return _any_of([_scalar("id", "'text'", kind, symbol, texts) for kind in ["text"] if texts])
    kinds = _by_kind(wanted)
    whole, kind_of = column(field), f"json_type(body, '{_path(field)}')"
    alternatives = [_scalar(whole, kind_of, kind, symbol, values) for kind, values in kinds]
    if field not in single:
        members = _any_of([_scalar("value", "type", kind, symbol, values) for kind, values in kinds])
        inside = f"SELECT 1 FROM json_each(body, '{_path(field)}') WHERE {members[0]}"
        alternatives.append((f"({kind_of} = 'array' AND EXISTS ({inside}))", members[1]))
    return _any_of(alternatives)


def _scalar(value: str, kind_of: str, kind: str, symbol: str, wanted: Sequence[Any]) -> Fragment:
    """A single value, found under the SQL `value` with its JSON type under `kind_of`, compared with what is wanted."""
    if kind == "null":
        return f"{value} IS NULL", []
    types = {"text": "= 'text'", "number": "IN ('integer', 'real')", "true": "= 'true'", "false": "= 'false'"}[kind]
    if len(wanted) == 1:
        return f"({value} {symbol} ? AND {kind_of} {types})", list(wanted)
    return f"({value} IN ({', '.join('?' * len(wanted))}) AND {kind_of} {types})", list(wanted)


def _by_kind(values: Iterable[Any]) -> list[tuple[str, list[Any]]]:
    kinds: dict[str, list[Any]] = {}
    for value in values:
        kinds.setdefault(_kind(value), []).append(value)
    return list(kinds.items())


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "text" if isinstance(value, str) else "number"


def _any_of(alternatives: Sequence[Fragment]) -> Fragment:
    if not alternatives:
        return "0", []
    return f"({' OR '.join(sql for sql, _ in alternatives)})", [v for _, values in alternatives for v in values]


def _path(field: str) -> str:
    return "$" + "".join(f'."{name}"' for name in field.split("."))
