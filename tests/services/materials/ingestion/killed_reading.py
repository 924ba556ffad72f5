"""Processes that read a course ahead and are killed with SIGKILL at one of their writes, one after another.

python -m tests.services.materials.ingestion.killed_reading DATA_DIR MONGO_URI STUDENT_ID WRITE...

WRITE: at which of its writes each process dies; 0 for one that lives. Each comes a minute after the last.
"""

import os
import signal
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from services import bootstrap
from services.materials.material import MaterialPage, MaterialText, PageUnit
from services.materials.source import MaterialContent
from services.materials.store import text_parts
from services.materials.store.text_parts import PackedText, pack_text
from services.runtime.clock import utc_now
from services.storage.documents import Documents, Write
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from services.wiring import materials as wiring
from tests.agent_fakes import FakeModel
from tests.fakes import FakeDocuments, FakeService
from tests.rooms import demo_settings
from tests.services.materials.school import BIOLOGY, School, SchoolSource

FILES = 12
WRITES = ("insert", "put", "compare_and_set", "increment", "delete")


def course() -> School:
    """A course of `FILES` files, each of two parts as stored."""
    school = School()
    for number in range(FILES - 1):
        school.put(BIOLOGY, f"reading-{number}", f"part {number} ".encode() * 100)
    return school


def pack(content: MaterialContent, *, is_background: bool) -> PackedText:
    """Read a file in this very process, half of it as each page: the reader processes have tests of their own."""
    text = content.content.decode()
    middle = len(text) // 2
    pages = [MaterialPage(number=at, text=part) for at, part in enumerate((text[:middle], text[middle:]), start=1)]
    return pack_text(MaterialText(unit=PageUnit.PAGE, pages=pages))


def dying(base: type[Any], at: int) -> type[Any]:
    """The engine, whose process dies before the write of this number."""
    count = 0

    def counted(name: str) -> Any:
        write = getattr(base, name)

        def call(self: Any, *arguments: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return write(self, *arguments, **named)

        return call

    def write_all(self: Any, writes: Sequence[Write]) -> None:
        """A batch of MongoDB's is as many writes as it has: the first of the last one are done."""
        nonlocal count
        before = at - count - 1
        if 0 <= before < len(writes):
            base.write_all(self, writes[:before])
            os.kill(os.getpid(), signal.SIGKILL)
        count += len(writes)
        base.write_all(self, writes)

    # A batch of SQLite's is one write.
    batch = counted("write_all") if base is SqliteDocuments else write_all
    return type("Dying", (base,), {**{name: counted(name) for name in WRITES}, "write_all": batch})


def read_on(data_dir: Path, mongo: str, student_id: str, *, at: int, minutes: int) -> None:
    """Read what is left of the course, with leases of a minute ago expired."""
    base = MongoDocuments if mongo else SqliteDocuments
    engine: Documents = dying(base, at)(mongo or data_dir / "homeroom.sqlite")
    school, log = course(), data_dir / "fetched"

    def note(id: str) -> None:
        with log.open("a") as file:
            file.write(f"{id}\n")

    school.on_fetch = note
    wiring.pack_document, text_parts.PART = pack, 100
    service = FakeService(clock=utc_now, label="School")
    services = bootstrap.build(
        demo_settings(data_dir),
        clock=lambda: utc_now() + timedelta(minutes=minutes),
        model=FakeModel(),
        engine=engine,
        integrations={"school": service.integration("school", materials=lambda _: SchoolSource(school, "Maya"))},
    )
    services.materials.read_ahead(services.students.get(student_id), BIOLOGY)
    while services.material_reading.run_once():
        pass


def main(data_dir: str, mongo: str, student_id: str, *writes: str) -> None:
    # What is imported now, no child imports again.
    bootstrap.build(demo_settings(Path(data_dir)), engine=FakeDocuments(), model=FakeModel())
    for minutes, at in enumerate(map(int, writes)):
        child = os.fork()
        if not child:
            read_on(Path(data_dir), mongo, student_id, at=at, minutes=minutes)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
