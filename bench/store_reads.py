"""How often one turn reads and writes the store, by the number of connected integrations."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from bench.load.campus import Campus
from bench.load.forms import press
from services import bootstrap
from services.identity.students import Student
from services.settings import read
from services.storage.documents import Documents
from services.storage.engines import open_engine
from services.wiring.container import ServiceContainer

HEAD = ("one turn", "of connections", "reads", "writes", "reads by collection", "writes by collection")
READS = ("get", "find")
LONGEST_S = 10.0
WRITES = ("insert", "write_all", "compare_and_set", "put", "increment", "delete")


class CountingDocuments:
    """An engine that counts what it is asked, by verb and collection."""

    def __init__(self, wrapped: Documents) -> None:
        self._wrapped = wrapped
        self.asked: Counter[tuple[str, str]] = Counter()

    def __getattr__(self, verb: str) -> Any:
        plain = getattr(self._wrapped, verb)
        if verb not in READS + WRITES:
            return plain

        def counted(first: Any, *arguments: Any, **named: Any) -> Any:
            written = " + ".join(write.collection for write in first) if verb == "write_all" else first
            self.asked[verb, written] += 1
            return plain(first, *arguments, **named)

        return counted

    def by_collection(self, verbs: tuple[str, ...]) -> str:
        counts: Counter[str] = Counter()
        for (verb, collection), n in self.asked.items():
            counts[collection] += n if verb in verbs else 0
        return ", ".join(f"{collection} {n}" for collection, n in counts.most_common() if n)

    def total(self, verbs: tuple[str, ...], collection: str | None = None) -> int:
        return sum(n for (verb, of), n in self.asked.items() if verb in verbs and collection in (None, of))


def measure(data_dir: Path) -> list[list[str]]:
    """One row for each number of connections: reads of connections, all reads, all writes."""
    with Campus(data_dir) as campus:
        settings = read(settings_at(campus.url, data_dir / "reads"))
        engine = CountingDocuments(open_engine(settings))
        container = bootstrap.build(settings, engine=engine)
        student = container.students.sign_in(issuer="bench", subject="maya", name="Maya Chen", email="")
        rows = [_row("nothing connected", container, engine, student)]
        by_consent = [id for id, integration in container.integrations.items() if integration.oauth is not None]
        for number, integration in enumerate(by_consent, start=1):
            connect(container, student, integration)
            rows.append(_row(f"{number} connected", container, engine, student))
        return rows


def _row(name: str, container: ServiceContainer, engine: CountingDocuments, student: Student) -> list[str]:
    engine.asked.clear()
    conversation = container.turns.start_chat(student, "/say Hello")
    for _ in container.turns.follow(student, conversation):
        pass
    # A turn is done with once what it leaves for after its end is.
    container.turns.wait_for_deferred_work(LONGEST_S)
    container.budgets.flush(LONGEST_S)
    reads, writes = engine.total(READS), engine.total(WRITES)
    of_connections = str(engine.total(READS, "connections"))
    return [name, of_connections, str(reads), str(writes), engine.by_collection(READS), engine.by_collection(WRITES)]


def connect(container: ServiceContainer, student: Student, integration: str) -> None:
    """Allow everything on the service's consent page, as a browser would."""
    with httpx.Client(timeout=20, trust_env=False) as browser:
        page = browser.get(container.connections.begin_oauth(student.id, integration))
        back = parse_qs(urlsplit(press(browser, page, "Allow", person="maya").headers["location"]).query)
    container.connections.finish_oauth(student.id, state=back["state"][0], code=back["code"][0])


def settings_at(campus: str, data_dir: Path) -> Mapping[str, str]:
    """Settings of a Homeroom on this campus, which runs at another port than it does."""
    services = {"CANVAS": "canvas", "GOOGLE_API": "google", "NOTION_API": "notion", "ANTHROPIC": "anthropic"}
    addresses = {f"{name}_BASE_URL": f"{campus}/{path}" for name, path in services.items()}
    return {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir), "ANTHROPIC_API_KEY": "demo", **addresses}
