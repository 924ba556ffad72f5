"""Maya asks: one campus, one Homeroom for each set of connections, and what came of a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from sandbox.canvas.feed import CODES
from services.approvals.approval import Approval, ApprovalStatus
from services.conversations.items import ApprovalItem, AssistantText, Item, ToolLine, UserMessage
from services.conversations.turn_records import TurnStatus
from services.discovery.tool_search import FIND
from services.integrations.calendar_feed import ORIGIN
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.questions.table import Question

MOST_CARDS = 4
PATIENCE_S = 30.0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the last turn of a conversation came to: calls with their arguments, what failed of them, and the rest."""

    calls: Sequence[tuple[str, Mapping[str, Any]]]
    failed: Sequence[str]
    answer: str
    cards: Sequence[Approval]


class Classroom:
    """The rooms are made when first asked for and stay."""

    def __init__(self, server: CampusServer, data_dir: Path) -> None:
        self.server, self._data_dir = server, data_dir
        self._rooms: dict[tuple[str, ...], CampusRoom] = {}
        self._tokens: dict[str, str] = {}

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()

    def ask(self, question: Question) -> Outcome:
        """Play the conversation; every card is approved."""
        room = self.room(question.connected)
        conversation = None
        cards: list[Approval] = []
        for text in (*question.first, question.ask):
            conversation, cards = self._turn(room, text, conversation)
        items = room.services.conversations.view(room.maya.id, conversation or "")
        return outcome_of(items, {card.id: card for card in cards})

    def undo(self, question: Question, outcome: Outcome) -> None:
        """Take back what the last turn changed, so that questions do not meet each other's traces."""
        room = self.room(question.connected)
        for card in outcome.cards:
            if card.can_undo and card.status is ApprovalStatus.DONE:
                room.services.turns.undo(room.maya, card.id)

    def titles(self, question: Question, service: str, words: str) -> list[str]:
        """What stands at a service, as the service itself says, with these words in its title."""
        room = self.room(question.connected)
        found = {"google": self._events, "notion": self._pages}
        titles = found[service](words) if service in found else _tasks(room, service)
        return [title for title in titles if words.lower() in title.lower()]

    def room(self, connected: tuple[str, ...]) -> CampusRoom:
        if connected not in self._rooms:
            room = CampusRoom(self.server, self._data_dir / str(len(self._rooms)), idle_s=PATIENCE_S)
            for integration in connected:
                if integration == "calendar_feed":
                    feed = f"{self.server.url}/canvas/feeds/calendars/user_{CODES['maya']}.ics"
                    room.services.connections.connect_with_token(room.maya.id, integration, origin=ORIGIN, token=feed)
                else:
                    room.connect(integration)
            self._rooms[connected] = room
        return self._rooms[connected]

    def _turn(self, room: CampusRoom, text: str, conversation: str | None) -> tuple[str, list[Approval]]:
        conversation, view = room.ask(text, conversation)
        cards: list[Approval] = []
        for _ in range(MOST_CARDS):
            waiting = [item.approval_id for item in view.items if isinstance(item, ApprovalItem)]
            new = [id for id in waiting if id not in {card.id for card in cards}]
            if view.status is not TurnStatus.WAITING or not new:
                break
            for id in new:
                room.services.turns.decide(room.maya, id, "approve")
            view = room.watch(conversation)
            cards += [room.services.approvals.get(room.maya.id, id) for id in new]
        return conversation, cards

    def _events(self, words: str) -> list[str]:
        answer = self._get("google", "/google/calendar/v3/calendars/primary/events", {"q": words})
        return [event["summary"] for event in answer["items"]]

    def _pages(self, words: str) -> list[str]:
        token = self._token("notion")
        answer = httpx.post(
            f"{self.server.url}/notion/v1/search",
            json={"query": words},
            headers={"Authorization": f"Bearer {token}", "Notion-Version": "2025-09-03"},
            trust_env=False,
        )
        return [_title(found) for found in answer.raise_for_status().json()["results"]]

    def _token(self, service: str) -> str:
        if service not in self._tokens:
            self._tokens[service] = self.server.token(service, "maya")
        return self._tokens[service]

    def _get(self, service: str, path: str, query: dict[str, str]) -> Any:
        headers = {"Authorization": f"Bearer {self._token(service)}"}
        return httpx.get(f"{self.server.url}{path}", params=query, headers=headers, trust_env=False).json()


def outcome_of(items: Sequence[Item], cards: Mapping[str, Approval]) -> Outcome:
    """What the last turn of these items came to."""
    last = max(at for at, item in enumerate(items) if isinstance(item, UserMessage))
    calls: list[tuple[str, Mapping[str, Any]]] = []
    failed: list[str] = []
    for item in items[last:]:
        if isinstance(item, ToolLine) and item.name == FIND:
            continue
        if isinstance(item, ToolLine):
            calls.append((item.name, item.arguments))
            failed += [f"{item.name}: {item.sentence[:200]}"] if item.success is False else []
        elif isinstance(item, ApprovalItem) and item.approval_id in cards:
            card = cards[item.approval_id]
            calls.append((card.tool, card.arguments))
            failed += [] if card.status is ApprovalStatus.DONE else [f"{card.tool}: {card.status} {card.outcome}"]
    said = [item.text for item in items[last:] if isinstance(item, AssistantText)]
    return Outcome(calls=calls, failed=failed, answer="\n".join(said), cards=tuple(cards.values()))


def _tasks(room: CampusRoom, service: str) -> list[str]:
    state = "done" if service == "planner_done" else "all"
    listed = room.services.gateway.call(room.maya, "planner_list_tasks", {"state": state}, asked_by="tests")
    return [line.partition("**")[2].partition("**")[0] for line in listed.output.splitlines()]


def _title(found: dict[str, Any]) -> str:
    if "title" in found:
        return "".join(part["plain_text"] for part in found["title"])
    columns = [column for column in found.get("properties", {}).values() if column["type"] == "title"]
    return "".join(part["plain_text"] for column in columns for part in column["title"])
