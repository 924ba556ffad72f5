"""Bulk writes for MongoDB: which writes of a batch travel as one command, and where the server stopped.

A server from version 8 on takes writes to several collections in one `bulkWrite`; an older one those of one collection.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pymongo import DeleteOne, InsertOne, MongoClient, ReplaceOne, UpdateOne
from pymongo.database import Database
from pymongo.errors import (
    BulkWriteError,
    ClientBulkWriteException,
    OperationFailure,
    PyMongoError,
    WriteConcernError,
)

from services.storage.documents import Write
from services.storage.mongo_client import MongoFields

MOST_TOGETHER = 250
"""Writes of one command: all of them share the seconds of one call."""
HEAVIEST = 4_000_000
"""Characters of the documents of one command, unless a single one has more."""
_ACROSS_COLLECTIONS = 25
"""Wire version of MongoDB 8.0: https://www.mongodb.com/docs/manual/reference/command/bulkWrite/"""
_DUPLICATE_KEY = 11000
_NO_INSERTION = (66, 53, 54)
"""ImmutableField, InvalidIdField, NotSingleValueField: https://www.mongodb.com/docs/manual/reference/error-codes/"""
_NO_ID: list[str] = []
"""Value that no document may have as its id."""

Model = InsertOne[MongoFields] | ReplaceOne[MongoFields] | UpdateOne | DeleteOne


@dataclass(frozen=True, kw_only=True)
class PlannedWrite:
    """A write, and the driver's model of it; None for one that is sent by itself. weight: characters that it holds."""

    write: Write
    model: Model | None
    weight: int = 0

    @property
    def is_comparison(self) -> bool:
        return self.write.operation == "compare_and_set"


@dataclass(frozen=True, kw_only=True)
class BulkOutcome:
    """What became of an ordered bulk. refused: place of the write that met a taken value; nothing after it is done.

    unmatched: place of a comparison that matched nothing; nothing after it is done either.
    """

    refused: int | None = None
    unmatched: int | None = None


def takes_bulks_across(client: MongoClient[MongoFields]) -> bool:
    """Whether each server that was reached takes writes to several collections in one command."""
    reached = [
        server for server in client.topology_description.server_descriptions().values() if server.is_server_type_known
    ]
    return bool(reached) and min(server.max_wire_version for server in reached) >= _ACROSS_COLLECTIONS


def comparison(query: MongoFields, update: MongoFields, space: str) -> UpdateOne:
    """Build an update that stops its bulk when it matches nothing, where a server would go on after a plain one.

    It then tries to insert, under an id that no document may have, which every server refuses; a document that does
    match is updated as by a plain one.
    """
    return UpdateOne(query, {**update, "$setOnInsert": {"_id": _NO_ID}}, upsert=True, namespace=space)


def bulks(planned: Sequence[PlannedWrite], *, is_across: bool) -> Iterator[list[PlannedWrite]]:
    """Split writes, in their order, into those that are sent together."""
    bulk: list[PlannedWrite] = []
    for each in planned:
        if bulk and not _fits(bulk, each, is_across=is_across):
            yield bulk
            bulk = []
        bulk.append(each)
    if bulk:
        yield bulk


def _fits(bulk: Sequence[PlannedWrite], each: PlannedWrite, *, is_across: bool) -> bool:
    last = bulk[-1]
    if each.model is None or last.model is None:
        return False
    if not is_across and each.write.collection != last.write.collection:
        return False
    return len(bulk) < MOST_TOGETHER and sum(part.weight for part in bulk) + each.weight <= HEAVIEST


def send_bulk(database: Database[MongoFields], bulk: Sequence[PlannedWrite], *, is_across: bool) -> BulkOutcome:
    """Send writes that are done in their order up to the first that is refused; raises the driver's errors."""
    models: Sequence[Any] = [each.model for each in bulk]
    try:
        if is_across:
            database.client.bulk_write(models, ordered=True)
        else:
            database[bulk[0].write.collection].bulk_write(models)
    except BulkWriteError as error:
        details = error.details or {}
        return _stopped(bulk, details.get("writeErrors", ()), details.get("writeConcernErrors", ()), place="index")
    except ClientBulkWriteException as error:
        if error.error is not None:
            raise error.error from None
        return _stopped(bulk, error.write_errors or (), error.write_concern_errors or (), place="idx")
    return BulkOutcome()


def _stopped(
    bulk: Sequence[PlannedWrite], write_errors: Sequence[Any], concern_errors: Sequence[Any], *, place: str
) -> BulkOutcome:
    if concern_errors:
        raise WriteConcernError("A write was not confirmed.", concern_errors[0].get("code"))
    if not write_errors:
        raise PyMongoError("A bulk failed without a word on where.")
    first: Mapping[str, Any] = write_errors[0]
    code, at = first.get("code"), first[place]
    if bulk[at].is_comparison and code in _NO_INSERTION:
        return BulkOutcome(unmatched=at)
    if code != _DUPLICATE_KEY:
        raise OperationFailure("A write of a bulk was refused.", code)
    return BulkOutcome(refused=at)
