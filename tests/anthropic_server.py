"""A socket that answers Messages API requests with scripted bytes, for failures that a real server rarely has."""

import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Refusal:
    """An answer with a status other than 200."""

    def __init__(self, status: int, kind: str, message: str = "", **headers: str) -> None:
        self.status = status
        self.headers = headers
        self.body = {"type": "error", "error": {"type": kind, "message": message}}


class Stall:
    """Says nothing more until the test is over."""


class Reset:
    """Drops the connection without ending the answer."""


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


START = event(
    "message_start",
    message={
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-5-5",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "cache_read_input_tokens": 5, "output_tokens": 1},
    },
)
OVERLOADED = event("error", error={"type": "overloaded_error", "message": "Overloaded"})


def text(*words: str, index: int = 0, is_closed: bool = True) -> list[dict[str, Any]]:
    start = event("content_block_start", index=index, content_block={"type": "text", "text": ""})
    deltas = [event("content_block_delta", index=index, delta={"type": "text_delta", "text": word}) for word in words]
    return [start, *deltas, *([event("content_block_stop", index=index)] if is_closed else [])]


def call(name: str, *pieces: str, index: int = 0, is_closed: bool = True) -> list[dict[str, Any]]:
    block = {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": {}}
    deltas = [
        event("content_block_delta", index=index, delta={"type": "input_json_delta", "partial_json": piece})
        for piece in pieces
    ]
    closed = [event("content_block_stop", index=index)] if is_closed else []
    return [event("content_block_start", index=index, content_block=block), *deltas, *closed]


def end(stop_reason: str) -> list[dict[str, Any]]:
    delta = {"stop_reason": stop_reason, "stop_sequence": None}
    return [event("message_delta", delta=delta, usage={"output_tokens": 9}), event("message_stop")]


class _Server(ThreadingHTTPServer):
    request_queue_size = 256


class AnthropicServer:
    """Answers each request with the next entry of `script`; `requests` are the bodies it got, `headers` theirs.

    An entry is a list of events; a text among them goes out as it stands.
    """

    def __init__(self) -> None:
        self.script: list[Any] = []
        self.requests: list[Mapping[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self._over = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                """The list of models, for a key that is tried."""
                answer = fake.script.pop(0)
                assert isinstance(answer, Refusal)
                self._refuse(answer)

            def do_POST(self) -> None:
                fake.headers.append(dict(self.headers.items()))
                fake.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                answer = fake.script.pop(0)
                if isinstance(answer, Refusal):
                    self._refuse(answer)
                else:
                    # Who gets something garbled does not wait for the rest.
                    with suppress(ConnectionError):
                        self._play(answer)

            def _refuse(self, refusal: Refusal) -> None:
                body = json.dumps(refusal.body).encode()
                self.send_response(refusal.status)
                for name, value in {**refusal.headers, "content-length": str(len(body))}.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(body)

            def _play(self, events: list[Any]) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for event in events:
                    if isinstance(event, Stall):
                        fake._over.wait(30)
                        return
                    if isinstance(event, Reset):
                        self.connection.close()
                        return
                    sent = event if isinstance(event, str) else f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                    self.wfile.write(sent.encode())
                    self.wfile.flush()

            def log_message(self, *args: Any) -> None:
                """Tests look at `requests` instead."""

        return Handler
