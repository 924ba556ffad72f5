"""One version of Homeroom at work on a store that another one works on, too; `test_two_versions` runs it.

python tests/soak/version_clerk.py STORE FOLDER NAME ROUNDS, with the version's own folder first in PYTHONPATH: each
round continues what is there, whoever left it, and adds its own. What it did stands in one line of JSON at the end.
STORE: path of a SQLite file, or address of a MongoDB database.
"""

import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from services.approvals.approval import ApprovalStatus
from services.classes.budgets.budget import Limits
from services.errors import ApprovalError, ChangedElsewhere, ItemNotFound, StorageUnavailable, TurnBusy, WriteConflict
from services.llm.chat_model import ModelRequest, Payer
from services.reminders.preferences import Channel, PreferencesRepository
from services.runtime.clock import utc_now
from services.storage.documents import Documents
from services.storage.sqlite import SqliteDocuments
from services.study.exam import PlannedSession, SessionKind
from services.study.flashcard import ReviewRating
from tests.agent_fakes import FakeModel, calls, says
from tests.rooms import Room

PIN = "Pin it, says"
TEACHER = "maya@campus.example"
GIVEN_UP_S = 120.0


def engine_of(store: str) -> Documents:
    if store.startswith("mongodb"):
        from services.storage.mongo import MongoDocuments

        return MongoDocuments(store)
    return SqliteDocuments(Path(store))


class Clerk:
    """What one version does, again and again; `counts` are its successful writes by kind."""

    def __init__(self, engine: Documents, folder: Path, name: str) -> None:
        self.name, self.counts, self.number = name, Counter[str](), 0
        self.room = Room(
            engine=engine, data_dir=folder, model=FakeModel(self._answer), settings={"HOMEROOM_INSTRUCTORS": TEACHER}
        )
        services = self.room.services
        self.services, self.student = (
            services,
            services.students.sign_in(
                issuer="https://id.example", subject="maya", name="Maya", email=TEACHER, is_email_verified=True
            ),
        )
        self.room.maya = self.student
        self.preferences = PreferencesRepository(services.store, utc_now)

    def work(self, rounds: int) -> None:
        self.room.connect()
        for _ in range(rounds):
            self.number += 1
            for step in (self.chat, self.cards, self.exam, self.course, self.remind):
                self._again(step)
            self.services.jobs.run_once()

    def chat(self) -> None:
        """Approve the cards that wait, whoever's answer they are of, and leave another one waiting."""
        for card in self.services.approvals.waiting(self.student.id, 10):
            with suppress(ApprovalError):
                self.services.turns.decide(self.student, card.id, "approve")
                self._settled(card.id)
                self.counts["approved"] += 1
        _, view = self.room.ask(f"{PIN} {self.name} {self.number}")
        self.counts["asked"] += 1
        assert view.status.value == "waiting", view

    def cards(self) -> None:
        """Add a card, rate every card, and take the last rating back."""
        deck, reviews = self.services.study.cards, self.services.study.reviews
        deck.add(self.student, [deck.new_card(front=f"{self.name} {self.number}?", back="Yes.", course_key="c")])
        self.counts["cards"] += 1
        for card in deck.cards(self.student).cards:
            id = f"{self.name}-{self.number}-{card.id}"
            reviews.rate(self.student, card.id, ReviewRating.GOOD, review_id=id)
        reviews.undo(self.student, id)

    def exam(self) -> None:
        """Add a session to the one exam and mark it as done; planning anew replaces what is not done yet, whoever
        planned it, so who was overtaken plans once more.
        """
        plans, now = self.services.study.exams, utc_now()
        exams = plans.exams(self.student)
        exam = exams[0] if exams else plans.add(self.student, title="Final", at=now + timedelta(days=9), course_key="c")
        session = PlannedSession(
            id=secrets.token_hex(4), kind=SessionKind.READ, start=now + timedelta(days=1), minutes=30
        )
        plans.keep(self.student, exam.id, [session])
        try:
            plans.set_done(self.student, exam.id, session.id)
        except ItemNotFound:
            raise ChangedElsewhere("Homeroom", "Planned anew elsewhere.") from None
        self.counts["sessions"] += 1

    def course(self) -> None:
        """Change the class, its budget and its assistant, and publish that."""
        room, student = self.services.classroom, self.student
        school_class = room.classes.create(student, name="Biology", request_id="one")
        budget = room.budget_control.of_class(student, school_class.id).budget
        limits = Limits(day=1_000_000 + self.number, term=None)
        room.budget_control.set_of_class(student, school_class.id, replace(budget, total=limits))
        self.services.budgets.note(Payer(student_id=student.id, class_id=school_class.id))
        record = room.assistants.create(student, school_class.id, "Helper", request_id="helper")
        draft = replace(record.draft, words=f"Be brief, says {self.name} {self.number}.")
        saved = room.assistants.save(student, draft, seen=record.draft_version)
        room.assistants.publish(student, saved.id, seen=saved.draft_version)
        room.assistants.history(student, saved.id)
        self.counts["saved"] += 1

    def remind(self) -> None:
        self.preferences.update(self.student.id, lambda found: found.with_channel(Channel.EMAIL))

    def totals(self) -> dict[str, int]:
        """What the store holds at the end."""
        deck, exams = self.services.study.cards, self.services.study.exams.exams(self.student)
        mine = self.services.store.for_student(self.student.id)
        done = {"status": ApprovalStatus.DONE.value}
        return {
            "asked": mine.count("conversations", {}),
            "approved": mine.count("approvals", done),
            "cards": deck.count(self.student),
            "sessions": sum(len(exam.sessions) for exam in exams),
            "classes": self.services.store.shared.count("classes", {}),
        }

    def _answer(self, request: ModelRequest) -> list[Any]:
        """Pin a note for a question; a note that is pinned is fine."""
        content = request.messages[-1]["content"]
        asked = any(PIN in str(part.get("text")) for part in content if isinstance(part, dict))
        return calls(("board_pin", {"text": secrets.token_hex(4)})) if asked else says("Fine.")

    def _settled(self, approval: str) -> None:
        """Wait until an approved write has run, in whichever process."""
        until = time.monotonic() + GIVEN_UP_S
        while not self.services.approvals.get(self.student.id, approval).status.is_decided:
            assert time.monotonic() < until
            time.sleep(0.02)

    def _again(self, step: Callable[[], None]) -> None:
        """Do a step as a person does: once more where the other version was first."""
        for _ in range(200):
            try:
                return step()
            except (ChangedElsewhere, StorageUnavailable, TurnBusy, WriteConflict):
                time.sleep(0.02)
        raise AssertionError(f"{step.__name__} never came to its turn.")


if __name__ == "__main__":
    store, folder, name, rounds = sys.argv[1:]
    clerk = Clerk(engine_of(store), Path(folder), name)
    clerk.work(int(rounds))
    sys.stdout.write(json.dumps({"counts": clerk.counts, "totals": clerk.totals()}) + "\n")
