"""A whole Homeroom over a fake model and a fake service: what the tests of turns and approvals start from."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from services import bootstrap, settings
from services.conversations.items import TurnView
from services.identity.students import Student
from services.integrations.base import Integration
from services.runtime.clock import Clock, utc_now
from services.settings import Settings
from services.storage.documents import Documents
from services.wiring.container import ServiceContainer
from tests.agent_fakes import WAIT_S, FakeBoard, FakeModel
from tests.fakes import FakeService


def demo_settings(data_dir: Path, **more: str) -> Settings:
    """Settings of a demo. Materials are searched by words alone, so that no test depends on when a vector is ready."""
    given = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir), "EMBEDDINGS_PROVIDER": "none"}
    return settings.read(given | more)


def campus_settings(data_dir: Path, origin: str, **more: str) -> Settings:
    """Demo settings whose campus is the one that runs at `origin`."""
    where = {"HOMEROOM_DATA_DIR": str(data_dir), "HOMEROOM_PUBLIC_URL": origin, "EMBEDDINGS_PROVIDER": "none"}
    return settings.read({"HOMEROOM_DEMO": "1", **where, **more})


class Room:
    """One replica with one student, Maya; `replica` makes another over the same store.

    loading: how tools reach the model; all of them in front, so that a test does not depend on what a message is
    taken to be about. settings: more of them, such as `HOMEROOM_CONSENT="ask"`.
    """

    def __init__(
        self,
        *,
        engine: Documents,
        data_dir: Path,
        model: FakeModel,
        board: FakeBoard | None = None,
        service: FakeService | None = None,
        clock: Clock = utc_now,
        leases_s: float | None = None,
        loading: str = "frozen",
        compact_at: int = 60,
        settings: Mapping[str, str] = {},
    ) -> None:
        self.more_settings = settings
        self.loading, self.compact_at = loading, compact_at
        self.engine, self.model, self.data_dir, self.clock = engine, model, data_dir, clock
        self.board = board or FakeBoard()
        self.service = service or FakeService(clock=clock, label="Board")
        self.services = self._build()
        self.maya = self.sign_in("maya")

    def _build(self) -> ServiceContainer:
        integrations: dict[str, Integration] = {"board": self.service.integration("board", tools=self.board.tools())}
        return bootstrap.build(
            demo_settings(
                self.data_dir,
                HOMEROOM_TOOL_LOADING=self.loading,
                HOMEROOM_COMPACT_AT=str(self.compact_at),
                **self.more_settings,
            ),
            clock=self.clock,
            model=self.model,
            engine=self.engine,
            integrations=integrations,
        )

    def replica(self, *, clock: Clock | None = None, settings: Mapping[str, str] | None = None) -> "Room":
        """Another process's container over the same store and the same outside world, maybe at a later time, or with
        other settings."""
        return Room(
            engine=self.engine,
            data_dir=self.data_dir,
            model=self.model,
            board=self.board,
            service=self.service,
            clock=clock or self.clock,
            loading=self.loading,
            compact_at=self.compact_at,
            settings=self.more_settings if settings is None else settings,
        )

    def sign_in(self, name: str) -> Student:
        return self.services.students.sign_in(
            issuer="https://id.example", subject=name, name=name.capitalize(), email="", timezone="America/Chicago"
        )

    def connect(self, student: Student | None = None, *, as_whom: str = "") -> None:
        """Connect the board by the whole OAuth dance, with the student's own account there or another one."""
        who = student or self.maya
        agreed = self.services.connections.consents.terms("board")
        address = self.services.connections.begin_oauth(who.id, "board", agreed=agreed)
        state = parse_qs(urlsplit(address).query)["state"][0]
        self.services.connections.finish_oauth(who.id, state=state, code=as_whom or who.name)

    def ask(self, text: str, conversation: str | None = None) -> tuple[str, TurnView]:
        """Send a message and follow its turn to the end; the conversation and the last view."""
        if conversation is None:
            conversation = self.services.turns.start_chat(self.maya, text)
        else:
            self.services.turns.start_turn(self.maya, conversation, text)
        return conversation, self.watch(conversation)

    def watch(self, conversation: str) -> TurnView:
        """The last view of the turn that runs in a conversation."""
        *_, last = self.services.turns.follow(self.maya, conversation)
        return last

    def items(self, conversation: str) -> list[Any]:
        return self.services.conversations.view(self.maya.id, conversation)


def eventually(happens: Callable[[], bool]) -> None:
    """Wait for what another thread does after a turn."""
    deadline = time.monotonic() + WAIT_S
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.01)


RoomMaker = Callable[..., Room]
