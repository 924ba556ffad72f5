"""`manage.py demo`, started for real: students join over HTTP, the presenter begins anew, nothing is left (R97)."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from bench.load.app_server import free_port
from bench.load.forms import press
from commands.demo.folder import PREFIX
from services import settings
from services.classes.class_repository import ClassRepository
from services.classes.classes import Classes
from services.classes.demo_class import DemoClass
from services.classes.memberships import Memberships
from services.errors import HomeroomError
from services.identity.roles import Roles
from services.identity.students import Student, Students
from services.runtime.clock import utc_now
from services.runtime.rate_limiter import RateLimiter
from services.settings import ROOT, demo_mode
from services.storage.engines import open_engine
from services.storage.store import Store

STARTS_S, ENDS_S = 120.0, 60.0
BUTTON = re.compile(r">((?:Start|Go on) as [^<]+)</button>")


class Demo:
    """The command as a person runs it, in a temporary directory of its own."""

    def __init__(self, temporary: Path, *, students: int = 4) -> None:
        self.temporary, self.port = temporary, free_port()
        self.told = temporary.parent / "told.txt"
        environment = {"PATH": os.environ["PATH"], "TMPDIR": str(temporary), "HOME": str(temporary.parent)}
        with self.told.open("w") as told:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "demo", "--port", str(self.port), "--students", f"{students}"],
                cwd=ROOT,
                env=environment,
                stdout=told,
                stderr=told,
                start_new_session=True,
            )
        self.waits_for("Ctrl+C ends")

    def waits_for(self, words: str) -> None:
        ends_at = time.monotonic() + STARTS_S
        while words not in self.told.read_text():
            assert self.process.poll() is None, self.told.read_text()
            assert time.monotonic() < ends_at, self.told.read_text()
            time.sleep(0.1)

    def address(self, pattern: str) -> str:
        found = re.search(pattern, self.told.read_text())
        assert found
        return found[0]

    @property
    def folder(self) -> Path:
        (found,) = self.temporary.glob(f"{PREFIX}*")
        return found

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(ENDS_S)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(ENDS_S)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    yield from running_demo(tmp_path)


def running_demo(folder: Path, **options: int) -> Iterator[Demo]:
    temporary = folder / "t"
    temporary.mkdir()
    running = Demo(temporary, **options)
    yield running
    if running.process.poll() is None:
        running.end()


def sign_in(demo: Demo, visitor: httpx.Client) -> str:
    """From the campus's page back to the app, as the sign-in button begins it; the name one is given."""
    callback = {"redirect_uri": f"{str(visitor.base_url).rstrip('/')}/oauth2callback"}
    begun = visitor.get("/sandbox/oidc/authorize", params={**AUTHORIZE, **callback})
    label = BUTTON.search(begun.text)
    assert label, begun.text
    assert press(visitor, begun, label[1]).status_code in (200, 303)
    return label[1].removeprefix("Start as ")


AUTHORIZE = {"response_type": "code", "client_id": "homeroom", "scope": "openid email", "state": "s"}


def test_a_room_joins_begins_anew_and_leaves_nothing(demo: Demo) -> None:
    url = f"http://localhost:{demo.port}"
    join = demo.address(r"http://\S+/join/\w+")
    names = []
    for _ in range(3):
        with httpx.Client(base_url=url, timeout=30) as visitor:
            led = visitor.get(join)
            assert led.status_code == 303
            assert led.headers["location"].startswith("/classroom?join=")
            names.append(sign_in(demo, visitor))
    before = int(time.time()) - 1
    with stored(demo) as room:
        for name in names:
            room.memberships.join(room.student(name), join.rpartition("/")[2])
        presenter = room.student("Robin Hale")
        assert room.demo.count_joined(presenter) == 3
        with pytest.raises(HomeroomError):
            room.demo.begin_anew(room.student(names[0]))
        room.demo.begin_anew(presenter)

    demo.waits_for("The demo began anew")

    with stored(demo) as room:
        assert room.demo.count_joined(room.student("Robin Hale")) == 0
        assert [room.returns(name, before).is_signed_out for name in (*names, "Robin Hale")] == [
            True,
            True,
            True,
            False,
        ]
    with httpx.Client(base_url=url, timeout=30) as visitor:
        assert sign_in(demo, visitor) == names[0]
    assert demo.end() == 0
    assert "nothing of it is kept" in demo.told.read_text()
    assert list(demo.temporary.iterdir()) == []


class Stored:
    """What the demo's store holds, read beside the running server by the services' own parts."""

    def __init__(self, demo: Demo, store: Store) -> None:
        (found,) = store.shared.find("classes", {})
        given = {"HOMEROOM_DEMO": "1", "HOMEROOM_PORT": str(demo.port), "HOMEROOM_DATA_DIR": str(demo.folder / "data")}
        self.settings = settings.read({**given, demo_mode.DEMO_CLASS: str(found["id"])})
        self.store, self.students = store, Students(store, utc_now)
        repository = ClassRepository(store, utc_now)
        classes = Classes(repository, self.students, Roles(instructors=[], operators=[]))
        limiter = RateLimiter(store.shared, utc_now)
        self.memberships = Memberships(repository, classes, self.students, limiter)
        self.demo = DemoClass(self.settings, classes)

    def student(self, name: str) -> Student:
        (found,) = self.store.shared.find("students", {"name": name})
        student = self.students.get(str(found["id"]))
        assert student
        return student

    def returns(self, name: str, session: int) -> Student:
        """They come with the cookie of a sign-in at that time, in seconds."""
        student = self.student(name)
        (found,) = self.store.shared.find("students", {"name": name})
        return self.students.sign_in(
            issuer=found["issuer"], subject=found["subject"], name=name, email=student.email, session=session
        )


@contextmanager
def stored(demo: Demo) -> Iterator[Stored]:
    given = {"HOMEROOM_DEMO": "1", "HOMEROOM_PORT": str(demo.port), "HOMEROOM_DATA_DIR": str(demo.folder / "data")}
    with closing(Store(open_engine(settings.read(given)))) as store:
        yield Stored(demo, store)


@pytest.mark.soak
def test_a_demo_that_was_killed_leaves_nothing_beyond_the_next_start(demo: Demo) -> None:
    left = demo.folder
    demo.kill()
    ends_at = time.monotonic() + ENDS_S
    while left.exists():
        assert time.monotonic() < ends_at, "the server of a killed demo lives on"
        remove_in(demo.temporary)
        time.sleep(0.2)

    assert list(demo.temporary.iterdir()) == []


def remove_in(temporary: Path) -> None:
    """As the next start does first."""
    program = "from commands.demo.folder import remove_leftovers; remove_leftovers()"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env={"TMPDIR": str(temporary)}, check=True)
