"""What each tool is called with on the demo campus, and the four doors it is called from."""

import asyncio
import json
import re
import secrets
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from services.approvals.approval import Approval, ApprovalStatus
from services.conversations.items import ToolLine
from services.integrations import catalog
from services.integrations.planner.tasks import Task, Tasks, TaskStatus
from services.reminders.preferences import Channel
from services.reminders.timed_reminders import TimedReminder
from services.runtime.clock import utc_now
from services.safety.provenance import Provenance
from services.storage.leases import Leases
from services.tools.result import ToolResult
from services.tools.tool import Tool
from services.wiring.jobs_loop import JobsLoop
from tests.api.room import Program
from tests.campus_rooms import CampusRoom
from tests.rooms import demo_settings
from tests.services.study.quiz_samples import store_quiz

Arguments = Mapping[str, Any]
Made = Arguments | Callable[[CampusRoom], Arguments]

SOON = f"{utc_now().date() + timedelta(days=30)}"
ESSAY = "Essay 4: ideas for the open letter"
_QUIZ = re.compile(r"quiz-[0-9a-f]{8,}")
_MARK = re.compile(r"(^---|lines marked) [0-9a-f]{8}\b")


def root() -> dict[str, Tool]:
    """Every tool that the demo has, by name, found by looking: a tool that is added is in the matrix by itself."""
    with tempfile.TemporaryDirectory() as folder:
        found = catalog.load_catalog(demo_settings(Path(folder)))
    return {tool.name: tool for tool in found.tools(found.integrations)}


def first(name: str, kind: str, *, where: Callable[[Mapping[str, Any]], bool] = lambda item: True) -> Any:
    """A way to an id that exists on the campus: of the first item that another tool lists."""

    def found(room: CampusRoom) -> str:
        result = room.services.gateway.call(room.maya, name, {}, asked_by="the test")
        assert result.success, result.error
        return str(next(item["id"] for item in result.data[kind] if where(item)))

    return found


def is_her_own(event: Mapping[str, Any]) -> bool:
    """In her main calendar, and not one of a series."""
    return event["calendar"] in ("", "Maya Chen") and "_" not in event["id"].rpartition("/")[2]


def a_task(status: TaskStatus = TaskStatus.OPEN) -> Callable[[CampusRoom], str]:
    """A way to the id of a new task of hers."""

    def made(room: CampusRoom) -> str:
        task = Task(id=secrets.token_hex(8), title="Draft", status=status, created_at=utc_now())
        return Tasks(room.services.store, room.maya.id, ZoneInfo(room.maya.timezone)).add(task).id

    return made


def a_reminder(room: CampusRoom) -> str:
    """The id of a new reminder of hers."""
    now = utc_now()
    at = now + timedelta(days=3)
    reminder = TimedReminder(id=secrets.token_hex(8), text="Draft", remind_at=at, channel=Channel.EMAIL, created_at=now)
    return room.services.reminders.reminders.add(room.maya.id, reminder).id


def a_quiz(room: CampusRoom) -> str:
    """The id of a quiz that is ready to be taken."""
    there = [quiz.id for quiz in room.services.study.quizzes.all(room.maya) if quiz.id == "quiz-1"]
    return there[0] if there else store_quiz(room.services.store, room.maya.id).id


def a_begun_quiz(room: CampusRoom) -> str:
    id = a_quiz(room)
    room.services.study.attempts.start(room.maya, id)
    return id


def made_before(room: CampusRoom) -> None:
    """Make what waits to be made: only a few may."""
    while room.services.quiz_making.run_once():
        pass


def a_text(room: CampusRoom) -> Arguments:
    made_before(room)
    text = "Osmosis is the movement of water across a membrane. Diffusion is the movement of particles. " * 2
    return {"text": text, "count": 2}


her_event = first("calendar_list_events", "events", where=is_her_own)
an_open_task, a_done_task = a_task(), a_task(TaskStatus.DONE)
a_page = first("notion_search", "results", where=lambda item: item["kind"] == "page")

