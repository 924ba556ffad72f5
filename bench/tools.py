"""What tools cost: requests of the commonest questions, asked and asked again, and time over the raw clients."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from bench.bare_clients import bare_clients
from bench.load.campus import Campus
from bench.load.forms import press
from bench.questions import QUESTIONS, Question
from bench.store_reads import connect, settings_at
from services import bootstrap
from services.identity.students import Student
from services.settings import read
from services.wiring.container import ServiceContainer

HEAD = ("question", "tool", "requests", "asked again", "by course", "time over raw client")
CONNECTED = {"canvas": "canvas", "google": "google_calendar", "notion": "notion"}
"""The integration by the campus's name for its service."""
ROUNDS = 15
VERIFIER = "bench-verifier-that-is-long-enough-for-rfc-7636"


@dataclass(frozen=True, kw_only=True)
class Cost:
    """requests: to outside services. again: of the same question right afterwards. ratio: door over raw client."""

    question: Question
    requests: int
    again: int
    ratio: float


def measure(data_dir: Path) -> list[list[str]]:
    costs = costs_of(data_dir, rounds=ROUNDS)
    rows = [_row(cost) for cost in costs]
    hits = sum(not cost.again for cost in costs)
    total = sum(cost.requests for cost in costs)
    ratio = statistics.median(cost.ratio for cost in costs)
    return [*rows, ["all", "", f"{total}", f"{hits} of {len(costs)} kept", "", f"{ratio:.2f} (median)"]]


def costs_of(data_dir: Path, *, rounds: int) -> list[Cost]:
    """Every question on a campus of its own, each `rounds` times for its time; both sides in the same run."""
    with Campus(data_dir) as campus, httpx.Client(timeout=20, trust_env=False) as http:
        container = bootstrap.build(read(settings_at(campus.url, data_dir / "tools")))
        student = container.students.sign_in(
            issuer="bench", subject="maya", name="Maya Chen", email="", timezone="America/Chicago"
        )
        for integration in CONNECTED.values():
            connect(container, student, integration)
        tokens = {name: _token(http, container, id) for name, id in CONNECTED.items()}
        with bare_clients(campus.url, tokens) as raw:
            asker = _Asker(container, student, lambda since: _log(http, campus.url, since), raw)
            costs = [asker.cost(question, rounds) for question in QUESTIONS]
        container.store.close()
        return costs


class _Asker:
    def __init__(
        self,
        container: ServiceContainer,
        student: Student,
        log: Callable[[int], list[dict[str, Any]]],
        raw: Mapping[str, Callable[[Mapping[str, Any]], object]],
    ) -> None:
        self._container, self._student, self._log, self._raw = container, student, log, raw
        self._seen = 0
        self._new()

    def cost(self, question: Question, rounds: int) -> Cost:
        requests = self._asked(question)
        again = self._asked(question)
        ours, theirs = [], []
        for _ in range(rounds):
            self._forget()
            ours.append(_seconds(lambda: self._ask(question)))
            theirs.append(_seconds(lambda: [self._raw[request["service"]](request) for request in requests]))
        # The best of each: what else runs on the machine can only add to a time.
        ratio = min(ours) / min(theirs)
        return Cost(question=question, requests=len(requests), again=len(again), ratio=ratio)

    def _asked(self, question: Question) -> list[dict[str, Any]]:
        """The requests that a question leads to."""
        self._new()
        self._ask(question)
        return self._new()

    def _new(self) -> list[dict[str, Any]]:
        """What the campus was asked since this was called last."""
        entries = self._log(self._seen)
        self._seen = entries[-1]["id"] if entries else self._seen
        return entries

    def _ask(self, question: Question) -> None:
        result = self._container.gateway.call(self._student, question.tool, question.arguments, asked_by="bench")
        assert result.success, (question.text, result.error)

    def _forget(self) -> None:
        """What was kept counts no more, as after a write."""
        for integration in CONNECTED.values():
            self._container.connections.mark_written(self._student.id, integration)


def _seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _log(http: httpx.Client, campus: str, since: int) -> list[dict[str, Any]]:
    entries = http.get(f"{campus}/log", params={"since": since}).raise_for_status().json()["entries"]
    return [entry for entry in entries if entry["service"] in CONNECTED]


def _token(http: httpx.Client, container: ServiceContainer, integration: str) -> str:
    """An access token besides the one that Homeroom keeps sealed."""
    offered = container.integrations[integration]
    assert offered.oauth is not None
    where = {"origin": offered.origins[0], "redirect_uri": f"{container.settings.public_url}/connections"}
    page = http.get(offered.oauth.authorize_url(**where, state="bench", verifier=VERIFIER))
    back = parse_qs(urlsplit(press(http, page, "Allow", person="maya").headers["location"]).query)
    return offered.oauth.exchange(**where, code=back["code"][0], verifier=VERIFIER).access_token


def _row(cost: Cost) -> list[str]:
    asked = cost.question
    by_course = "yes" if asked.by_course else ""
    return [asked.text, asked.tool, str(cost.requests), str(cost.again), by_course, f"{cost.ratio:.2f}"]
