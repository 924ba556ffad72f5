"""The pages over a whole Homeroom in this process, without a browser."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services import bootstrap
from services.identity.students import Student
from services.navigation import PAGES
from services.storage.documents import Documents
from tests.agent_fakes import FakeModel, says
from tests.component_manifests import component_manifests  # noqa: F401 - fixture
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room
from ui.chat.live_component import MISSES, MOST_MISSES

FRAME = Path(__file__).resolve().parent.parent.parent / "ui" / "frame.py"
SCRIPTS = {page.name: page.script for page in PAGES}
WAIT_S = 20


class Visitor:
    """Somebody in front of the pages; `page` is what they see."""

    def __init__(self, room: Room, name: str | None = "maya", claims: Mapping[str, Any] | None = None) -> None:
        """claims: what the sign-in provider says besides, or instead."""
        self.room = room
        self.page = AppTest(FRAME, default_timeout=WAIT_S)
        # No browser follows an answer here: the script draws it.
        self.page.session_state[MISSES] = MOST_MISSES
        self.page.user = {"is_logged_in": False} if name is None else {**_identity(name), **(claims or {})}

    @property
    def student(self) -> Student:
        return self.room.maya

    def opens(self, page: str = "chat", **query: str) -> AppTest:
        """The page by the name of its file, on a first visit."""
        self.page.query_params.update(query)
        if page != "chat":
            self.page.switch_page(SCRIPTS[page])
        return self.page.run()

    def asks(self, text: str) -> AppTest:
        """Write a message; returns when its turn has come to rest."""
        return self.page.chat_input[0].set_value(text).run()

    def presses(self, label: str) -> AppTest:
        return next(button for button in self.page.button if button.label == label).click().run()

    @property
    def words(self) -> str:
        """All that stands on the page, apart from labels."""
        kinds = ("title", "markdown", "caption", "text", "info", "warning", "error", "success")
        return "\n".join(str(element.value) for kind in kinds for element in self.page.get(kind))

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.page.button]


def _identity(name: str) -> dict[str, Any]:
    return {"is_logged_in": True, "iss": "https://id.example", "sub": name, "name": name.capitalize(), "email": ""}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def make_visitor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: FakeClock) -> Iterator[Callable[..., Visitor]]:
    """A visitor of a Homeroom made from parts: `make_visitor(model=…, engine=…, name=None for a signed-out one)`."""
    rooms: list[Room] = []

    def make(
        *,
        model: FakeModel | None = None,
        engine: Documents | None = None,
        name: str | None = "maya",
        claims: Mapping[str, Any] | None = None,
        settings: Mapping[str, str] = {},
    ) -> Visitor:
        room = Room(
            engine=engine or FakeDocuments(clock=clock),
            data_dir=tmp_path,
            model=model or FakeModel(says("All is well.")),
            clock=clock,
            settings=settings,
        )
        rooms.append(room)
        # Pages ask for the process's own container, which is made once and read from the real environment.
        monkeypatch.setattr(bootstrap, "container", lambda: room.services)
        return Visitor(room, name, claims)

    yield make
    for room in rooms:
        room.services.turns.drain(1)


@pytest.fixture
def maya(make_visitor: Callable[..., Visitor]) -> Visitor:
    """A signed-in student with nothing connected."""
    return make_visitor()
