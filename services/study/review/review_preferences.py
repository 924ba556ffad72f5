"""`ReviewPreferences`: how much a student wants to practise in a day; and for which exams their cards are arranged."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.errors import BadArguments
from services.i18n import formats, gettext
from services.storage.documents import Document
from services.storage.records import read_record, record_reader
from services.storage.store import Store

PREFERENCES = "study_preferences"
_ID = "review"
MOST_REVIEWS_A_DAY, MOST_NEW_A_DAY = 1_000, 200


@dataclass(frozen=True, kw_only=True)
class ReviewPreferences:
    """Daily limits of a student. arranged: by course, the exams that its cards' due times were computed for, see
    `ExamCaps`.
    """

    reviews_a_day: int = 150
    new_a_day: int = 20
    arranged: Mapping[str, str] = field(default_factory=dict, repr=False)


class ReviewPreferencesRepository:
    """Repository of all students' preferences of review."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, student_id: str) -> ReviewPreferences:
        document = self._store.for_student(student_id).get(PREFERENCES, _ID) or {}
        return _read(document)

    def set_limits(self, student_id: str, *, reviews_a_day: int, new_a_day: int) -> ReviewPreferences:
        """Change the daily limits; raises `BadArguments` for impossible ones."""
        for name, value, most in (
            ("reviews_a_day", reviews_a_day, MOST_REVIEWS_A_DAY),
            ("new_a_day", new_a_day, MOST_NEW_A_DAY),
        ):
            if not 0 <= value <= most:
                sentence = gettext("Choose a number from 0 to {most}.", most=formats.number(most))
                raise BadArguments(sentence, field=name, next_step=gettext("Choose another number."))
        return self._set(student_id, {"reviews_a_day": reviews_a_day, "new_a_day": new_a_day})

    def set_arranged(self, student_id: str, arranged: Mapping[str, str]) -> ReviewPreferences:
        return self._set(student_id, {"arranged": dict(arranged)})

    def _set(self, student_id: str, changes: Mapping[str, object]) -> ReviewPreferences:
        mine = self._store.for_student(student_id)
        if mine.compare_and_set(PREFERENCES, _ID, {}, changes) is None:
            mine.put(PREFERENCES, {"id": _ID, **changes})
        return self.get(student_id)


@record_reader(PREFERENCES)
def _read(document: Document) -> ReviewPreferences:
    return read_record(ReviewPreferences, document)
