"""The campus's request log: every request is written when it arrives and again, with its status, before its answer."""

import json
import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.state import State

KIND = "sandbox.log"
KEPT_ENTRIES = 20_000
LONGEST_BODY = 1_000_000
HIDDEN = "[hidden]"
SECRETS = frozenset(
    ("access_token", "refresh_token", "id_token", "token", "code", "code_verifier", "client_secret", "password")
)
_NAMES_SECRET = re.compile(rb'"(?:%s)"\s*:\s*"|\\u00' % "|".join(sorted(SECRETS)).encode(), re.IGNORECASE)
# Requests that use POST or DELETE but change nothing of a person's data.
NOT_WRITES = ("token", "revoke", "introspect", "authorize", "auth", "search", "query", "freeBusy", "settings")
DONE_ALL_THE_SAME = (None, "delay", "truncate", "lose_response", "replace_response")
"""Failures that meet a request which its service carried out."""
CONTROL = ("", "log", "faults", "reset", "people")


class RequestLog:
    """The log's entries in the campus's state; ids grow and are never used twice, not even after a reset."""

    def __init__(self, state: State) -> None:
        self._state = state

    def open(self, entry: dict[str, Any], body: str = "") -> dict[str, Any]:
        """Write a request that has just arrived; its status is null until it is answered. body: as JSON, if it is such.

        Raises `ValueError` when it is not.
        """
        with self._state.transaction():
            number = (self._state.get("sandbox.counters", "log") or 0) + 1
            self._state.put("sandbox.counters", "log", number)
            entry = {"id": number, "at": datetime.now(UTC).isoformat(), **entry}
            self._state.put(KIND, number, entry)
            if body:
                self._state.change_written(KIND, number, "body", body)
            self._state.delete(KIND, number - KEPT_ENTRIES)
        return entry

    def close(self, number: int, **known: Any) -> None:
        """Write into the entry what is now known of it, unless the log was cleared meanwhile."""
        self._state.change(KIND, number, **known)

    def find(self, *, service: str | None, method: str | None, writes: bool, since: int) -> list[dict[str, Any]]:
        """Entries after the id `since`, oldest first; `writes` keeps only those that changed something."""
        wanted: dict[str, Any] = {key: value for key, value in (("service", service), ("method", method)) if value}
        if writes:
            wanted["write"] = True
        return [entry for entry in self._state.all(KIND, **wanted) if entry["id"] > since]

    def clear(self) -> None:
        """Forget every entry."""
        self._state.delete_all(KIND)


class Recording:
    """One request's entry while it is being answered; found by inner layers in `scope["state"]["recording"]`."""

    def __init__(self, log: RequestLog, scope: Scope, body: bytes) -> None:
        self._log = log
        self._facts = scope["state"]
        self._entry = _opened(log, scope, body)
        self._is_closed = False

    def finish(self, status: int) -> None:
        """Write the status, the person and whether it was a write; only the first call counts."""
        if self._is_closed:
            return
        self._is_closed = True
        write = self._facts.get("write")
        looks_like_write = self._facts.get("fault") in DONE_ALL_THE_SAME and _writes(self._entry)
        self._log.close(
            self._entry["id"],
            status=status,
            person=self._facts.get("person"),
            write=status < 400 and (looks_like_write if write is None else write),
            fault=self._facts.get("fault"),
        )


class LogMiddleware:
    """Writes the log around everything that is not a control route."""

    def __init__(self, app: ASGIApp, *, log: RequestLog) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or service_and_path(scope)[0] in CONTROL:
            await self._app(scope, receive, send)
            return
        body = await _whole_body(receive)
        scope = {**scope, "state": dict(scope.get("state") or {})}
        recording = scope["state"]["recording"] = Recording(self._log, scope, body)

        async def send_recorded(message: Message) -> None:
            if message["type"] == "http.response.start":
                recording.finish(message["status"])
            await send(message)

        try:
            await self._app(scope, _replaying(body, receive), send_recorded)
        except Exception:
            recording.finish(500)
            raise


def service_and_path(scope: Scope) -> tuple[str, str]:
    """The service's name and the path after its base, such as ("google", "/calendar/v3/…"), wherever it is mounted."""
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    service, slash, rest = path.lstrip("/").partition("/")
    return service, slash + rest


def without_secrets(value: Any) -> Any:
    """A copy with every secret's text hidden, at any depth."""
    if isinstance(value, dict):
        return {
            key: HIDDEN if isinstance(inner, str) and key.lower() in SECRETS else without_secrets(inner)
            for key, inner in value.items()
        }
    return [without_secrets(inner) for inner in value] if isinstance(value, list) else value


def _opened(log: RequestLog, scope: Scope, body: bytes) -> dict[str, Any]:
    """A body that holds no secret is kept as it came: a model request is a hundred kilobytes of tools."""
    if body.startswith(b"{") and len(body) <= LONGEST_BODY and not _NAMES_SECRET.search(body):
        with suppress(ValueError):
            return log.open(_entry(scope, None), body.decode())
    return log.open(_entry(scope, _readable(scope, body)))


def _entry(scope: Scope, body: Any) -> dict[str, Any]:
    service, path = service_and_path(scope)
    return {
        "service": service,
        "method": scope["method"],
        "path": path,
        "query": without_secrets(_form(scope["query_string"])),
        "status": None,
        "person": None,
        "write": False,
        "body": body,
        "fault": None,
    }


def _readable(scope: Scope, body: bytes) -> Any:
    kind = dict(scope["headers"]).get(b"content-type", b"").decode("latin-1")
    if not body:
        return None
    if len(body) > LONGEST_BODY:
        return f"[{len(body)} bytes]"
    if "x-www-form-urlencoded" in kind:
        return without_secrets(_form(body))
    try:
        return without_secrets(json.loads(body))
    except ValueError:
        return f"[{len(body)} bytes of {kind or 'no type'}]"


def _form(encoded: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in parse_qsl(encoded.decode("utf-8", "replace"), keep_blank_values=True):
        if key in fields:
            earlier = fields[key]
            fields[key] = [*(earlier if isinstance(earlier, list) else [earlier]), value]
        else:
            fields[key] = value
    return fields


def _writes(entry: dict[str, Any]) -> bool:
    last = entry["path"].rstrip("/").rpartition("/")[2]
    is_changing = entry["method"] in ("POST", "PUT", "PATCH", "DELETE") and last not in NOT_WRITES
    return is_changing and entry["service"] not in ("anthropic", "oidc")


async def _whole_body(receive: Receive) -> bytes:
    chunks, more = [], True
    while more:
        message = await receive()
        chunks.append(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
    return b"".join(chunks)


def _replaying(body: bytes, receive: Receive) -> Receive:
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay
