"""Voyage's API over real HTTP, scripted: it checks requests as the API does, and fails as it is told."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "pa-secret-key"
MEANINGS = ("osmosis thirst salt water cucumber", "republic rome caesar empire", "membrane wall barrier")
"""Words of a line are near each other for this model."""


class VoyageServer:
    """failures: answers before the first good one, as (status, headers). bodies: of every request, in order.

    garbled: what is answered in place of vectors. delay: waited for before every answer.
    """

    def __init__(self) -> None:
        self.failures: list[tuple[int, dict[str, str]]] = []
        self.bodies: list[dict[str, Any]] = []
        self.garbled: str | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.address = ""
        self.as_fractions = False

    @property
    def texts(self) -> list[str]:
        return [text for body in self.bodies for text in body["input"]]

    def answer(self, key: str, body: dict[str, Any]) -> tuple[int, dict[str, str], str]:
        self.bodies.append(body)
        self.gate.wait(10)
        if self.failures:
            status, headers = self.failures.pop(0)
            return status, headers, json.dumps({"detail": f"about {body['input'][0]}"})
        if key != f"Bearer {KEY}":
            return 401, {}, json.dumps({"detail": "Provided API key is invalid."})
        if len(body["input"]) > 1000 or not all(body["input"]) or body["input_type"] not in ("document", "query"):
            return 400, {}, json.dumps({"detail": "The request body is not valid."})
        if self.garbled is not None:
            return 200, {}, self.garbled
        rows = [{"index": at, "embedding": self._vector(text, body)} for at, text in enumerate(body["input"])]
        return 200, {}, json.dumps({"object": "list", "data": rows[::-1], "usage": {"total_tokens": 1}})

    def _vector(self, text: str, body: dict[str, Any]) -> list[float]:
        numbers = [0.0] * body["output_dimension"]
        for place, words in enumerate(MEANINGS):
            numbers[place] = float(sum(word in text.lower() for word in words.split()))
        numbers[-1] = 0.2
        largest = max(numbers)
        return [number / largest if self.as_fractions else round(127 * number / largest) for number in numbers]


@contextmanager
def voyage_server() -> Iterator[VoyageServer]:
    voyage = VoyageServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, text = voyage.answer(self.headers.get("Authorization", ""), body)
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        voyage.address = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield voyage
        finally:
            voyage.gate.set()
            server.shutdown()
            thread.join()
