"""`ConnectedSources`: the sources of one student's materials, through the accounts that they have connected now."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from services.connections.connection import Connection
from services.connections.connections import Connections
from services.errors import ServiceError, ServiceUnavailable
from services.materials.material import Material
from services.materials.source import MaterialSource
from services.materials.store.records import MaterialRecord
from services.runtime.clock import stamp
from services.safety.consent import ConsentStatus


class SourceMaker(Protocol):
    """The part of an integration that makes a source of materials."""

    @property
    def id(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def materials(self) -> Callable[[Any], MaterialSource] | None: ...


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What sources said of materials just now. readable: ids that the student may read. unknown: ids of which nobody
    can tell, because their source is away. closed: ids that they may not read (any more). trouble: why nobody can tell,
    by source.
    """

    readable: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    trouble: Mapping[str, str] = field(default_factory=dict)

    def closed_or_raise(self) -> frozenset[str]:
        """The closed ones; raises `ServiceUnavailable` where a source is away."""
        for source, why in self.trouble.items():
            raise ServiceUnavailable(source, why)
        return self.closed


class ConnectedSources:
    """Sources by integration. A source is made for each operation: its client has a deadline of its own."""

    def __init__(self, makers: Mapping[str, SourceMaker], connections: Connections) -> None:
        self._makers = {id: maker for id, maker in makers.items() if maker.materials}
        self._connections = connections

    def accounts(self, student_id: str) -> dict[str, str]:
        """The connected accounts by integration, as a mark that another account of the same service does not have."""
        connected = self._connections.all(student_id)
        return {id: account_mark(connected[id]) for id in self._makers if id in connected}

    def label(self, source: str) -> str:
        return self._makers[source].label if source in self._makers else source

    def open(self, student_id: str, source: str) -> MaterialSource:
        """Make the source; raises `ReconnectRequired`, `ServiceUnavailable`, `SealBroken`."""
        make = self._makers[source].materials
        assert make is not None
        return make(self._connections.client(student_id, source))

    def verify(self, student_id: str, records: Sequence[MaterialRecord]) -> Verification:
        """Ask the sources which of these materials the student may read now; those of a shelf are the student's own.

        Raises `ReconnectRequired` and `SealBroken`: then nothing of that account is told.
        """
        readable: set[str] = set()
        unknown: set[str] = set()
        trouble: dict[str, str] = {}
        by_source: dict[str, list[Material]] = {}
        for record in records:
            if record.source in self._makers:
                by_source.setdefault(record.source, []).append(record.material)
            else:
                readable.add(record.material.id)
        for source, materials in by_source.items():
            try:
                readable |= self.open(student_id, source).readable(materials)
            except ServiceUnavailable as error:
                unknown |= {material.id for material in materials}
                trouble[source] = str(error)
        asked = frozenset(record.material.id for record in records)
        return Verification(
            readable=frozenset(readable) & asked,
            unknown=frozenset(unknown),
            closed=asked - readable - unknown,
            trouble=trouble,
        )

    def report(self, student_id: str, source: str, error: ServiceError) -> None:
        """Tell the connection what its account answered, as a tool call does."""
        self._connections.report_failure(student_id, source, error)

    def is_agreed(self, student_id: str, source: str) -> bool:
        """Whether the student agrees that answers use this account: nothing is read ahead for answers without it."""
        if source not in self._makers:
            return True
        account = self._connections.all(student_id).get(source)
        return account is not None and self._connections.consents.status(account) is ConsentStatus.GIVEN

    def is_strained(self, student_id: str, source: str) -> bool:
        """Whether the service has asked for quiet, or its limits are nearly used up: what can wait then waits."""
        return self._connections.is_strained(student_id, source)

    def ids(self) -> Collection[str]:
        return self._makers.keys()


def account_mark(connection: Connection) -> str:
    """Mark of the account behind a connection, see `is_same_account`."""
    return f"{connection.origin} {stamp(connection.connected_at)} {connection.account_id}"


def is_same_account(mark: str, other: str) -> bool:
    """Whether two marks are of one account, which may have been reconnected, or have told its id only later."""
    origin, connected, id = mark.split(" ", 2)
    other_origin, other_connected, other_id = other.split(" ", 2)
    return origin == other_origin and (id == other_id if id and other_id else connected == other_connected)
