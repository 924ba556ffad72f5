"""Canvas of real shape on a real socket, as scripted, and hosts beside it that only remember who came."""

import json
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from requests.adapters import HTTPAdapter

from services.connections.connector import Grant
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.materials.listing_caches import ListingCaches
from services.integrations.canvas.materials.source import CanvasMaterials
from services.integrations.canvas.transport import CanvasTimeouts
from services.runtime.total_timeout import TotalTimeoutAdapter
from services.safety.fetch import SafeFetch

HASTY = CanvasTimeouts(connect_s=1.0, read_s=1.5, total_s=6.0, sleep=lambda seconds: None)
TOKEN = "canary-token"
COURSE = "/api/v1/courses/101"


@dataclass(frozen=True, kw_only=True)
class Said:
    """Answer of a host. body: bytes as they are, anything else as JSON."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def moved(to: str, status: int = 302) -> Said:
    return Said(status=status, headers={"location": to})


def refused(status: int, message: str = "user not authorized to perform that action") -> Said:
    return Said(body={"status": "unauthorized", "errors": [{"message": message}]}, status=status)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Request that a host got. headers: lower-case names."""

    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error."""


class ScriptedHost:
    """Host on 127.0.0.1 that answers by path; `paths` may be changed while it runs. What it does not know is 404."""

    def __init__(self, paths: Mapping[str, Any] | None = None, tls: ssl.SSLContext | None = None) -> None:
        self.paths: dict[str, Any] = dict(paths or {})
        self.seen: list[Seen] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host._answer(self)

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = _QuietServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self.origin = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> "ScriptedHost":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def tokens(self) -> list[str]:
        """What came with each request as its Authorization."""
        return [request.headers.get("authorization", "") for request in self.seen]

    def asked(self, path: str) -> int:
        return sum(request.path == path for request in self.seen)

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        address = urlsplit(request.path)
        headers = {name.lower(): value for name, value in request.headers.items()}
        seen = Seen(path=address.path, query=parse_qs(address.query), headers=headers)
        self.seen.append(seen)
        said = self.paths.get(address.path, Said(body={"errors": [{"message": "not found"}]}, status=404))
        said = said(seen) if callable(said) else said
        said = said if isinstance(said, Said) else Said(body=said)
        is_json = not isinstance(said.body, bytes)
        body = json.dumps(said.body).encode() if is_json else said.body
        kind = {"content-type": "application/json; charset=utf-8" if is_json else "application/octet-stream"}
        request.send_response(said.status)
        for name, value in {**kind, "content-length": str(len(body)), **said.headers}.items():
            request.send_header(name, value)
        request.end_headers()
        try:
            request.wfile.write(body)
        except OSError:
            request.close_connection = True


def client_at(origin: str, adapter: HTTPAdapter | None = None) -> CanvasClient:
    grant = Grant(origin=origin, access_token=TOKEN)
    return CanvasClient(grant, timeouts=HASTY, adapter=adapter or TotalTimeoutAdapter())


def source_at(canvas: ScriptedHost, *allowed: str, base: str = "") -> CanvasMaterials:
    """Source of a student of this Canvas, whose operator allows these origins beside it."""
    return CanvasMaterials(client_at(canvas.origin + base), SafeFetch(allow=frozenset(allowed)), ListingCaches())


def file_row(canvas: ScriptedHost, id: Any = 7, **fields: Any) -> dict[str, Any]:
    """File as Canvas writes it."""
    name = fields.get("display_name", f"Lecture {id}.pdf")
    return {
        "id": id,
        "uuid": f"uuid{id}",
        "folder_id": 9,
        "display_name": name,
        "filename": str(name).replace(" ", "+"),
        "upload_status": "success",
        "content-type": "application/pdf",
        "url": f"{canvas.origin}/files/{id}/download?download_frd=1",
        "size": 11,
        "created_at": "2026-10-01T08:00:00Z",
        "updated_at": "2026-10-02T08:00:00Z",
        "modified_at": "2026-10-02T08:00:00Z",
        "unlock_at": None,
        "locked": False,
        "hidden": False,
        "lock_at": None,
        "hidden_for_user": False,
        "locked_for_user": False,
        **fields,
    }


def course_paths(canvas: ScriptedHost, **lists: Any) -> dict[str, Any]:
    """Paths of a course with these lists; those that are not given are empty."""
    course = {"id": 101, "name": "BIOL", "course_code": "BIOL", "syllabus_body": lists.pop("syllabus", None)}
    course["teachers"] = [{"id": 5, "display_name": "Dr. Reyes"}]
    topics, news = lists.pop("topics", []), lists.pop("announcements", [])
    names = ("modules", "files", "folders", "pages", "assignments")

    def told(request: Seen) -> Any:
        return news if "only_announcements" in request.query else topics

    return {
        COURSE: course,
        f"{COURSE}/discussion_topics": told,
        **{f"{COURSE}/{name}": lists.get(name, []) for name in names},
    }
