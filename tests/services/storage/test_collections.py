"""The data model says of each collection whom and what it goes with."""

import secrets
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from pymongo import MongoClient

from services.storage.collections import COLLECTIONS, OF_CONVERSATION
from services.storage.documents import Collection
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments


def test_whatever_is_found_by_its_conversation_is_deleted_with_it() -> None:
    found = {
        collection.name
        for collection in COLLECTIONS
        if any("conversation_id" in by for by in (*collection.unique, *collection.indexes))
    }

    assert found
    assert found == set(OF_CONVERSATION)


def test_an_index_that_an_older_version_has_made_is_dropped_at_the_start(tmp_path: Path, mongo_uri: str) -> None:
    now = Collection(name="cards", indexes=(("state", "id"),), retired=(("state",), ("topic",)))
    before = replace(now, indexes=(("state",), ("state", "id")), retired=())
    path, address = tmp_path / "homeroom.sqlite", f"{mongo_uri}/test_{secrets.token_hex(4)}"
    for declared in (before, now):
        engines = SqliteDocuments(path), MongoDocuments(address)
        for engine in engines:
            engine.ensure_collections([declared])
            engine.find("cards", {})
            engine.close()

    with closing(sqlite3.connect(path)) as file:
        kept = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE INDEX%'")}
    with MongoClient[dict[str, object]](address) as client:
        in_mongo = set(client.get_default_database()["cards"].index_information())
        client.drop_database(client.get_default_database())
    assert kept == {"cards__owner__state__id"}
    assert in_mongo == {"_id_", "owner__state__id"}


def test_no_index_is_both_made_and_dropped() -> None:
    for collection in COLLECTIONS:
        made = {fields for fields, _ in collection.index_fields()}
        assert not made & set(collection.retired_fields()), collection.name
