"""Builds the image from its Containerfile on a bare Debian, and tries it: `python -m tests.deploy.image`, as root.

For machines without a registry of images: `debootstrap` makes the base. Podman builds it, and runs it without root,
capabilities and a file system to write to. It takes some minutes, so it is no part of a test run.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from bench.load.app_server import free_port
from bench.load.live_client import LiveStudent
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient
from services.settings import ROOT

BASE, IMAGE, NAME = "localhost/homeroom-base", "localhost/homeroom", "homeroom-tried"
_PROGRAMS = ("podman", "buildah", "debootstrap", "runc")
_SOURCES = Path("/etc/apt/sources.list.d/debian.sources")
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_OPEN_S, _STOP_S = 90.0, 40
_LIMITS = ("--ulimit", "nofile=20000:20000", "--ulimit", "nproc=4000:4000")
"""Podman asks for more than a machine without systemd may grant."""
_CLOSED = ("--read-only", "--tmpfs", "/tmp:size=256m", "--cap-drop", "ALL", "--security-opt", "no-new-privileges")


def main() -> int:
    """Build, start, ask, back up and stop; 0 when all of it went well."""
    if missing := [name for name in _PROGRAMS if not shutil.which(name)]:
        run(["apt-get", "-qq", "-y", "install", "--no-install-recommends", *missing])
    with tempfile.TemporaryDirectory() as folder:
        make_base(Path(folder))
        build(Path(folder))
    size = run(["podman", "image", "inspect", IMAGE, "--format", "{{.Size}}"])
    tell(f"built: {int(size) / 1e6:.0f} MB")
    port = free_port()
    run(["podman", "rm", "--force", "--ignore", "--volumes", NAME])
    start(port)
    try:
        url = f"http://localhost:{port}"
        await_answer(f"{url}/ready")
        tell(f"ready; an answer took {asyncio.run(answer_s(url, sign_in(url))):.1f} s")
        inside(".venv/bin/python", "-SE", "deploy/probe.py", "/health")
        tell(inside(".venv/bin/python", "manage.py", "backup", "/data/backup.sqlite"))
        assert "10001" in inside("id", "-u"), "it runs as somebody else"
        began = time.monotonic()
        run(["podman", "stop", "--time", str(_STOP_S), NAME])
        code = run(["podman", "inspect", NAME, "--format", "{{.State.ExitCode}}"])
        tell(f"stopped in {time.monotonic() - began:.1f} s with {code}")
        return 0 if code == "0" else 1
    finally:
        run(["podman", "rm", "--force", "--volumes", NAME])


def make_base(folder: Path) -> None:
    """Import a bare Debian as an image, once."""
    if subprocess.run(["podman", "image", "exists", BASE], check=False).returncode == 0:
        return
    system = folder / "system"
    run(["debootstrap", "--variant=minbase", "bookworm", str(system)])
    if _SOURCES.exists():
        shutil.copy(_SOURCES, system / "etc/apt/sources.list.d")
        (system / "etc/apt/sources.list").unlink(missing_ok=True)
    archive = folder / "system.tar"
    run(["tar", "-C", str(system), "-cf", str(archive), "."])
    run(["podman", "import", "--quiet", str(archive), BASE])


def build(folder: Path) -> None:
    """Build the Containerfile as it is; only pip is told which certificates this machine trusts."""
    settings = folder / "pip.conf"
    settings.write_text("[global]\ncert = /certificates.crt\n")
    mounts = ["-v", f"{settings}:/etc/pip.conf:ro", "-v", f"{_CERTIFICATES.resolve()}:/certificates.crt:ro"]
    given = ["--format", "docker", "--network", "host", "--isolation", "chroot", "--build-arg", f"BASE={BASE}"]
    run(["podman", "build", "--quiet", *given, *mounts, "-t", IMAGE, "-f", "Containerfile", "."])


def start(port: int) -> None:
    settings = ["-e", "HOMEROOM_DEMO=1", "-e", f"HOMEROOM_PORT={port}"]
    how = ["--runtime", "runc", "--network", "host", "--no-healthcheck", "-v", "/data", *_LIMITS, *_CLOSED]
    run(["podman", "run", "-d", "--name", NAME, *how, *settings, IMAGE])


def inside(*command: str) -> str:
    return run(["podman", "exec", NAME, *command])


async def answer_s(url: str, cookies: dict[str, str]) -> float:
    """Seconds from a question to the end of its answer."""
    async with StreamlitClient(url, cookies) as tab:
        await tab.open()
        student = LiveStudent(url=url, cookies=cookies, words=20, text="/say-long 20")
        await student.ask()
        await student.leave()
        return student.timing().last_s


def await_answer(address: str) -> None:
    deadline = time.monotonic() + _OPEN_S
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (OSError, urllib.error.URLError):
            assert time.monotonic() < deadline, run(["podman", "logs", NAME])
            time.sleep(0.5)


def run(command: Sequence[str]) -> str:
    """What a program says; raises `SystemExit` with its words when it fails."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:3])} failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout.strip()


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
