"""The services over a running app's own data: for what a flow needs but does not look at."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from bench.load.app_server import AppServer
from bench.load.forms import press
from services import bootstrap, settings
from services.assistants.class_assistant import ExamWindow
from services.classes.budgets.budget import Budget, Limits
from services.classes.school_class import SchoolClass
from services.files.upload import Upload
from services.identity.students import Student
from services.llm.prices import MICRO
from services.privacy.data_inventory import DATA_INVENTORY
from tests.discovery_facts import request

IDS = {"Canvas": "canvas", "Google Calendar": "google_calendar", "Notion": "notion"}
LECTURE = b"# Membranes\n\nA membrane lets water pass. The gradient across a channel drives osmosis.\n"
LONG_AGO = "2020-01-01T00:00:00+00:00"


class Backstage:
    """A second replica, so to speak, that only does what it is told."""

    def __init__(self, app: AppServer, data_dir: Path, engine: Mapping[str, str] | None = None) -> None:
        environment = {
            **(engine or {}),
            "HOMEROOM_DEMO": "1",
            "HOMEROOM_DATA_DIR": str(data_dir),
            "HOMEROOM_PORT": str(app.port),
        }
        self.services = bootstrap.build(settings.read(environment))

    def student(self, name: str) -> Student:
        """Who signs in under this name: a school's own system may have opened accounts of that name, too."""
        found = self.services.store.shared.find("students", {"name": name})
        signs_in = next(document for document in found if not document["issuer"].startswith("lti:"))
        student = self.services.students.get(signs_in["id"])
        assert student is not None
        return student

    def knows(self, student: Student) -> bool:
        """Whether anything of this student is kept, apart from the note of a deletion that is under way."""
        kept = [kind for kind in DATA_INVENTORY if kind.collection != "departures"]
        return any(kind.documents(self.services.store, student.id) for kind in kept)

    def connect(self, name: str, label: str) -> None:
        """Connect a service by its own consent page, without a browser."""
        student = self.student(name)
        address = self.services.connections.begin_oauth(student.id, IDS[label])
        with httpx.Client(timeout=30, trust_env=False) as client:
            person = name.partition(" ")[0].lower()
            answer = press(client, client.get(address), "Allow", person=person)
        query = dict(httpx.URL(answer.headers["location"]).params)
        self.services.connections.finish_oauth(student.id, state=query["state"], code=query["code"])

    def teach(self, teacher: str, *members: str) -> SchoolClass:
        """Make a class with an assistant, an exam window, a file and a budget, and bring these people into it."""
        classroom, instructor = self.services.classroom, self.student(teacher)
        found = classroom.classes.create(instructor, name="Cell Biology 201", term="Fall 2026")
        for member in members:
            classroom.memberships.join(self.student(member), found.join_code)
        made = classroom.assistants.create(instructor, found.id, "Membrane tutor", request_id=found.id)
        draft = replace(
            made.draft,
            summary="Explains transport across membranes in the words of our lecture",
            words="Use the words of our lecture: membrane, gradient, channel. Say which unit an answer belongs to.",
            level="asks",
            integrity="In lab reports name what it helped with.",
        )
        saved = classroom.assistants.save(instructor, draft, seen=made.draft_version)
        classroom.assistants.publish(instructor, saved.id, seen=saved.draft_version)
        begins_at = self.services.clock().replace(hour=15, minute=0, second=0, microsecond=0) + timedelta(days=3)
        exam = ExamWindow(id="midterm", begins_at=begins_at, ends_at=begins_at + timedelta(hours=2), mode="closed")
        classroom.assistants.set_windows(instructor, saved.id, [exam], seen=())
        classroom.materials.add(instructor, found.id, Upload(name="Lecture 3 membranes.md", content=LECTURE))
        limits = Budget(total=Limits(day=5 * MICRO), share=Limits(day=MICRO))
        classroom.budget_control.set_of_class(instructor, found.id, limits)
        return found

    def count(self, name: str, *contexts: str, **facts: Any) -> None:
        """Add a model request to this student's numbers."""
        self.services.accounting.record_request(request(self.student(name).id, *contexts, **facts))

    def forget(self, name: str) -> None:
        """Leave nothing of this student's connections, chats and numbers."""
        mine = self.services.store.for_student(self.student(name).id)
        chats = ("conversations", "messages", "turns", "approvals", "chat_words")
        reminders = ("reminder_preferences", "push_subscriptions", "reminders", "deliveries")
        library = {kind.collection for kind in DATA_INVENTORY if kind.collection.startswith(("material", "study_"))}
        for collection in ("connections", *chats, *reminders, *library, "discovery_days", "week_notes"):
            mine.delete(collection, {})
        self.services.store.shared.compare_and_set(
            "students", self.student(name).id, {}, {"knows_the_way": False, "consent": None}
        )

    def speak_to(self, name: str, locale: str) -> None:
        """Have Homeroom speak their language, as their browser asks for it."""
        self.services.students.set_language(self.student(name).id, locale.partition("-")[0], locale)

    def withdraw(self, name: str, subject: str) -> None:
        """Withdraw a consent, as in another tab of theirs."""
        self.services.consents.withdraw(self.student(name), subject)

    def disable(self, name: str) -> None:
        self.services.students.disable(self.student(name).id)

    def enable(self, name: str) -> None:
        self.services.store.shared.compare_and_set("students", self.student(name).id, {}, {"is_disabled": False})

    def let_leases_run_out(self) -> None:
        """What a while without the process that held them would do."""
        shared = self.services.store.shared
        for lease in shared.find("leases", {}):
            shared.compare_and_set("leases", lease["id"], {}, {"until": LONG_AGO})

    def close(self) -> None:
        self.services.store.close()
