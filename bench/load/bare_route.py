"""A POST and a server-sent stream alone: the least that the live route can cost. No store, no sign-in, no Markdown.

`python -m bench.load.bare_route PORT MODEL_URL` serves it. It takes the requests of `live_client.LiveStudent`.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

ASK = {"model": "claude-haiku-5-5", "max_tokens": 1000, "stream": True}


class BareRoute:
    """Answers by their ids, each read by one task and followed by one stream."""

    def __init__(self, model_url: str) -> None:
        address = urlsplit(model_url)
        self._host, self._port = str(address.hostname), address.port
        self._answers: dict[str, asyncio.Queue[str]] = {}
        self._reading: set[asyncio.Task[None]] = set()

    def routes(self) -> list[Route]:
        return [
            Route("/health", self.health),
            Route("/live/messages", self.post, methods=["POST"]),
            Route("/live/{id}", self.follow),
        ]

    async def health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def post(self, request: Request) -> Response:
        """Begin an answer."""
        text, id = (await request.json())["text"], str(len(self._answers))
        queue = self._answers[id] = asyncio.Queue()
        task = asyncio.create_task(self._read(text, queue))
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)
        return JSONResponse({"conversation_id": id, "turn_id": id}, 202)

    async def follow(self, request: Request) -> Response:
        """Stream an answer."""
        events = self._events(self._answers[request.path_params["id"]])
        return StreamingResponse(events, media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def _events(self, queue: asyncio.Queue[str]) -> AsyncIterator[bytes]:
        number = 0
        while text := await queue.get():
            number += 1
            yield _event(number, "text", {"n": 0, "text": text})
        yield _event(number + 1, "end", {"status": "done", "notice": None, "redraw_in_ms": 0})

    async def _read(self, text: str, queue: asyncio.Queue[str]) -> None:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        body = json.dumps({**ASK, "messages": [{"role": "user", "content": text}]}).encode()
        head = f"POST /v1/messages HTTP/1.1\r\nhost: {self._host}\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        while (line := await reader.readline()) != b"0\r\n":
            if line.startswith(b"data: ") and (piece := json.loads(line[6:]).get("delta", {}).get("text")):
                queue.put_nowait(piece)
        queue.put_nowait("")
        writer.close()


def _event(number: int, name: str, fields: dict[str, object]) -> bytes:
    return f"id: {number}\nevent: {name}\ndata: {json.dumps(fields)}\n\n".encode()


if __name__ == "__main__":
    app = Starlette(routes=BareRoute(sys.argv[2]).routes())
    uvicorn.run(app, host="localhost", port=int(sys.argv[1]), log_level="warning", access_log=False)
