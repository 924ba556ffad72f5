"""Scripted failures: which are set, and what each does to a request (`POST /sandbox/faults`)."""

import asyncio
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.connection_faults import cut
from sandbox.fault_bodies import anthropic_error, error_body
from sandbox.log import CONTROL, service_and_path
from sandbox.state import State
from sandbox.stream_faults import StreamFault

KIND = "sandbox.faults"
POLL_S = 0.05
MATCHING = {"service": "", "method": None, "path": None, "fault": "", "times": 1, "skip": 0}
FIELDS: dict[str, dict[str, Any]] = {
    "status": {"status": ..., "body": None, "headers": {}},
    "delay": {"seconds": ...},
    "hang": {},
    "html": {},
    "truncate": {},
    "lose_response": {},
    "replace_response": {"body": ..., "content_type": "application/json"},
    "redirect_loop": {},
    "revoke_tokens": {"person": ...},
}
STREAM_FIELDS: dict[str, dict[str, Any]] = {
    "overloaded": {},
    "overloaded_midstream": {"after_words": ...},
    "early_end": {"after_words": ...},
    "stall": {"after_words": ...},
    "pause": {"after_words": ...},
    "refuse": {},
    "billing": {},
}
# No failures of a request but how the model behaves; its own package reads them (sandbox/model/scripted_behavior.py).
MANNER_FIELDS: dict[str, dict[str, Any]] = {
    "pace": {"words_per_second": ...},
    "obey": {},
    "stop_reason": {"stop_reason": ...},
    "no_betas": {},
    "no_output_schema": {},
}
MAINTENANCE = (
    "<!doctype html><html><head><title>Maintenance</title></head><body><h1>Down for maintenance</h1></body></html>"
)


class Faults:
    """The failures that are set, in the campus's state, so that they outlive a restart."""

    def __init__(self, state: State) -> None:
        self._state = state

    def add(self, wish: dict[str, Any]) -> dict[str, Any]:
        """Set a failure; ValueError says what is wrong with the wish."""
        fault = {**checked(wish), "seen": 0, "used": 0}
        with self._state.transaction():
            number = (self._state.get("sandbox.counters", "faults") or 0) + 1
            self._state.put("sandbox.counters", "faults", number)
            fault["id"] = number
            self._state.put(KIND, number, fault)
        return fault

    def all(self) -> list[dict[str, Any]]:
        """Every failure that was set since the last clearing, used up or not."""
        return self._state.all(KIND)

    def clear(self) -> None:
        """Forget them all; requests that hang are let go."""
        self._state.delete_all(KIND)

    def strike(self, service: str, method: str, path: str) -> dict[str, Any] | None:
        """The failure that meets this request, counted as used; the earliest set wins."""
        with self._state.transaction():
            for fault in self.all():
                if fault["fault"] in MANNER_FIELDS or not _fits(fault, service, method, path):
                    continue
                is_due = fault["seen"] >= fault["skip"] and (fault["times"] == 0 or fault["used"] < fault["times"])
                self._state.put(KIND, fault["id"], {**fault, "seen": fault["seen"] + 1, "used": fault["used"] + is_due})
                if is_due:
                    return fault
        return None

    def is_set(self, fault: dict[str, Any]) -> bool:
        """Whether the failure has not been cleared yet."""
        return self._state.get(KIND, fault["id"]) is not None


