"""A real MongoDB-wire server (SecantusDB) for tests, from an environment of its own."""

import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from tests.mongo_environment import installed

DURABLE = ("--sync-on-commit",)
_START_S = 20


class MongoServer:
    """One server process on a port of its own; its data stays in `storage` across `kill` and `start`.

    options: such as `DURABLE`, which every server needs whose data is looked at after a crash.
    """

    def __init__(self, storage: Path, *, options: tuple[str, ...] = DURABLE) -> None:
        self.port = _free_port()
        self.uri = f"mongodb://127.0.0.1:{self.port}"
        self._storage = storage
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it answers."""
        place = ("--host", "127.0.0.1", "--port", str(self.port), "--storage-path", str(self._storage / "store"))
        # Its sweeper goes by the real time, and a test's documents by the test's.
        settings = self._storage / "server.toml"
        settings.write_text("[storage]\nttl_sweep_seconds = 0\n")
        command = [str(installed()), "--config", str(settings), *place, *self._options]
        with (self._storage / "server.log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd=self._storage, stdout=log, stderr=log)
        self._await_answer()

    def kill(self) -> None:
        """End it with SIGKILL, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """Let it hold its connections and answer nothing, as behind a network that swallows packets."""
        self._running().send_signal(signal.SIGSTOP)
        # The signal is on its way: what is asked until all threads stand still would yet be answered.
        os.waitpid(self._running().pid, os.WUNTRACED)

    def thaw(self) -> None:
        self._running().send_signal(signal.SIGCONT)

    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "the server was not started"
        return self._process

    def _end(self, how: signal.Signals) -> None:
        process = self._running()
        process.send_signal(how)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _await_answer(self) -> None:
        deadline = time.monotonic() + _START_S
        with MongoClient(self.uri, serverSelectionTimeoutMS=_START_S * 1000) as client:
            while True:
                try:
                    client.admin.command("ping")
                except PyMongoError:
                    if self._running().poll() is not None or time.monotonic() > deadline:
                        raise AssertionError((self._storage / "server.log").read_text()[-2000:]) from None
                else:
                    return


def _free_port() -> int:
    """Below the ports that the kernel hands out, so that nobody is given it while our server is down."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


@pytest.fixture(scope="session")
def mongo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MongoServer]:
    """One server for the whole run, which waits for no disk; tests that stop it start one of their own."""
    server = MongoServer(tmp_path_factory.mktemp("mongo"), options=())
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def mongo_uri(mongo_server: MongoServer) -> str:
    """The server's address without a database: give each test a database of its own."""
    return mongo_server.uri


@pytest.fixture(scope="session")
def mongo_client(mongo_uri: str) -> Iterator[MongoClient[dict[str, object]]]:
    """For what a test does to the server behind Homeroom's back."""
    with MongoClient(mongo_uri) as client:
        yield client
