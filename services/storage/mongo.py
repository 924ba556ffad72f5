"""`MongoDocuments`: the documents of a deployment with several replicas, as BSON in MongoDB."""

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

import pymongo
from bson.int64 import Int64
from pymongo import DeleteOne, IndexModel, InsertOne, ReplaceOne, ReturnDocument, UpdateOne
from pymongo.collection import Collection as MongoCollection
from pymongo.errors import DocumentTooLarge, DuplicateKeyError, OperationFailure, PyMongoError

from services.errors import WriteConflict
from services.runtime.clock import Clock, moment, stamp, utc_now
from services.storage.conditions import checked_changes, checked_field, conditions, to_json
from services.storage.documents import Collection, Document, Order, Where, Write, write_in_order
from services.storage.mongo_bulk import PlannedWrite, bulks, comparison, send_bulk, takes_bulks_across
from services.storage.mongo_client import (
    CALL_S,
    MongoFields,
    is_out_of_reach,
    is_sign_in_refused,
    is_taken_id,
    open_client,
    out_of_reach,
    sign_in_refused,
    typed,
)

_log = logging.getLogger(__name__)
Result = TypeVar("Result")

_INDEX_BUILD_S = 60.0
_REFUSAL_S = 10.0
_QUIET_S = 1.0
"""After a call that waited in vain: a page asks the store ten times, and must not wait ten times."""
_SWEEP_AFTER = timedelta(days=1)
"""MongoDB deletes expired documents after so long; queries hide them at once, by the clock they are given."""

TTL_FIELD = "_expires"
"""The expiry once more as a BSON date, which is what MongoDB's own sweeper understands."""
_LARGE = "%int"
_ESCAPES = (("%", "%25"), (".", "%2E"), ("$", "%24"), ("\0", "%00"))


