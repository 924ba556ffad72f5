"""Proxies in front of replicas: HAProxy and Caddy, each with the file of `deploy/` that an operator begins with."""

import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.load.app_server import free_port
from commands.serve import haproxy
from services.errors import SettingsError
from services.settings import ROOT

OF_PACKAGE = ("    user haproxy", "    group haproxy", "    chroot /var/lib/haproxy")
"""Lines for what only Debian's package has made."""
DEFAULT = "    default_backend replicas"
_START_S = 60.0


class Proxy(ABC):
    """Proxy in front of replicas, over plain HTTP on a port of its own; `/sandbox` leads to the campus alone.

    cookie: holds which replica a browser stays with.
    """

    name: str
    cookie = "homeroom_replica"

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    @abstractmethod
    def program() -> str | None:
        """Path of the program; installed where this process may install packages, None where it is not to be had."""

    @abstractmethod
    def _command(self, replicas: Sequence[int], campus: int) -> tuple[list[str], Mapping[str, str]]:
        """Command and environment, for replicas and a campus on these ports of this machine."""

    def start(self, replicas: Sequence[int], *, campus: int) -> None:
        """Serve these ports of this machine; returns when somebody answers."""
        command, environment = self._command(replicas, campus)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, env={"HOME": str(self._folder), **environment}, stdout=log, stderr=log
            )
        deadline = time.monotonic() + _START_S
        while not self._answers():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.1)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace")[-3000:]

    @property
    def _log(self) -> Path:
        return self._folder / "proxy.log"

    def _shipped(self, name: str, changes: Mapping[str, str]) -> Path:
        """Copy of a file of `deploy/` with these lines changed, each where it comes first."""
        text = (ROOT / "deploy" / name).read_text()
        for line, changed in changes.items():
            assert f"\n{line}\n" in text, f"{line!r} is no line of {name}"
            text = text.replace(f"\n{line}\n", f"\n{changed}\n", 1)
        file = self._folder / name
        file.write_text(text)
        return file

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False


class HaProxy(Proxy):
    """The program that also stands before workers."""

    name = "haproxy"

    @staticmethod
    def program() -> str | None:
        try:
            return haproxy.find_program(os.environ)
        except SettingsError:
            return _of_debian("haproxy")

    def _command(self, replicas: Sequence[int], campus: int) -> tuple[list[str], Mapping[str, str]]:
        first, second, *more = replicas
        outside = (
            f"\n    use_backend campus if {{ path_beg /sandbox }}\n\nbackend campus\n    server 1 127.0.0.1:{campus}"
        )
        file = self._shipped("haproxy.cfg", dict.fromkeys(OF_PACKAGE, "") | {DEFAULT: DEFAULT + outside})
        with file.open("a") as written:
            written.writelines(f"    server {n} 127.0.0.1:{port} cookie {n}\n" for n, port in enumerate(more, start=3))
        settings = {
            "HOMEROOM_BIND": f"127.0.0.1:{self.port}",
            "HOMEROOM_1": f"127.0.0.1:{first}",
            "HOMEROOM_2": f"127.0.0.1:{second}",
            "HOMEROOM_COOKIE": "",
        }
        return [str(self.program()), "-db", "-f", str(file)], settings


class Caddy(Proxy):
    """The proxy of compose.yaml, in the version of Debian's package."""

    name = "caddy"

    @staticmethod
    def program() -> str | None:
        return _of_debian("caddy")

    def _command(self, replicas: Sequence[int], campus: int) -> tuple[list[str], Mapping[str, str]]:
        # The administration's port is one for the whole machine.
        file = self._shipped("Caddyfile", {"{": "{\n\tadmin off"})
        settings = {
            "HOMEROOM_SITE": self.url,
            "HOMEROOM_UPSTREAMS": " ".join(f"localhost:{port}" for port in replicas),
            "HOMEROOM_TLS": f"reverse_proxy /sandbox* localhost:{campus}",
        }
        return [str(self.program()), "run", "--adapter", "caddyfile", "--config", str(file)], settings


def _of_debian(name: str) -> str | None:
    if shutil.which(name) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "-y", "--no-install-recommends", name]):
            subprocess.run(["apt-get", "-qq", *command], env=quiet, capture_output=True, check=False)
    return shutil.which(name)