CALLS: Mapping[str, Made] = {
    "canvas_get_assignment": lambda room: {"assignment": first("canvas_list_assignments", "assignments")(room)},
    "canvas_get_syllabus": {"course": "biology"},
    # Whatever the day of the week: some days have no announcement of their own.
    "canvas_list_announcements": {"days": 30},
    "materials_read": {"material": "midterm 2 study guide", "course": "bio"},
    "materials_search": {"query": "osmosis", "course": "bio"},
    "calendar_suggest_times": {"minutes": 60, "start": SOON, "prefer": "afternoon"},
    "calendar_create_event": {"title": "Study", "start": f"{SOON}T15:00"},
    "calendar_create_study_sessions": {"title": "Study", "starts": [f"{SOON}T16:00"], "duration_minutes": 90},
    "calendar_add_due_date": {"assignment": "Essay 4", "due": f"{SOON}T23:59"},
    "calendar_update_event": lambda room: {"event_id": her_event(room), "title": "Another title"},
    "calendar_delete_event": lambda room: {"event_id": her_event(room)},
    "notion_read_page": lambda room: {"page": a_page(room)},
    "notion_create_page": lambda room: {"title": "Osmosis", "parent": a_page(room)},
    "notion_create_study_plan": {
        "title": "Study plan: BIOL 201 final",
        "goal": "Ready for the final",
        "sessions": [{"day": SOON, "what": "Chapters 12 and 13", "minutes": 60}],
    },
    "notion_append_to_page": lambda room: {"page": a_page(room), "content": "One more line."},
    "notion_replace_content": lambda room: {"page": a_page(room), "content": "Other lines."},
    "planner_start_task": lambda room: {"task": an_open_task(room)},
    "planner_block_task": lambda room: {"task": an_open_task(room), "reason": "the lab is closed"},
    "planner_complete_task": lambda room: {"task": an_open_task(room)},
    "planner_reopen_task": lambda room: {"task": a_done_task(room)},
    "planner_edit_task": lambda room: {"task": an_open_task(room), "title": "Another draft"},
    "planner_delete_task": lambda room: {"task": an_open_task(room)},
    "web_read_page": lambda room: {"url": f"{room.server.url}/"},
    "research_summarise": lambda room: {"url": f"{room.server.url}/"},
    "bibliography_entry": lambda room: {"url": f"{room.server.url}/"},
    "documents_get": {"document": ESSAY},
    "documents_summarise": {"document": ESSAY},
    "documents_edit": {"document": ESSAY, "passage": "To the transit board", "text": "To the bus company"},
    "planner_create_task": {"title": "Read chapter 4"},
    "reminders_create": {"text": "Biology quiz", "at": f"{SOON}T10:00", "before_minutes": 120},
    "reminders_delete": lambda room: {"reminder": a_reminder(room)},
    "study_make_quiz": a_text,
    "study_make_cards": a_text,
    "study_next_question": lambda room: {"quiz": a_quiz(room)},
    "study_answer": lambda room: {"quiz": a_begun_quiz(room), "number": 1, "answer": "Water"},
    "study_review": {},
    "study_exam_plan": {"exam": "Midterm 3", "at": f"{SOON}T10:00", "course": "bio"},
    "study_note": lambda room: {
        "note": room.services.study.notes.add(room.maya, f"Knows {secrets.token_hex(3)}.").id,
        "words": "Mixes up hypertonic and hypotonic.",
    },
}
"""For tools whose examples name days that go by, or what the campus does not have; others get their first example."""


