"""A class with its assistants over one store: what the tests of class assistants start from."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from services.assistants.assistant import Assistant
from services.assistants.class_assistant import ExamWindow
from services.assistants.publish_check import PublishProblem
from services.assistants.registry import AssistantRegistry
from services.classes.assistants.assistant_record import AssistantRecord
from services.classes.assistants.class_assistants import ClassAssistants
from services.classes.assistants.published_assistants import PublishedAssistants
from services.classes.school_class import SchoolClass
from services.identity.students import Student
from services.runtime.clock import Clock
from services.storage.documents import Documents
from tests.services.classes.school import School


def nothing_amiss(assistant: Assistant) -> Sequence[PublishProblem]:
    return ()


class Lectern:
    """One replica, with a class of Anne's that Maya is in; once more over the same engine is another replica."""

    def __init__(self, engine: Documents, clock: Clock, *, check: Any = nothing_amiss) -> None:
        self.school, self.clock = School(engine, clock), clock
        self.assistants = ClassAssistants(self.school.store, self.school.classes, clock, check=check)
        self.registry = AssistantRegistry(
            self.school.store, classes=PublishedAssistants(self.school.store, self.school.repository)
        )
        self.anne, self.maya = self.school.anne, self.school.sign_in("maya")

    def make_class(self, name: str = "Biology 201") -> SchoolClass:
        made = self.school.make_class(name)
        self.school.memberships.join(self.maya, made.join_code)
        return made

    def make(self, school_class: SchoolClass, **values: Any) -> AssistantRecord:
        record = self.assistants.create(self.anne, school_class.id, "Tutor", request_id="0123456789abcdef")
        return self.change(record, **values) if values else record

    def change(self, record: AssistantRecord, by: Student | None = None, **values: Any) -> AssistantRecord:
        draft = replace(record.draft, **values)
        return self.assistants.save(by or self.anne, draft, seen=record.draft_version)

    def publish(self, record: AssistantRecord) -> AssistantRecord:
        return self.assistants.publish(self.anne, record.id, seen=record.draft_version)

    def published(self, **values: Any) -> AssistantRecord:
        return self.publish(self.make(self.make_class(), **values))

    def window(self, begins_in: float = 0, lasts: float = 60, **values: Any) -> ExamWindow:
        """A window that begins and lasts so many minutes from now on."""
        begins_at = self.clock() + timedelta(minutes=begins_in)
        fields = {"id": "w1", "mode": "closed", "ends_at": begins_at + timedelta(minutes=lasts), **values}
        return ExamWindow(begins_at=begins_at, **fields)

    def teach(self, school_class: SchoolClass, name: str) -> Student:
        """Somebody else who teaches the class, too."""
        other = self.school.sign_in(name)
        self.school.memberships.join(other, school_class.join_code)
        self.school.memberships.make_instructor(self.anne, school_class.id, other.id)
        return other
