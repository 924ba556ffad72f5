"""Small real stand-ins: each implements a protocol of the services, in memory."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from services.connections.connector import Account, Grant
from services.errors import DuplicateDocument, ReconnectRequired, ServiceError
from services.integrations.base import Integration
from services.runtime.clock import Clock, stamp, utc_now
from services.storage.conditions import Condition, checked_changes, conditions, to_json, value_at
from services.storage.documents import Collection, Document, Order, Where, Write, write_in_order


class FakeDocuments:
    """The documents protocol in dictionaries; `reads` and `writes` count the calls that would reach an engine."""

    def __init__(self, *, clock: Clock | None = None) -> None:
        self.reads = 0
        self.writes = 0
        # What a test stamps by its own clock must not end by the real one.
        self._clock = clock or FakeClock()
        self._lock = threading.RLock()
        self._collections: dict[str, Collection] = {}
        self._bodies: dict[str, dict[str, str]] = {}

    def ensure_collections(self, collections: Sequence[Collection]) -> None:
        for collection in collections:
            self._collections[collection.name] = collection
            self._bodies.setdefault(collection.name, {})

    def insert(self, collection: str, document: Document) -> None:
        with self._writing(collection) as bodies:
            if document.get("id") in bodies:
                raise DuplicateDocument("That exists already.")
            self._keep(collection, document)

    def write_all(self, writes: Sequence[Write]) -> None:
        with self._lock:
            before = {name: dict(bodies) for name, bodies in self._bodies.items()}
            try:
                write_in_order(self, writes)
            except BaseException:
                self._bodies.update(before)
                raise

    def get(self, collection: str, id: str) -> Document | None:
        return next(iter(self.find(collection, {"id": id})), None)

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        with self._lock:
            self.reads += 1
            found = self._matching(collection, where)
        for field, direction in reversed(order):
            found.sort(key=lambda document, field=field: _rank(value_at(document, field)), reverse=direction < 0)
        return found[skip:][:limit]

    def count(self, collection: str, where: Where) -> int:
        return len(self.find(collection, where))

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        with self._writing(collection):
            for document in self._matching(collection, expected):
                if document["id"] == id:
                    return self._keep(collection, {**document, **checked_changes(changes, self._declared(collection))})
        return None

    def put(self, collection: str, document: Document) -> None:
        with self._writing(collection):
            self._keep(collection, document)

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        with self._writing(collection) as bodies:
            document = json.loads(bodies[id]) if id in bodies else {**defaults, "id": id}
            wanted = checked_changes(amounts, self._declared(collection))
            added = {name: document.get(name, 0) + amount for name, amount in wanted.items()}
            self._keep(collection, {**document, **added})

    def delete(self, collection: str, where: Where) -> int:
        with self._writing(collection) as bodies:
            gone = [document["id"] for document in self._matching(collection, where)]
            for id in gone:
                del bodies[id]
        return len(gone)

    def verify(self) -> None:
        """There is no file."""

    def ping(self) -> None:
        """Memory can always be written to."""

    def purge_deleted(self) -> None:
        """There is no file."""

    def close(self) -> None:
        """Nothing is open."""

    @contextmanager
    def _writing(self, collection: str) -> Iterator[dict[str, str]]:
        with self._lock:
            self.writes += 1
            bodies = self._bodies[self._declared(collection).name]
            alive = {document["id"] for document in self._matching(collection, {})}
            for id in bodies.keys() - alive:
                del bodies[id]
            yield bodies

    def _keep(self, collection: str, document: Document) -> Document:
        body = to_json(document, self._declared(collection))
        for fields, is_unique in self._declared(collection).index_fields():
            taken = {
                tuple(value_at(other, field) for field in fields) for other in self._others(collection, document["id"])
            }
            if is_unique and tuple(value_at(document, field) for field in fields) in taken:
                raise DuplicateDocument("That exists already.")
        self._bodies[collection][document["id"]] = body
        return json.loads(body)

    def _others(self, collection: str, id: str) -> Iterator[Document]:
        return (json.loads(body) for key, body in self._bodies[collection].items() if key != id)

    def _matching(self, collection: str, where: Where) -> list[Document]:
        expires = self._declared(collection).expires
        gone = Condition(field=expires or "id", operator="$lte", value=stamp(self._clock()) if expires else "")
        wanted = conditions(where)
        documents = [json.loads(body) for body in self._bodies[collection].values()]
        return [d for d in documents if not _holds(d, gone) and all(_holds(d, condition) for condition in wanted)]

    def _declared(self, collection: str) -> Collection:
        if collection not in self._collections:
            raise ValueError(f"There is no collection named {collection}.")
        return self._collections[collection]


def _holds(document: Document, condition: Condition) -> bool:
    found = value_at(document, condition.field)
    values = found if isinstance(found, list) else [found]
    if condition.operator in ("$ne", "$nin"):
        refused = condition.value if condition.operator == "$nin" else (condition.value,)
        return not any(_compares(value, "$eq", other) for value in values for other in refused)
    wanted = condition.value if condition.operator == "$in" else (condition.value,)
    operator = "$eq" if condition.operator == "$in" else condition.operator
    return any(_compares(value, operator, expected) for value in values for expected in wanted)


def _compares(value: Any, operator: str, wanted: Any) -> bool:
    if _kind(value) != _kind(wanted):
        return False
    comparisons = {
        "$eq": lambda: value == wanted,
        "$lt": lambda: value < wanted,
        "$lte": lambda: value <= wanted,
        "$gt": lambda: value > wanted,
        "$gte": lambda: value >= wanted,
    }
    return comparisons[operator]()


def _kind(value: Any) -> str:
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def _rank(value: Any) -> tuple[int, Any]:
    """Nothing before numbers before texts, as the engines order them."""
    return (0, 0) if value is None else (2, value) if isinstance(value, str) else (1, value)


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime = datetime(2026, 11, 23, 15, tzinfo=UTC)) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def advance(self, **by: float) -> None:
        """Move on by this `timedelta`."""
        self.at += timedelta(**by)


class FollowedClock:
    """What an engine is given that is made before its room: the room's clock, once there is one."""

    def __init__(self) -> None:
        self.follows: Clock = utc_now

    def __call__(self) -> datetime:
        return self.follows()


