"""`ClassMaterials`: what an instructor gives a class to read; read in once, for everybody in it."""

from collections.abc import Sequence

from services.classes.class_repository import ClassRepository, library_owner
from services.classes.classes import Classes
from services.classes.school_class import SchoolClass
from services.errors import BadArguments, ItemNotFound
from services.files.upload import Upload
from services.i18n import gettext
from services.identity.students import Student
from services.materials.library import MaterialLibrary
from services.materials.material import Material, MaterialCourse
from services.materials.results import LibraryUsage, ListedMaterial
from services.materials.store.class_libraries import CLASS
from services.materials.store.records import SHELF, CourseRecord
from services.materials.store.repository import MaterialRepository


class ClassMaterials:
    """The library of a class has an owner of its own, who is no student: the limits of a library are those of a class.

    Members read it through `MaterialLibrary`, as a course of theirs, until they leave or the class is archived.
    """

    def __init__(
        self,
        classes: Classes,
        repository: ClassRepository,
        library: MaterialLibrary,
        libraries: MaterialRepository,
    ) -> None:
        """libraries: the documents of all libraries, without what is shared."""
        self._classes, self._repository = classes, repository
        self._library, self._libraries = library, libraries

    def materials(self, student: Student, class_id: str) -> Sequence[ListedMaterial]:
        """What a class has to read, for everybody in it; nothing of one that is over, but for its instructors."""
        found, _ = self._classes.require_member(student, class_id)
        if found.archived_at is not None:
            self._classes.require_instructor(student, class_id)
        records = self._libraries.materials(library_owner(class_id), [course_key(class_id)])
        return [record.listed() for record in records]

    def file_count(self, student: Student, class_id: str) -> int:
        """How many files a class that is not over has, for everybody in it, without reading them."""
        found, _ = self._classes.require_member(student, class_id)
        course = self._libraries.course(library_owner(class_id), course_key(class_id))
        return course.uploads if course is not None and found.archived_at is None else 0

    def usage(self, student: Student, class_id: str) -> LibraryUsage:
        """What the library of a class takes, and its limits, for its instructors."""
        return self._library.usage(_owner(self._classes.require_instructor(student, class_id), student))

    def add(self, student: Student, class_id: str, upload: Upload) -> Material:
        """Read a file in for the whole class; the same file again changes nothing. Raises `FileRefused`, `LibraryFull`,
        and `BadArguments` for a class that is over.
        """
        found = self._classes.require_instructor(student, class_id)
        if found.archived_at is not None:
            raise BadArguments(gettext("This class is over."), next_step=gettext("Open it again first."))
        owner, key = _owner(found, student), course_key(class_id)
        now = self._repository.clock()
        course = MaterialCourse(key=key, name=found.name)
        shelf = CourseRecord(course=course, source=SHELF, listed_at=now, used_at=now, tidied_at=now)
        self._libraries.add_course(owner.id, shelf)
        added = self._library.add_upload(owner, key, upload)
        if self._repository.get(class_id) is None:
            # It was deleted while the file was read.
            self._repository.finish_deletion(class_id)
        return added

    def remove(self, student: Student, class_id: str, material_id: str) -> None:
        """Remove a file for the whole class; one that is gone already changes nothing."""
        owner = _owner(self._classes.require_instructor(student, class_id), student)
        try:
            self._library.remove_upload(owner, material_id)
        except ItemNotFound:
            return


def course_key(class_id: str) -> str:
    """Key of the course as which members read what their class has."""
    return f"{CLASS}-{class_id}"


def _owner(school_class: SchoolClass, student: Student) -> Student:
    """Owner of a class's library, in the words and the time zone of the instructor who acts."""
    owner = library_owner(school_class.id)
    return Student(id=owner, name=school_class.name, email="", timezone=student.timezone, locale=student.locale)
