"""CPU of the server for each page, with some things stored and with ten times as many: what grows, and how fast."""

import asyncio
import os
import statistics
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from bench.load.app_server import AppServer
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient
from services.navigation import CHAT_PAGE, PAGES, AppPage, Audience
from services.runtime.clock import stamp, utc_now
from services.storage.engines import DATABASE_FILE
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.study.flashcard import Flashcard, FlashcardState
from services.study.store.card_repository import card_fields

TITLE = "Growth: CPU of the server for each page, as its student has more"
FEW, MANY = 300, 3_000
HEAD = ("page", f"{FEW:,} of each", f"{MANY:,} of each", "grows")
ROUNDS = 3
_AT_ONCE = 500


def measure(data_dir: Path) -> list[list[str]]:
    """One row for each page: its CPU beside few and beside many cards, chats and entries of Activity."""
    server = AppServer(data_dir).start()
    try:
        cookies = sign_in(server.url)
        # A student is stored with their first page.
        asyncio.run(_visit(server, cookies, CHAT_PAGE))
        store = Store(SqliteDocuments(data_dir / DATABASE_FILE))
        student = store.shared.find("students", {}, limit=1)[0]["id"]
        _fill(store, student, 0, FEW)
        few = _costs(server, cookies)
        _fill(store, student, FEW, MANY)
        many = _costs(server, cookies)
        store.close()
    finally:
        server.stop()
    return [[name, f"{few[name]:.0f} ms", f"{many[name]:.0f} ms", f"×{many[name] / few[name]:.1f}"] for name in few]


def _costs(server: AppServer, cookies: dict[str, str]) -> dict[str, float]:
    """Milliseconds of CPU by page, the median of some visits; the first visit warms it up."""
    pages = [page for page in PAGES if page.audience is Audience.STUDENTS]
    return {page.name: statistics.median(_visits(server, cookies, page)[1:]) for page in pages}


def _visits(server: AppServer, cookies: dict[str, str], page: AppPage) -> list[float]:
    return [asyncio.run(_visit(server, cookies, page)) for _ in range(ROUNDS + 1)]


async def _visit(server: AppServer, cookies: dict[str, str], page: AppPage) -> float:
    async with StreamlitClient(server.url, cookies) as tab:
        before = _cpu_ms(server.pid)
        await tab.open("" if page is CHAT_PAGE else page.name)
        return max(1.0, _cpu_ms(server.pid) - before)


def _cpu_ms(pid: int) -> float:
    """CPU that a process has used: fields 14 and 15 of proc(5), behind the name, which may hold blanks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _fill(store: Store, student: str, first: int, last: int) -> None:
    for start in range(first, last, _AT_ONCE):
        batch = store.batch()
        mine = batch.for_student(student)
        for number in range(start, min(start + _AT_ONCE, last)):
            for collection, document in _things(number):
                mine.insert(collection, document)
        batch.commit()


def _things(number: int) -> Iterator[tuple[str, dict[str, Any]]]:
    at = utc_now() - timedelta(minutes=number)
    said, id = stamp(at), f"growth-{number:06}"
    yield (
        "conversations",
        {"id": id, "title": f"Chat {number}", "created_at": said, "updated_at": said, "is_empty": False},
    )
    entry = {
        "services": ["Canvas"],
        "service_key": "Canvas",
        "tool": "Read courses",
        "sentence": "done",
        "kind": "call",
    }
    yield "activity", {"id": id, "at": said, "effect": "read", "approval_id": None, **entry}
    card = Flashcard(
        id=f"{int(at.timestamp() * 1_000_000):015x}{number:010x}",
        guid=id,
        front=f"Question {number}",
        back="An answer of a line or so.",
        course_key=f"course-{number % 5}",
        state=FlashcardState.KEPT,
        made_at=at,
    )
    yield "study_cards", card_fields(card)
