"""Preparation of a demo: the campus is seeded and serves alone, while the first data are written."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from commands.demo.environment import DemoAddress
from services.errors import HomeroomError
from services.settings import ROOT

STOP_S = 10.0
CAMPUS_FILE = "campus.sqlite"
"""In the data directory, where the app opens it (`api/app_factory.py`)."""


@dataclass(frozen=True, kw_only=True)
class PreparedDemo:
    """What was prepared. page: what the script opens, as `written_page` writes it. people: the presenter, then the
    students, as their sign-in tells them.
    """

    class_id: str
    page: str
    class_name: str
    join_code: str
    presenter_key: str = field(repr=False)
    people: list[Mapping[str, str]] = field(repr=False)


class PreparationFailed(HomeroomError):
    """A program of the preparation ended with an error; what it said is in the message."""


def prepare(
    seed: Path, *, address: DemoAddress, students: int, dollars: int | None, environment: Mapping[str, str]
) -> PreparedDemo:
    """Write the first data into the folder `seed`; some seconds. dollars: what answers may cost in all; None is no end.

    Raises `PreparationFailed`.
    """
    seed.mkdir(mode=0o700)
    key = secrets.token_urlsafe(24)
    command = ["sandbox", "--port", str(address.port), "--host", address.campus_host, "--origin", address.url]
    command += ["--data", str(seed / CAMPUS_FILE), "--students", str(students)]
    campus = _started(command, environment)
    try:
        assert campus.stdin is not None
        assert campus.stdout is not None
        campus.stdin.write(f"{key}\n")
        campus.stdin.flush()
        campus.stdout.readline()
        people = campus.stdout.readline()
        if not people:
            raise _failed("The campus", campus)
        with _started(["commands.demo.first_data"], environment) as writer:
            try:
                told, problem = writer.communicate(json.dumps({"people": json.loads(people), "dollars": dollars}))
            finally:
                writer.kill()
        if writer.returncode:
            raise PreparationFailed(f"The first data could not be written.\n{problem.strip()}")
    finally:
        _stop(campus)
    made = json.loads(told)
    return PreparedDemo(
        class_id=made["id"],
        page=made["page"],
        class_name=made["name"],
        join_code=made["code"],
        presenter_key=key,
        people=json.loads(people),
    )


def _started(module: list[str], environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    # In a session of its own: Ctrl+C reaches us alone, and whatever ends us ends it.
    tied = [sys.executable, "-m", "commands.serve.tied_process", str(os.getpid())]
    return subprocess.Popen(  # noqa: S603 - our own program
        [*tied, sys.executable, "-m", *module],
        cwd=ROOT,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _failed(name: str, process: "subprocess.Popen[Any]") -> PreparationFailed:
    process.kill()
    _, problem = process.communicate()
    return PreparationFailed(f"{name} could not start.\n{problem.strip()}")


def _stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.communicate(timeout=STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
