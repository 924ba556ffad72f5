"""Lists of a course, read in one pass, and single things where a list of them is hidden."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.errors import (
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
)
from services.i18n import gettext, gettext_noop
from services.integrations.canvas.errors import ScopeMissing
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.locks import is_published
from services.integrations.canvas.payloads import Json

_MOST_FAILURES = 3
"""Single things that may fail for the moment in a pass; more of them mean that Canvas is away."""
_LABELS = {
    "modules": gettext_noop("modules"),
    "files": gettext_noop("files"),
    "folders": "",
    "pages": gettext_noop("pages"),
    "assignments": gettext_noop("assignments"),
    "topics": gettext_noop("discussions"),
    "announcements": gettext_noop("announcements"),
}
_UNCOVERED = gettext_noop(
    "The Canvas sign-in does not cover this yet: {lists}. Open Connections and reconnect Canvas to add it."
)
_HIDDEN = gettext_noop(
    "This course hides its own list of this: {lists}. Homeroom has what its modules and texts lead to."
)
_OPTIONAL = ("folders",)
_THROUGH_MODULES = ("files", "pages")
"""Lists that a course may hide while its modules still lead to what is in them."""


@dataclass(frozen=True, kw_only=True)
class CourseLists:
    """Rows of a course's lists by name; one that this account may not see is among the refusals instead."""

    course: Json
    rows: dict[str, list[Json]]
    refusals: dict[str, ServiceError]

    def published(self, name: str) -> list[Json]:
        """Rows of a list without drafts, which teachers are listed, too."""
        return [row for row in self.rows.get(name, []) if is_published(row)]

    def notes(self) -> list[str]:
        """Tell the student what could not be listed, and what they can do about it."""
        refused = [name for name in self.refusals if name not in _OPTIONAL]
        uncovered = [name for name in refused if isinstance(self.refusals[name], ScopeMissing)]
        hidden = [name for name in refused if name in _THROUGH_MODULES and name not in uncovered]
        closed = [name for name in refused if name not in (*uncovered, *hidden)]
        notes = []
        if uncovered:
            notes.append(gettext(_UNCOVERED, lists=_joined(uncovered)))
        if hidden:
            notes.append(gettext(_HIDDEN, lists=_joined(hidden)))
        if closed:
            notes.append(gettext("Canvas does not show this of the course: {lists}.", lists=_joined(closed)))
        return notes


def read_lists(client: MaterialsClient, course_id: int) -> CourseLists:
    """Read all lists of a course, a few at once.

    Raises the refusal of the course itself, and `ServiceUnavailable` when any list fails for the moment: half a listing
    would pass for a course from which the rest was taken away.
    """
    try:
        course = client.course_text(course_id)
    except ScopeMissing as missing:
        # No word about the course: what was read of it is not taken away for that.
        raise RequestRefused(missing.service, str(missing), next_step=gettext(ReconnectRequired.next_step)) from None
    readers: dict[str, Callable[[], list[Json]]] = {
        "modules": lambda: client.course_modules(course_id),
        "files": lambda: client.files(course_id),
        "folders": lambda: client.folders(course_id),
        "pages": lambda: client.pages(course_id),
        "assignments": lambda: client.assignment_texts(course_id),
        "topics": lambda: client.topics(course_id),
        "announcements": lambda: client.topics(course_id, are_announcements=True),
    }
    answers = client.map_each(list(readers.items()), lambda reader: (reader[0], answer_or_refusal(reader[1])))
    return CourseLists(
        course=course,
        rows={name: answer for name, answer in answers if isinstance(answer, list)},
        refusals={name: answer for name, answer in answers if isinstance(answer, ServiceError)},
    )


def answer_or_refusal(read: Callable[[], list[Json]]) -> list[Json] | ServiceError:
    """Rows of a list, or why this account may not see it; raises what is over after a while."""
    try:
        return read()
    except (PermissionMissing, ItemNotFound, RequestRefused) as refusal:
        return refusal


def read_singles(client: MaterialsClient, ids: Sequence[str], read: Callable[[str], Json]) -> dict[str, Json]:
    """Read single things by their ids; those that are refused are missing.

    A few may fail for the moment and are missing, too; raises the failure of one where more do.
    """

    failures: list[ServiceUnavailable] = []

    def attempt(id: str) -> Json | ServiceError:
        if len(failures) > _MOST_FAILURES:
            return failures[0]
        try:
            return read(id)
        except ServiceUnavailable as failure:
            failures.append(failure)
            return failure
        except (PermissionMissing, ItemNotFound, RequestRefused) as refusal:
            return refusal

    answers = client.map_each(ids, attempt)
    if len(failures) > _MOST_FAILURES or (failures and len(failures) == len(ids)):
        raise failures[0]
    return {id: answer for id, answer in zip(ids, answers, strict=True) if isinstance(answer, dict)}


def _joined(names: Sequence[str]) -> str:
    return ", ".join(gettext(_LABELS[name]) for name in names)