class FaultMiddleware:
    """Lets the failures that are set happen to the requests they fit."""

    def __init__(self, app: ASGIApp, *, faults: Faults) -> None:
        self._app = app
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or service_and_path(scope)[0] in CONTROL:
            await self._app(scope, receive, send)
            return
        service, path = service_and_path(scope)
        fault = self._faults.strike(service, scope["method"], path)
        if fault is None:
            await self._app(scope, receive, send)
            return
        scope["state"]["fault"] = fault["fault"]
        await self._apply(fault, scope, receive, send)

    async def _apply(self, fault: dict[str, Any], scope: Scope, receive: Receive, send: Send) -> None:
        kind = fault["fault"]
        if kind == "delay":
            await asyncio.sleep(fault["seconds"])
            await self._app(scope, receive, send)
        elif kind == "hang":
            await self._hold(fault, receive)
            await cut(scope, receive, send)
        elif kind in ("truncate", "lose_response"):
            await self._spoil(kind, scope, receive, send)
        elif kind == "replace_response":
            await _work(self._app, scope, receive)
            headers = {"content-type": fault["content_type"]}
            await Response(fault["body"], 200, headers)(scope, receive, send)
        elif kind in ("overloaded_midstream", "early_end", "stall", "pause"):
            stream = StreamFault(fault, send, hold=lambda: self._hold(fault, receive))
            await self._app(scope, receive, stream.send)
            await stream.end()
        else:
            await _instead(fault, scope)(scope, receive, send)

    async def _spoil(self, kind: str, scope: Scope, receive: Receive, send: Send) -> None:
        start, body = await _work(self._app, scope, receive)
        if kind == "lose_response" or len(body) < 2:
            scope["state"]["recording"].finish(start["status"])
            await cut(scope, receive, send)
            return
        headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        await send({**start, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
        await send({"type": "http.response.body", "body": body[: len(body) // 2], "more_body": True})
        await cut(scope, receive, send, has_begun=True)

    async def _hold(self, fault: dict[str, Any], receive: Receive) -> None:
        # Waits for the clearing or for the caller to give up, whichever is first; watched by polling because the
        # failure may be cleared from another thread or process.
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            while self._faults.is_set(fault) and not gone.done():
                await asyncio.sleep(POLL_S)
        finally:
            gone.cancel()


async def _work(app: ASGIApp, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
    messages: list[Message] = []

    async def keep(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, keep)
    return messages[0], b"".join(message.get("body", b"") for message in messages[1:])


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _instead(fault: dict[str, Any], scope: Scope) -> Response:
    kind = fault["fault"]
    if kind == "html":
        return HTMLResponse(MAINTENANCE)
    if kind == "redirect_loop":
        query = scope["query_string"].decode()
        return RedirectResponse(scope["path"] + ("?" + query if query else ""), status_code=302)
    if kind == "status":
        return _status_answer(fault)
    status, name, message = {
        "overloaded": (529, "overloaded_error", "Overloaded"),
        "refuse": (400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"),
        "billing": (402, "billing_error", "Your credit balance is too low to access the Anthropic API."),
    }[kind]
    return _json(anthropic_error(name, message), status)


def _status_answer(fault: dict[str, Any]) -> Response:
    body = fault["body"] if fault["body"] is not None else error_body(fault["service"], fault["status"])
    if isinstance(body, str):
        return Response(body, fault["status"], {"content-type": "text/plain; charset=utf-8", **fault["headers"]})
    return _json(body, fault["status"], fault["headers"])


def _json(body: Any, status: int, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """An answer whose body names its request says so in a header, too, as the Messages API does."""
    request_id = body.get("request_id") if isinstance(body, dict) and body.get("type") == "error" else None
    return JSONResponse(body, status, {**({"request-id": request_id} if request_id else {}), **(headers or {})})


def checked(wish: dict[str, Any]) -> dict[str, Any]:
    """The wish with every field of its kind filled in; ValueError says what is wrong with it."""
    kinds = FIELDS | (STREAM_FIELDS | MANNER_FIELDS if wish.get("service") == "anthropic" else {})
    if wish.get("fault") not in kinds:
        raise ValueError(f"unknown fault {wish.get('fault')!r}; known: {', '.join(kinds)}")
    if not wish.get("service"):
        raise ValueError("name the service")
    fields = MATCHING | kinds[wish["fault"]]
    if unknown := set(wish) - set(fields):
        raise ValueError(f"unknown fields: {', '.join(sorted(unknown))}")
    fault = fields | wish
    if missing := [name for name, value in fault.items() if value is ...]:
        raise ValueError(f"missing fields: {', '.join(missing)}")
    return fault


def _fits(fault: dict[str, Any], service: str, method: str, path: str) -> bool:
    is_method = fault["method"] is None or fault["method"].upper() == method
    return fault["service"] == service and is_method and (fault["path"] is None or fnmatchcase(path, fault["path"]))
