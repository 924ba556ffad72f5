"""`MaterialSource`: where a student's materials come from, such as their Canvas; brought by an integration."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from services.materials.material import Material, MaterialCourse

MATERIALS = "materials"
"""Capability of a student: they have connected a source, or uploaded materials of their own."""


@dataclass(frozen=True, kw_only=True)
class MaterialListing:
    """Materials of a course as the student sees them now, in the course's order. notes: what could not be listed, in
    words for the student.
    """

    materials: Sequence[Material]
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class MaterialContent:
    """Content of a material. name: with the extension that its bytes should have, such as "page.html"."""

    name: str = field(repr=False)
    content: bytes = field(repr=False)


class MaterialSource(Protocol):
    """Source of one student, with their own rights. Every method raises the typed errors of `services.errors`."""

    def courses(self) -> Sequence[MaterialCourse]:
        """List the student's current courses."""

    def listing(self, course_key: str) -> MaterialListing:
        """List a course's materials, locked ones too, each with the reason."""

    def readable(self, materials: Collection[Material]) -> frozenset[str]:
        """Ids of those that the student may read at this moment; raises `ServiceUnavailable` where nobody can tell."""

    def content(self, material: Material) -> MaterialContent:
        """Fetch a material. Raises `PermissionMissing` or `ItemNotFound` when it is closed to the student by now."""
