"""`Pins`: a server's tools as it listed them first; later ones and changed descriptions wait for the operator."""

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from services.errors import DuplicateDocument
from services.runtime.clock import Clock, stamp
from services.safety.text import plain
from services.storage.documents import Document
from services.storage.records import record_reader
from services.storage.store import Store
from services.tools.mcp.spec import PINNED, ToolSpec

COLLECTION = "mcp_pins"
log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Pin:
    """Pinned description of a tool. listed: the tool as it was on the wire when it was pinned; its name alone while it
    is new and waits. changed: what it says of itself now, if that differs.

    `fingerprint` and `changed_fingerprint` are of these two; no fingerprint of what is new.
    """

    name: str
    server: str
    fingerprint: str
    listed: Mapping[str, Any] = field(repr=False)
    changed_fingerprint: str = ""
    changed: Mapping[str, Any] | None = field(default=None, repr=False)


class Pins:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._batch = store.batch
        self._store = store.shared
        self._clock = clock

    def for_servers(self, servers: Sequence[str]) -> dict[str, Pin]:
        """The pins of these servers by the tool's full name: one read."""
        found = self._store.find(COLLECTION, {"server": {"$in": list(servers)}}, order=[("id", 1)])
        return {document["id"]: _pin(document) for document in found}

    def pin_listed(self, server: str, seen: Sequence[tuple[ToolSpec, Mapping[str, Any]]]) -> dict[str, Pin]:
        """Pin the tools of a server's first listing, record later and changed ones, and return the pins of the server.

        One read when nothing is new.
        """
        known = self.for_servers([server]) or self._pin_first(server, seen)
        news = [(spec, listed) for spec, listed in seen if _is_news(spec, known.get(spec.name))]
        for spec, listed in news:
            self._note(server, spec, listed, known.get(spec.name))
        return self.for_servers([server]) if news else known

    def pending(self) -> list[Pin]:
        """The pins of all servers whose change waits for the operator."""
        found = self._store.find(COLLECTION, {"changed_fingerprint": {"$ne": ""}}, order=[("id", 1)])
        return [_pin(document) for document in found]

    def approve(self, name: str, *, fingerprint: str) -> bool:
        """Pin the change that the operator has read; False when it is not that change any more, or none."""
        document = self._store.get(COLLECTION, name)
        if document is None or not fingerprint or document["changed_fingerprint"] != fingerprint:
            return False
        changes = {
            "fingerprint": fingerprint,
            "listed": document["changed"],
            "changed_fingerprint": "",
            "changed": None,
            "approved_at": stamp(self._clock()),
        }
        return self._store.compare_and_set(COLLECTION, name, {"changed_fingerprint": fingerprint}, changes) is not None

    def _pin_first(self, server: str, seen: Sequence[tuple[ToolSpec, Mapping[str, Any]]]) -> dict[str, Pin]:
        """Pin a whole listing at once, so that another replica finds it whole or not at all."""
        batch = self._batch()
        for spec, listed in seen:
            if not spec.problem:
                batch.shared.insert(COLLECTION, self._pinned_now(server, spec, listed))
        with suppress(DuplicateDocument):
            batch.commit()
        return self.for_servers([server])

    def _note(self, server: str, spec: ToolSpec, listed: Mapping[str, Any], known: Pin | None) -> None:
        if known is None:
            try:
                self._store.insert(COLLECTION, self._waiting(server, spec, listed))
            except DuplicateDocument:
                # Another replica was first, and may have seen other words.
                found = self._store.get(COLLECTION, spec.name)
                known = None if found is None else _pin(found)
        if known is not None and _is_news(spec, known):
            is_back = spec.fingerprint == known.fingerprint
            changes = {
                "changed_fingerprint": "" if is_back else spec.fingerprint,
                "changed": None if is_back else _pinned(listed),
            }
            self._store.compare_and_set(COLLECTION, spec.name, {"fingerprint": known.fingerprint}, changes)

    def _waiting(self, server: str, spec: ToolSpec, listed: Mapping[str, Any]) -> dict[str, Any]:
        log.warning("mcp_tool_new server=%s tool=%s", server, spec.name)
        return {
            **self._pinned_now(server, spec, listed),
            "fingerprint": "",
            "listed": {"name": spec.own_name},
            "changed_fingerprint": spec.fingerprint,
            "changed": _pinned(listed),
        }

    def _pinned_now(self, server: str, spec: ToolSpec, listed: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "id": spec.name,
            "server": server,
            "fingerprint": spec.fingerprint,
            "listed": _pinned(listed),
            "changed_fingerprint": "",
            "changed": None,
            "seen_at": stamp(self._clock()),
        }


def describe_change(pin: Pin) -> str:
    """Describe a change word for word, as plain text for the operator's terminal."""
    lines = [f"{pin.name} (server {pin.server}{'' if pin.fingerprint else ', new'})"]
    for what in PINNED:
        before, now = pin.listed.get(what), (pin.changed or {}).get(what)
        if before != now:
            approved = [f"    approved: {_shown(before)}"] if pin.fingerprint else []
            lines += [f"  {what}", *approved, f"    now:      {_shown(now)}"]
    return "\n".join(lines)


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return plain(text).replace("\n", "\n              ")


def _is_news(spec: ToolSpec, known: Pin | None) -> bool:
    """Whether the store must be updated. A tool that went back to its pinned words is news only if it had changed."""
    if spec.problem or known is None:
        return not spec.problem
    return spec.fingerprint != (known.changed_fingerprint or known.fingerprint)


def _pinned(listed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: listed[name] for name in PINNED if name in listed}


@record_reader(COLLECTION)
def _pin(document: Document) -> Pin:
    return Pin(
        name=document["id"],
        server=document["server"],
        fingerprint=document["fingerprint"],
        listed=document["listed"],
        changed_fingerprint=document["changed_fingerprint"],
        changed=document["changed"],
    )
