"""One killed answer after another: the message is there once, and its turn comes to an end."""

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from services.conversations.turn_records import TurnStatus
from services.errors import HomeroomError
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.forked_children import Children
from tests.soak.write_kills import Ending

WORDS_PER_SECOND = 100
KILLED_WITHIN_S = 2.0
MOST_CHANGES = 12
GIVEN_UP_S = 60.0
QUESTIONS = (
    "/say-long 100",
    "/say-long 60",
    "What is due this week?",
    "What are my grades?",
    "/call planner_list_tasks {}",
    "Find gaps in my calendar tomorrow",
)


class AnswerKills:
    """A Homeroom whose page sends again what nobody confirmed, and processes that die while they answer."""

    def __init__(self, campus: CampusServer, data_dir: Path, *, times: float, seed: int, mongo: str = "") -> None:
        self._campus, self._chance = campus, random.Random(seed)
        self._here = CampusRoom(campus, data_dir, **({"MONGODB_URI": mongo} if mongo else {}))
        self._here.connect("google_calendar", "canvas")
        self._children = Children(data_dir, self._here.settings.public_url, times=times, mongo=mongo)
        self._conversation: str | None = None
        self._number = 0

    def close(self) -> None:
        self._children.close()
        self._here.close()

    def endings(self, kills: int) -> Iterator[Ending]:
        """Kill so often; each case as it ends."""
        for _ in range(kills):
            yield self._case()

    def _case(self) -> Ending:
        self._number += 1
        key, text, began = f"key-{self._number:08d}", self._chance.choice(QUESTIONS), time.monotonic()
        conversation = self._conversation if self._chance.random() < 0.5 else None
        self._speak(WORDS_PER_SECOND)
        wish = {"do": "send", "student": self._here.maya.id, "text": text, "key": key, "conversation": conversation}
        if self._chance.random() < 0.3:
            self._children.kill(wish, changes=self._chance.randrange(MOST_CHANGES))
        else:
            self._children.kill(wish, seconds=self._chance.uniform(0, KILLED_WITHIN_S))
        self._speak(5_000)
        turn = self._sent_again(text, key, conversation)
        status = self._ended(self._conversation or "", turn)
        asked = [m for m in self._messages() if m.role == "user" and m.meta.get("turn_id") == turn and m.text == text]
        wrong = "" if status is TurnStatus.DONE else "untrue"
        wrong = {0: "lost", 1: wrong}.get(len(asked), "doubled")
        if status is TurnStatus.DONE and not self._is_answered(turn):
            wrong = "lost"
        took_s = round(time.monotonic() - began, 1)
        return Ending(tool=text, is_undo=False, status=status.value, requests=len(asked), wrong=wrong, took_s=took_s)

    def _sent_again(self, text: str, key: str, conversation: str | None) -> str:
        """Send as a page does that heard nothing: under the same key, until it is taken; the turn's id."""
        until = time.monotonic() + GIVEN_UP_S
        while True:
            try:
                ids = self._here.services.submissions.submit(
                    self._here.maya, text, key=key, conversation_id=conversation
                )
            except HomeroomError as error:
                if time.monotonic() > until:
                    raise AssertionError("the message is never taken") from error
                self._here.services.turns.recover()
                time.sleep(0.1)
                continue
            self._conversation = ids.conversation_id
            return ids.turn_id

    def _ended(self, conversation: str, turn: str) -> TurnStatus:
        """Status of the turn once it is over, after pressing Continue or Try again."""
        until = time.monotonic() + GIVEN_UP_S
        turns = self._here.services.turns
        documents = self._here.services.store.for_student(self._here.maya.id)
        while True:
            turns.recover()
            found = documents.get("turns", turn)
            status = TurnStatus(found["status"]) if found else TurnStatus.RUNNING
            if status is TurnStatus.DONE or time.monotonic() > until:
                return status
            with suppress(HomeroomError):
                if status is TurnStatus.INTERRUPTED:
                    turns.resume(self._here.maya, conversation)
                elif status is TurnStatus.FAILED:
                    turns.retry(self._here.maya, conversation)
            time.sleep(0.1)

    def _is_answered(self, turn: str) -> bool:
        last = self._messages()[-1]
        return last.role == "assistant" and last.meta.get("turn_id") == turn and bool(last.text.strip())

    def _messages(self) -> list[object]:
        return list(self._here.services.conversations.messages(self._here.maya.id, self._conversation or ""))

    def _speak(self, words_per_second: int) -> None:
        self._campus.clear_faults()
        self._campus.fault(service="anthropic", fault="pace", words_per_second=words_per_second, times=0)