def arguments_for(tool: Tool, room: CampusRoom) -> Arguments:
    """What to call a tool with; says what to write down when there is nothing."""
    made = CALLS.get(tool.name)
    if made is None and tool.examples:
        return tool.examples[0].arguments
    if made is None:
        assert not tool.schema.get("required"), (
            f"{tool.name} takes arguments: give it an Example that works on the demo campus, or a line in {__name__}."
        )
        return {}
    return made(room) if callable(made) else made


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What one door gave: the words, or the card that waits for the student. approval_id differs at each."""

    success: bool
    words: str
    sources: tuple[tuple[str, str], ...] = ()
    card: tuple[Any, ...] | None = None
    approval_id: str | None = field(default=None, compare=False)


class Doors:
    """One student, one app and the ways in. writers: who may have written what the last call gave."""

    def __init__(self, room: CampusRoom, program: Program, url: str) -> None:
        self._room, self._program, self._url = room, program, url
        self.writers: frozenset[Provenance] = frozenset()

    def all(self, name: str, arguments: Arguments) -> dict[str, Seen]:
        ways = {"chat": self._chat, "http": self._http, "mcp": self._mcp, "job": self._job}
        return {way: ask(name, arguments) for way, ask in ways.items()}

    def decide(self, approval_id: str, decision: str) -> Mapping[str, Any]:
        """What the student's decision comes to, as their program is told it."""
        answer = self._program.decide(approval_id, decision)
        assert answer.status_code == 200, answer.text
        decided: Mapping[str, Any] = answer.json()
        return decided

    def _chat(self, name: str, arguments: Arguments) -> Seen:
        """Through the turn runner: the demo model calls what a message dictates."""
        conversation, view = self._room.ask(f"/call {name} {json.dumps(arguments)}")
        cards = self._room.services.approvals.for_conversation(self._room.maya.id, conversation).values()
        if waiting := [card for card in cards if card.status is not ApprovalStatus.DONE]:
            (approval,) = waiting
            return _waits(approval)
        # What was recorded at once has a card, and no line.
        assert len([item for item in view.items if isinstance(item, ToolLine)]) + len(cards) == 1
        messages = self._room.services.conversations.messages(self._room.maya.id, conversation)
        (block,) = [b for m in messages for b in m.content if b["type"] == "tool_result"]
        (result,) = [found for m in messages for found in m.meta.get("results", {}).values()]
        sources = tuple((source["title"], _same(source["url"])) for source in result["sources"])
        return Seen(success=bool(result["success"]), words=_lines(_said(block)), sources=sources)

    def _http(self, name: str, arguments: Arguments) -> Seen:
        answer = self._program.execute(name, arguments)
        body = answer.json()
        if answer.status_code == 202:
            return self._card(body["approval_request_id"])
        assert answer.status_code == 200, answer.text
        sources = tuple((source["title"], _same(source["url"])) for source in body["sources"])
        return Seen(success=body["success"], words=_lines(body["output"] or body["error"]), sources=sources)

    def _mcp(self, name: str, arguments: Arguments) -> Seen:
        async def talk() -> Any:
            bearer = {"authorization": f"Bearer {self._program.key.secret}"}
            async with httpx2.AsyncClient(headers=bearer, trust_env=False) as http:
                transport = streamable_http_client(f"{self._url}/mcp", http_client=http)
                async with Client(transport, read_timeout_seconds=20) as client:
                    return await client.call_tool(name, dict(arguments))

        answer = asyncio.run(talk())
        told = answer.structured_content
        if told["requires_approval"]:
            return self._card(told["approval_request_id"])
        sources = tuple((source["title"], _same(source["url"])) for source in told["sources"])
        return Seen(success=not answer.is_error, words=_lines(answer.content[0].text), sources=sources)

    def _job(self, name: str, arguments: Arguments) -> Seen:
        """In a round of the jobs' loop: no request, no page, nothing but the container."""
        services, results = self._room.services, list[ToolResult]()

        def work() -> None:
            results.append(services.gateway.call(self._room.maya, name, arguments, asked_by="a job"))

        loop = JobsLoop(Leases(services.store, services.clock), {"work": work})
        assert loop.run_once()
        loop.stop()
        (result,) = results
        self.writers = result.provenance.writers
        if result.requires_approval:
            return self._card(result.approval_request_id or "")
        sources = tuple((source.title, _same(source.url)) for source in result.sources)
        return Seen(success=result.success, words=_lines(result.output or result.error or ""), sources=sources)

    def _card(self, approval_id: str) -> Seen:
        return _waits(self._room.services.approvals.get(self._room.maya.id, approval_id))


def _waits(approval: Approval) -> Seen:
    card = (approval.tool, approval.title, approval.status, dict(approval.arguments), approval.rows, approval.can_undo)
    return Seen(success=True, words="", card=card, approval_id=approval.id)


def _said(block: Mapping[str, Any]) -> str:
    """What the model reads of a call: texts, some of them below the source that they are from."""
    parts = [inner for part in block["content"] for inner in part.get("content", [part])]
    return "\n".join(part["text"] for part in parts)


def _lines(words: str) -> str:
    """Without empty lines and signs of quotation, as the model reads what has sources in pieces; and without the mark
    of a quotation, which is another one each time.
    """
    told = [line.removeprefix(">").removeprefix(" ") for line in words.splitlines()]
    return _same("\n".join(_MARK.sub(r"\1 …", line) for line in told if line.strip()))


def _same(text: str) -> str:
    """Without the id of a quiz: each door makes one of its own."""
    return _QUIZ.sub("quiz-…", text)
