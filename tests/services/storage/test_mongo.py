"""MongoDB keeps the laws of `Documents`, and its own: majority writes, indexes, a clock that may differ."""

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from pymongo import MongoClient

from services.errors import SettingsError, StorageError
from services.storage.collections import COLLECTIONS as HOMEROOM
from services.storage.mongo import MongoDocuments
from tests.fakes import FakeClock
from tests.services.storage.contract import DocumentsContract
from tests.services.storage.shelf import COLLECTIONS


class TestMongoDocuments(DocumentsContract):
    @pytest.fixture
    def documents(self, clock: FakeClock, mongo_uri: str) -> Iterator[MongoDocuments]:
        engine = MongoDocuments(f"{mongo_uri}/test_{secrets.token_hex(4)}", clock=clock)
        engine.ensure_collections(COLLECTIONS)
        yield engine
        engine.close()


@pytest.fixture
def uri(mongo_uri: str) -> str:
    return f"{mongo_uri}/test_{secrets.token_hex(4)}"


def test_the_indexes_of_every_collection_are_made(uri: str) -> None:
    engine = MongoDocuments(uri)
    engine.ensure_collections(HOMEROOM)
    engine.find("tasks", {})
    with MongoClient(uri) as client:
        kept = client.get_default_database()
        made = {name: kept[name].index_information() for name in kept.list_collection_names()}

    assert made["students"]["issuer__subject__unique"]["unique"] is True
    assert "owner__conversation_id__seq__unique" in made["messages"]
    assert "status" in made["turns"]
    assert made["oauth_states"]["ttl"]["expireAfterSeconds"] == 86_400
    engine.close()


def test_a_second_replica_finds_the_indexes_made(uri: str) -> None:
    engines = [MongoDocuments(uri) for _ in range(2)]
    for engine in engines:
        engine.ensure_collections(HOMEROOM)
        engine.put("students", {"id": "s1", "issuer": "i", "subject": "s"})

    assert engines[0].get("students", "s1") == engines[1].get("students", "s1")
    for engine in engines:
        engine.close()


def test_the_servers_own_sweeper_gets_a_date(uri: str) -> None:
    engine = MongoDocuments(uri, clock=FakeClock(datetime(2040, 1, 1, tzinfo=UTC)))
    engine.ensure_collections(COLLECTIONS)
    engine.put("tickets", {"id": "t1", "seat": 1, "expires_at": "2040-01-02T03:04:05.000006+00:00"})
    with MongoClient(uri, tz_aware=True) as client:
        kept = client.get_default_database()["tickets"].find_one()

    assert kept is not None
    assert kept["_expires"] == datetime(2040, 1, 2, 3, 4, 5, tzinfo=UTC)
    engine.close()


def test_writes_wait_for_a_majority_and_its_journal(uri: str) -> None:
    engine = MongoDocuments(f"{uri}?w=1&journal=false&retryWrites=false")

    assert engine._client.write_concern.document == {"w": "majority", "j": True}
    assert engine._client.options.retry_writes is True
    engine.close()


@pytest.mark.parametrize(
    "address", ["mongodb://u:s3cret/pw@host/db", "mongodb://u:s3cret%@host", "mongodb://:x:s3cret"]
)
def test_an_address_that_cannot_be_read_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(SettingsError) as caught:
        MongoDocuments(address)

    assert caught.value.name == "MONGODB_URI"
    assert "s3cret" not in f"{caught.value} {caught.value.next_step}"


def test_a_document_beyond_the_servers_limit_is_refused_by_its_type(uri: str) -> None:
    engine = MongoDocuments(uri)
    engine.ensure_collections(COLLECTIONS)
    engine.put("notes", {"id": "n1"})
    with pytest.raises(StorageError, match="too large"):
        engine.put("notes", {"id": "n1", "text": "x" * 17_000_000})

    assert engine.get("notes", "n1") == {"id": "n1"}
    engine.close()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("canary=1", "has an option that MongoDB does not know."),
        ("maxPoolSize=canary", "has an option with a wrong value."),
        ("journal=canary", "has an option with a wrong value."),
        ("readPreference=canary", "has an option with a wrong value."),
        ("authSource=a&authSource=canary", "has an option with a wrong value."),
        ("tls=true&tlsCAFile=/canary.pem", "names a file that cannot be read."),
    ],
)
def test_an_option_that_the_driver_would_only_warn_of_stops_the_start(options: str, problem: str) -> None:
    with pytest.raises(SettingsError, match="MONGODB_URI") as caught:
        MongoDocuments(f"mongodb://me:canary@localhost:1/?{options}")

    assert problem in str(caught.value)
    assert "canary" not in f"{caught.value} {caught.value.next_step}"


def test_the_option_with_a_wrong_value_is_named() -> None:
    with pytest.raises(SettingsError) as caught:
        MongoDocuments("mongodb://localhost:1/?maxPoolSize=many")

    assert "maxpoolsize" in caught.value.next_step