class MongoDocuments:
    """Engine with one MongoDB collection for each of ours. A write is acknowledged by a majority, in its journal.

    Nothing is sent before the first call, so that Homeroom starts while the database is down; indexes are made by the
    first call that reaches it. Every call answers or fails within three seconds. While the server cannot be reached,
    one call at a time finds out whether it is back, and all others fail at once. The database is the one that the
    address names, else "homeroom". quiet_s: how long all calls fail at once after one that waited in vain.
    """

    def __init__(self, uri: str, *, clock: Clock = utc_now, quiet_s: float = _QUIET_S) -> None:
        """Raises `SettingsError` for an address that cannot be read."""
        self._client = open_client(uri)
        self._database = self._client.get_default_database("homeroom")
        self._clock = clock
        self._collections: dict[str, Collection] = {}
        self._is_ready = False
        self._refused_until = 0.0
        self._quiet_s = quiet_s
        self._away_until = 0.0
        self._looking = threading.Lock()

    def ensure_collections(self, collections: Sequence[Collection]) -> None:
        self._collections.update({collection.name: collection for collection in collections})
        self._is_ready = False

    def insert(self, collection: str, document: Document) -> None:
        packed = self._packed(collection, document)
        with self._reached(collection) as mongo_collection:
            self._making_room(collection, lambda: mongo_collection.insert_one(packed))

    def write_all(self, writes: Sequence[Write]) -> None:
        """As few commands as the order allows, mostly one."""
        planned = [self._planned(write) for write in writes]
        if not self._is_ready:
            self._prepare()
        is_across = takes_bulks_across(self._client)
        for bulk in bulks(planned, is_across=is_across):
            self._write_bulk(bulk, is_across=is_across)

    def get(self, collection: str, id: str) -> Document | None:
        wanted = self._filter(collection, {"id": id})
        with self._reached(collection) as mongo_collection:
            found = mongo_collection.find_one(wanted)
        return None if found is None else unpack(found)

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        wanted = self._filter(collection, where)
        sort = [(_name(checked_field(field)), -1 if way < 0 else 1) for field, way in order]
        if limit == 0:
            return []
        with self._reached(collection) as mongo_collection:
            cursor = mongo_collection.find(wanted, sort=sort or None, skip=skip, limit=limit or 0)
            return [unpack(found) for found in cursor]

    def count(self, collection: str, where: Where) -> int:
        wanted = self._filter(collection, where)
        with self._reached(collection) as mongo_collection:
            return mongo_collection.count_documents(wanted)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        wanted, update = self._compared(collection, id, expected, changes)
        with self._reached(collection) as mongo_collection:
            found = self._making_room(
                collection,
                lambda: mongo_collection.find_one_and_update(wanted, update, return_document=ReturnDocument.AFTER),
            )
        return None if found is None else unpack(found)

    def put(self, collection: str, document: Document) -> None:
        packed = self._packed(collection, document)
        with self._reached(collection) as mongo_collection:
            self._making_room(
                collection,
                lambda: mongo_collection.replace_one({"_id": packed["_id"]}, packed, upsert=True),
                replaces=True,
            )

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        alive, update = self._counted(collection, id, amounts, defaults)

        def count() -> None:
            if "$setOnInsert" in update:
                mongo_collection.update_one(alive, update, upsert=True)
            elif not mongo_collection.update_one(alive, update).matched_count:
                mongo_collection.insert_one(self._packed(collection, _first_count(id, amounts, defaults)))

        with self._reached(collection) as mongo_collection:
            self._making_room(collection, count, replaces=True)

    def delete(self, collection: str, where: Where) -> int:
        wanted = self._filter(collection, where)
        with self._reached(collection) as mongo_collection:
            return mongo_collection.delete_many(wanted).deleted_count

    def verify(self) -> None:
        """The server checks its own files."""

    def ping(self) -> None:
        with self._calling():
            self._database["_pings"].replace_one({"_id": "ping"}, {"_id": "ping"}, upsert=True)

    def purge_deleted(self) -> None:
        """The server looks after its own journal."""

    def close(self) -> None:
        self._client.close()

    def _declared(self, name: str) -> Collection:
        if name not in self._collections:
            raise ValueError(f"There is no collection named {name}.")
        return self._collections[name]

    def _packed(self, collection: str, document: Document) -> MongoFields:
        declared = self._declared(collection)
        return pack(json.loads(to_json(document, declared)), declared)

    def _filter(self, collection: str, where: Where) -> MongoFields:
        """The query document: every comparison under an operator of its own; what has expired never matches."""
        expires = self._declared(collection).expires
        parts = [{_name(c.field): {c.operator: _operand(c.value)}} for c in conditions(where)]
        if expires:
            parts.append({expires: {"$not": {"$lte": stamp(self._clock())}}})
        return {"$and": parts} if parts else {}

    def _compared(
        self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]
    ) -> tuple[MongoFields, MongoFields]:
        declared = self._declared(collection)
        fields = pack(json.loads(json.dumps(checked_changes(changes, declared), allow_nan=False)), declared)
        return {"$and": [{"_id": id}, self._filter(collection, expected)]}, {"$set": fields}

    def _counted(
        self, collection: str, id: str, amounts: Mapping[str, float], defaults: Document
    ) -> tuple[MongoFields, MongoFields]:
        """Which document is counted in, and the update; with `$setOnInsert` one that also makes it.

        A field cannot be set and counted in one update: a count that does not begin at 0 is inserted by itself.
        """
        alive = {"$and": [{"_id": id}, self._filter(collection, {})]}
        counted = {"$inc": dict(checked_changes(amounts, self._declared(collection)))}
        if not defaults.keys() - {"id"} or any(defaults.get(name) for name in amounts):
            return alive, counted
        made = self._packed(collection, _first_count(id, amounts, defaults))
        others = {name: value for name, value in made.items() if name != "_id" and name not in amounts}
        return alive, {**counted, "$setOnInsert": others} if others else counted

    def _planned(self, write: Write) -> PlannedWrite:
        """A write of a batch as the driver sends it; raises what the write itself would for what cannot be stored."""
        name, arguments = write.collection, write.arguments
        space = f"{self._database.name}.{name}"
        if write.operation in ("insert", "put"):
            text = to_json(arguments["document"], self._declared(name))
            packed = pack(json.loads(text), self._declared(name))
            by_id = {"_id": packed["_id"]}
            is_new = write.operation == "insert"
            new = InsertOne(packed, space) if is_new else ReplaceOne(by_id, packed, upsert=True, namespace=space)
            return PlannedWrite(write=write, model=new, weight=len(text))
        if write.operation == "compare_and_set":
            query, update = self._compared(name, **arguments)
            return PlannedWrite(write=write, model=comparison(query, update, space))
        if write.operation == "increment":
            query, update = self._counted(name, **arguments)
            is_whole = "$setOnInsert" in update
            return PlannedWrite(
                write=write, model=UpdateOne(query, update, upsert=True, namespace=space) if is_whole else None
            )
        # At most one document has an id, and the driver repeats only what touches one.
        is_single = isinstance(arguments["where"].get("id"), str)
        model = DeleteOne(self._filter(name, arguments["where"]), namespace=space) if is_single else None
        return PlannedWrite(write=write, model=model)

    def _write_bulk(self, bulk: Sequence[PlannedWrite], *, is_across: bool) -> None:
        """Write a bulk. A refused write is done by itself, which makes room for it or raises; then the rest goes on."""
        while len(bulk) > 1:
            with self._calling():
                outcome = send_bulk(self._database, bulk, is_across=is_across)
            if outcome.unmatched is not None:
                raise WriteConflict(bulk[outcome.unmatched].write.collection)
            if outcome.refused is None:
                return
            write_in_order(self, [bulk[outcome.refused].write])
            bulk = bulk[outcome.refused + 1 :]
        write_in_order(self, [each.write for each in bulk])

    def _making_room(self, collection: str, write: Callable[[], Result], *, replaces: bool = False) -> Result:
        """Do a write; once more when it met what has expired, which counts as gone: its id and unique values are free.

        replaces: also when another replica made the same new document at the same moment.
        """
        try:
            return write()
        except DuplicateKeyError as error:
            expires = self._collections[collection].expires
            if not expires and not (replaces and is_taken_id(error)):
                raise
            if expires:
                # MongoDB's own sweeper deletes the rest of it.
                self._database[collection].delete_many({expires: {"$lte": stamp(self._clock())}})
            return write()

    @contextmanager
    def _reached(self, collection: str) -> Iterator[MongoCollection[MongoFields]]:
        if not self._is_ready:
            self._prepare()
        with self._calling():
            yield self._database[collection]

    @contextmanager
    def _calling(self, limit_s: float = CALL_S) -> Iterator[None]:
        """One deadline for all that happens inside; the driver's errors leave as ours."""
        if time.monotonic() < self._refused_until:
            raise sign_in_refused()
        self._queue_up(limit_s)
        try:
            with pymongo.timeout(limit_s):
                yield
            self._away_until = 0.0
        except (PyMongoError, DocumentTooLarge) as error:
            self._away_until = time.monotonic() + self._quiet_s if is_out_of_reach(error) else 0.0
            if is_sign_in_refused(error):
                # A wrong password does not mend itself: say it once and leave the server in peace for a while.
                self._refused_until = time.monotonic() + _REFUSAL_S
                _log.error("mongo_sign_in_refused")
            raise typed(error) from None

    def _queue_up(self, limit_s: float) -> None:
        """Raise at once while the server is away, unless it is time to look for it again: then for this call alone."""
        with self._looking:
            now = time.monotonic()
            if now < self._away_until:
                raise out_of_reach()
            if self._away_until:
                self._away_until = now + min(limit_s, CALL_S)

    def _prepare(self) -> None:
        """Make the indexes that are missing; any number of threads and replicas may do so at once."""
        declared = list(self._collections.values())
        for collection, wanted in [(collection, _indexes(collection)) for collection in declared]:
            with self._calling():
                known = self._database[collection.name].index_information()
            missing = [index for index in wanted if index.document["name"] not in known]
            if missing:
                with self._calling(_INDEX_BUILD_S):
                    self._database[collection.name].create_indexes(missing)
            for name in {_index_name(fields) for fields in collection.retired_fields()} & known.keys():
                self._drop_index(collection.name, name)
        self._is_ready = True

    def _drop_index(self, collection: str, name: str) -> None:
        """Drop an index; another replica may have done so just now."""
        with self._calling(), suppress(OperationFailure):
            self._database[collection].drop_index(name)


