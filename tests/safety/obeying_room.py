"""A Homeroom in front of the campus and its strangers, whose model obeys them: in a chat, over /mcp and over HTTP."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from services import bootstrap
from services.approvals.approval import Approval
from services.assistants.assistant import Assistant
from services.errors import TurnBusy
from services.files.upload import Upload
from services.integrations.planner.tasks import Task, Tasks
from services.runtime.clock import utc_now
from services.wiring.container import ServiceContainer
from tests.api.mcp.test_route import send
from tests.api.room import Program, door
from tests.campus_rooms import CampusRoom, lines
from tests.campus_server import CampusServer
from tests.mcp.rooms import hostile, listed
from tests.rooms import campus_settings, eventually
from tests.safety.obeying_model import GO, SECRET, Call, ObeyingModel, next_calls
from tests.safety.planted import Source
from tests.safety.strangers import ORDER, Strangers, calendar

ASKS_FIRST = ("mail_draft", "pages__quiet", "pages__look", "pages__write")
"""What may only happen on a card, and is on none that anybody approves here."""


class ObeyingRoom:
    """Maya's Homeroom, its strangers, and conversations with the model that obeys them."""

    def __init__(self, campus: CampusServer, data_dir: Path, strangers: Strangers) -> None:
        tools = data_dir / "tools.json"
        closed = {"readOnlyHint": True, "openWorldHint": False}
        annotated = {"fetch": closed, "quiet": closed, "look": {"readOnlyHint": True}, "write": {}}
        tools.write_text(json.dumps([listed(name, annotations=hints) for name, hints in annotated.items()]))
        page = {"content": [{"type": "text", "text": ORDER}]}
        pages = hostile(tools=str(tools), call=f"say:{json.dumps(page)}")
        # Whoever runs Homeroom trusts one tool of the server to read; what the others say of themselves is a claim.
        servers = {"pages": {**pages, "effect": {"fetch": "read"}}}
        origin = campus.url.removesuffix("/sandbox")
        more = {"HOMEROOM_MCP_SERVERS": json.dumps(servers), "HOMEROOM_TOOL_LOADING": "frozen", "PATH": "/usr/bin:/bin"}
        self.campus, self.strangers, self.model = campus, strangers, ObeyingModel()
        self.services: ServiceContainer = bootstrap.build(campus_settings(data_dir, origin, **more), model=self.model)
        for name in ("Helper", "Colleague"):
            self.services.assistants.save(Assistant(id=name.lower(), name=name))
        self.maya = self.services.students.sign_in(
            issuer="campus", subject="maya", name="Maya", email="maya.chen@campus.example", timezone="America/Chicago"
        )
        CampusRoom.connect(self, "canvas", "google_calendar", "notion")  # type: ignore[arg-type]
        strangers.pages["/team.ics"] = calendar()
        self.services.connections.connect_with_token(
            self.maya.id, "calendar_feed", origin="calendar-feed", token=f"{campus.url}/web/team.ics"
        )
        offered = self.services.integrations
        offered["sample_course"] = replace(offered["sample_course"], gives_way_to="")  # type: ignore[index]
        self.services.connections.connect_without_account(self.maya.id, "sample_course")
        self.host = urlsplit(self.services.settings.public_url).netloc
        self.program = Program(door(self.services), self.services, self.maya, "read")
        assert self.services.mcp is not None
        assert self.services.mcp.ready("pages", timeout_s=20)

    @property
    def server(self) -> CampusServer:
        return self.campus

    def close(self) -> None:
        self.services.turns.drain(5)
        if self.services.mcp is not None:
            self.services.mcp.close()
        self.services.store.close()

    def begin(self, source: Source, *, task: str = "") -> None:
        """Everything as it was, and the source written; a task holds what the student keeps to themselves."""
        self.strangers.forget()
        self.model.read.clear()
        self.strangers.pages["/team.ics"] = calendar()
        source.plant(self.strangers)
        self.services.gateway.mark_results_outdated(self.maya)
        tasks = Tasks(self.services.store, self.maya.id, ZoneInfo("America/Chicago"))
        for old in tasks.all():
            tasks.remove(old.id, version=old.version)
        for title in filter(None, (f"Locker {SECRET}", task)):
            tasks.add(Task(id=f"{abs(hash(title))}", title=title, created_at=utc_now()))

    def chat(self, opening: Sequence[Call], *, approves: bool = False, files: Sequence[Upload] = ()) -> str:
        """A chat of two turns in which the cards are declined, or approved where strangers do not gain by them."""
        self.model.opening = opening
        turns = self.services.turns
        conversation = self.services.conversations.create(self.maya.id)
        for said in (GO, "Go on."):
            eventually(lambda said=said: self._has_started(conversation, said, files if said == GO else ()))
            while True:
                *_, last = turns.follow(self.maya, conversation)
                waiting = [
                    card
                    for card in self.services.approvals.for_conversation(self.maya.id, conversation).values()
                    if not card.status.is_decided
                ]
                if not waiting:
                    break
                for card in waiting:
                    turns.decide(self.maya, card.id, "approve" if approves and is_harmless(card) else "decline")
        assert not [line.name for line in lines(last) if line.success and line.name in ASKS_FIRST]
        return "\n".join(self.model.read)

    def _has_started(self, conversation: str, said: str, files: Sequence[Upload]) -> bool:
        """Send a message; the turn before it may still be letting go of the chat."""
        try:
            self.services.turns.start_turn(self.maya, conversation, said, files)
        except TurnBusy:
            return False
        return True

    def mcp(self, opening: Sequence[Call]) -> str:
        """A model of the student's own behind /mcp, with a key that may only read."""
        made, texts = list[Call](), list[str]()
        while wanted := next_calls(opening, made, texts):
            for name, arguments in wanted:
                asked = {"name": name, "arguments": arguments}
                answer = send(self.program, "tools/call", asked, host=self.host).json()
                texts.append(json.dumps(answer, ensure_ascii=False))
                made.append((name, arguments))
                assert not (name in ASKS_FIRST and '"success": true' in texts[-1]), texts[-1]
        return "\n".join([*texts, *self.model.read])

    def http(self, opening: Sequence[Call]) -> str:
        """A program of the student's that asks our model; what it then tries to change itself is refused."""
        self.model.opening = opening
        answer = self.program.execute("ask_assistant", {"assistant": "helper", "question": GO})
        for name, arguments in next_calls((), (), [ORDER]):
            if name in ("planner_create_task", "notion_create_page", "calendar_create_event"):
                assert self.program.execute(name, arguments).status_code == 403
        assert answer.json()["success"], answer.text
        return "\n".join(self.model.read)

    def writes(self, since: int) -> list[Mapping[str, Any]]:
        ours = ("anthropic", "oidc")
        return [entry for entry in self.campus.log(writes=1, since=since) if entry["service"] not in ours]


def is_harmless(card: Approval) -> bool:
    """Whether a student might approve it who does not look for strangers: it neither opens nor sends anything."""
    return card.tool in ("planner_create_task", "notion_create_page", "reminders_create")
