"""HAProxy's configuration, read by HAProxy itself, and what it does to the headers of a request."""

import os
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from commands.serve import haproxy
from commands.serve.command import listen
from commands.serve.haproxy import require_configuration, write_configuration
from services.errors import SettingsError
from tests.commands.serve.deployment import wait_until


@pytest.fixture
def program() -> str:
    try:
        return haproxy.find_program(os.environ)
    except SettingsError:
        pytest.skip("no HAProxy for this platform")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path: that of a Unix socket may have 108 bytes."""
    with TemporaryDirectory(prefix="homeroom-test-") as name:
        yield Path(name)


@pytest.mark.parametrize("workers", [2, 9, 64])
def test_the_configuration_is_one_that_haproxy_takes(program: str, folder: Path, workers: int) -> None:
    sockets = [folder / f"{number}.sock" for number in range(1, workers + 1)]
    with listen(0, "localhost") as listener:
        file = write_configuration(
            folder, sockets, listener=listener.fileno(), public_url="https://a.example", has_campus=True
        )
        require_configuration(program, file, listener.fileno())

    text = file.read_text()
    assert text.count("    server ") == workers + 1
    assert "attr SameSite=Lax secure" in text


def test_a_haproxy_that_does_not_take_it_is_named_with_what_to_do(program: str, folder: Path) -> None:
    file = folder / "haproxy.cfg"
    file.write_text("global\n    no-such-word\n")
    with listen(0, "localhost") as listener, pytest.raises(SettingsError, match="does not start") as caught:
        require_configuration(program, file, listener.fileno())

    assert (caught.value.name, "no-such-word" in str(caught.value)) == ("HOMEROOM_WORKERS", True)


def test_a_proxy_on_this_machine_tells_who_comes_and_how(program: str, folder: Path) -> None:
    with balanced(program, folder, ["echo"]) as url:
        behind_proxy = {"X-Forwarded-For": "6.6.6.6, 203.0.113.7", "X-Forwarded-Proto": "https"}
        heads = [httpx.get(url, headers=headers, trust_env=False).text.lower() for headers in (behind_proxy, {})]

    assert "x-forwarded-for: 203.0.113.7\r\n" in heads[0]
    assert "x-forwarded-proto: https\r\n" in heads[0]
    assert "x-forwarded-for: 127.0.0.1\r\n" in heads[1]
    assert "homeroom_worker" not in heads[1]


def test_while_no_worker_is_up_a_page_says_so_and_comes_again(program: str, folder: Path) -> None:
    with balanced(program, folder, [""]) as url:
        answer = httpx.get(url, trust_env=False)

    assert (answer.status_code, answer.headers["retry-after"], answer.headers["refresh"]) == (503, "5", "5")
    assert '<p lang="es">' in answer.text


@contextmanager
def balanced(program: str, folder: Path, workers: Sequence[str]) -> Iterator[str]:
    """HAProxy in front of workers that answer with the head they were sent, or do not live (""); its address."""
    sockets = [folder / f"{number}.sock" for number in range(1, len(workers) + 1)]
    with listen(0, "localhost") as listener:
        for path, worker in zip(sockets, workers, strict=True):
            if worker:
                threading.Thread(target=_echo, args=(_server(path),), daemon=True).start()
        file = write_configuration(
            folder, sockets, listener=listener.fileno(), public_url="http://localhost", has_campus=False
        )
        with subprocess.Popen([program, "-db", "-q", "-f", str(file)], pass_fds=[listener.fileno()]) as process:
            try:
                url = f"http://127.0.0.1:{listener.getsockname()[1]}"
                wait_until(lambda: httpx.get(url, trust_env=False).status_code > 0, what="it answers")
                yield url
            finally:
                process.terminate()


def _server(path: Path) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen()
    return server


def _echo(server: socket.socket) -> None:
    while True:
        connection, _ = server.accept()
        with connection:
            head = connection.recv(65_536)
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n" + head)