def _indexes(collection: Collection) -> list[IndexModel]:
    made = [
        IndexModel([(_name(f), 1) for f in fields], name=_index_name(fields) + "__unique" * unique, unique=unique)
        for fields, unique in collection.index_fields()
    ]
    if collection.expires:
        made.append(IndexModel(TTL_FIELD, name="ttl", expireAfterSeconds=int(_SWEEP_AFTER.total_seconds())))
    return made


def _index_name(fields: Sequence[str]) -> str:
    return "__".join(fields)


def _first_count(id: str, amounts: Mapping[str, float], defaults: Document) -> Document:
    return {**defaults, "id": id, **{name: defaults.get(name, 0) + amount for name, amount in amounts.items()}}


def _name(field: str) -> str:
    return "_id" if field == "id" else field


def _operand(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def pack(document: Document, collection: Collection) -> dict[str, Any]:
    """A document (or some of its fields) as MongoDB keeps it.

    Keys that the database reads as paths or operators are written with % escapes; integers beyond 64 bits as text.
    """
    packed = {"_id" if name == "id" else name: _written(value) for name, value in document.items()}
    if collection.expires in document:
        packed[TTL_FIELD] = _date(document[collection.expires])
    return packed


def unpack(mongo_collection: dict[str, Any]) -> Document:
    fields = {name: _read(value) for name, value in mongo_collection.items() if name not in ("_id", TTL_FIELD)}
    return {"id": mongo_collection["_id"], **fields}


def _written(value: Any) -> Any:
    if isinstance(value, dict):
        return {_escaped(name): _written(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_written(inner) for inner in value]
    is_large = isinstance(value, int) and not -(2**63) <= value < 2**63
    return {_LARGE: str(value)} if is_large else value


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {_LARGE}:
            return int(value[_LARGE])
        return {_unescaped(name): _read(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_read(inner) for inner in value]
    return int(value) if isinstance(value, Int64) else value


def _escaped(name: str) -> str:
    for plain, written in _ESCAPES:
        name = name.replace(plain, written)
    return name


def _unescaped(name: str) -> str:
    for plain, written in reversed(_ESCAPES):
        name = name.replace(written, plain)
    return name


def _date(stamp: Any) -> datetime | None:
    return moment(stamp) if isinstance(stamp, str) else None