class FakeService:
    """An outside service with OAuth and pasted tokens, in memory. It is its integration's `OAuthClient`.

    people: whom an access token belongs to. refreshes, revoked: what it was asked. failure: raised by the next calls.
    A refresh rotates both tokens, and refuses a refresh token that was used before.
    """

    scopes: tuple[str, ...] = ("read",)
    ends_account = False
    ORIGIN = "https://fake.example"

    def __init__(self, *, clock: Clock, label: str = "Fake") -> None:
        self.label = label
        self.people: dict[str, str] = {}
        self.refreshes: list[str] = []
        self.revoked: list[str] = []
        self.exchanged: list[dict[str, str]] = []
        self.failure: ServiceError | None = None
        self._clock = clock
        self._valid_refresh_tokens: dict[str, str] = {}

    def integration(self, id: str = "fake", **changes: Any) -> Integration:
        made = Integration(
            id=id,
            label=self.label,
            icon="",
            category="notes",
            summary="",
            reads=(),
            writes=(),
            consent="",
            origins=(self.ORIGIN, "https://second.example"),
            oauth=self,
            identify=self.identify,
            client=lambda grant: grant,
            tools=(),
            accepts_token=True,
            token_help="Make one in your Fake settings.",
            permissions={"read": "see the board"},
        )
        return replace(made, **changes)

    def issuers(self, origin: str) -> tuple[str, ...]:
        return (origin,)

    def authorize_url(self, *, origin: str, redirect_uri: str, state: str, verifier: str) -> str:
        return f"{origin}/authorize?{urlencode({'redirect_uri': redirect_uri, 'state': state})}"

    def exchange(self, *, origin: str, redirect_uri: str, code: str, verifier: str) -> Grant:
        """A code is the name of the person who allowed it."""
        self._fail()
        self.exchanged.append({"origin": origin, "redirect_uri": redirect_uri, "code": code, "verifier": verifier})
        return self._grant(origin, code)

    def refresh(self, grant: Grant) -> Grant:
        self._fail()
        self.refreshes.append(grant.refresh_token or "")
        person = self._valid_refresh_tokens.pop(grant.refresh_token or "", None)
        if person is None:
            raise ReconnectRequired(self.label, f"{self.label} ended your access.")
        self.people.pop(grant.access_token, None)
        return self._grant(grant.origin, person)

    def revoke(self, grant: Grant) -> None:
        self._fail()
        self.revoked.append(grant.access_token)
        self.end(grant)

    def end(self, grant: Grant) -> None:
        """What a student does in the service's own settings."""
        self.people.pop(grant.access_token, None)
        self._valid_refresh_tokens.pop(grant.refresh_token or "", None)

    def identify(self, grant: Grant) -> Account:
        self._fail()
        if grant.access_token not in self.people:
            raise ReconnectRequired(self.label, f"{self.label} does not know this sign-in.")
        name = self.people[grant.access_token]
        return Account(id=name.lower(), name=name)

    def _grant(self, origin: str, person: str) -> Grant:
        number = len(self.exchanged) + len(self.refreshes)
        access, refresh = f"access-{person}-{number}", f"refresh-{person}-{number}"
        self.people[access] = self._valid_refresh_tokens[refresh] = person
        ends_at = self._clock() + timedelta(hours=1)
        return Grant(origin=origin, access_token=access, refresh_token=refresh, expires_at=ends_at, scopes=self.scopes)

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure
