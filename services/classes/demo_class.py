"""`DemoClass`: the class of a demo that was opened for a room, for whoever presents it; nobody has it anywhere else."""

from services.classes.class_repository import no_such_class
from services.classes.classes import Classes
from services.classes.join_codes import join_address
from services.classes.school_class import ClassRole, SchoolClass
from services.identity.students import Student
from services.settings import Settings, demo_mode


class DemoClass:
    """The presenter's methods raise `ItemNotFound` for everybody but the instructors of the demo's class."""

    def __init__(self, settings: Settings, classes: Classes) -> None:
        self._settings, self._classes = settings, classes

    def may_be_presented_by(self, student: Student | None) -> bool:
        """Whether this is a demo's deployment, and they present it, or (None) may turn out to once they have signed in;
        no store read in any other deployment.
        """
        class_id = self._settings.demo_class
        if not class_id or student is None:
            return bool(class_id)
        return self._classes.role_in(student.id, class_id) is ClassRole.INSTRUCTOR

    def is_of(self, school_class: SchoolClass) -> bool:
        """Whether a class is the demo's."""
        return school_class.id == self._settings.demo_class

    def school_class(self, student: Student) -> SchoolClass:
        """The demo's class."""
        if not self._settings.demo_class:
            raise no_such_class()
        return self._classes.require_instructor(student, self._settings.demo_class)

    def join_address(self, student: Student) -> str:
        """What the class scans or types."""
        return join_address(self._settings.public_url, self.school_class(student).join_code)

    def count_joined(self, student: Student) -> int:
        """How many have joined."""
        members = self._classes.members(student, self.school_class(student).id)
        return sum(member.is_student for member in members)

    def begin_anew(self, student: Student) -> None:
        """Have everything set back: students, classes, chats and the services that are played; some seconds later."""
        self.school_class(student)
        demo_mode.want_reset(self._settings.data_dir)
