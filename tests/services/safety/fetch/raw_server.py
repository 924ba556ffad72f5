"""A server on a real socket that says exactly the bytes it was told to, as slowly as it was told to."""

import socket
import threading
from collections.abc import Callable, Iterable
from types import TracebackType

Script = Callable[[bytes], Iterable[bytes]]
"""What to send for a request, given its head; a script that waits for `release` hangs."""


class RawServer:
    """Serves on 127.0.0.1; `requests` are the heads it was sent, `connections` counts who came."""

    def __init__(self, script: Script | bytes) -> None:
        self._script: Script = script if callable(script) else lambda _: (script,)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.requests: list[str] = []
        self.connections = 0
        self.release = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> "RawServer":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release.set()
        # A blocking accept does not notice that its socket is closed: come by once more.
        socket.create_connection(("127.0.0.1", self.port)).close()
        self._thread.join(5)
        self._listener.close()

    def _serve(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self.release.is_set():
                connection.close()
                return
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            head = connection.recv(65_536)
            self.requests.append(head.decode("latin-1"))
            try:
                for part in self._script(head):
                    connection.sendall(part)
            except OSError:
                return


def answer(body: bytes = b"", *, status: str = "200 OK", **headers: str) -> bytes:
    """A whole answer; `content_length` and others as headers, "_" for "-"."""
    named = {"content-length": str(len(body)), **{name.replace("_", "-"): value for name, value in headers.items()}}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body


def moved(to: str, status: str = "302 Found") -> bytes:
    return answer(status=status, location=to)
