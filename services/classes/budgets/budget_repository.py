"""`BudgetRepository`: the budgets of the deployment and of classes, as operators and instructors have set them."""

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from services.classes.budgets.budget import Budget
from services.errors import ChangedElsewhere, DuplicateDocument
from services.i18n import gettext
from services.storage.documents import Document
from services.storage.records import keep_later_fields, read_record, record_reader
from services.storage.store import Store

BUDGETS, MEMBERS = "budgets", "class_members"
DEPLOYMENT = "deployment"
FRESH_S = 2.0
"""How long what was read counts: until then another replica may go by the limits before a change."""
_LIMITS = ("total", "share", "most_of_class")
_DAYS = ("term_from", "term_until")


class BudgetRepository:
    def __init__(self, store: Store, clock_s: Callable[[], float] = time.monotonic) -> None:
        """clock_s: monotonic seconds."""
        self._documents, self._clock_s = store.shared, clock_s
        self._lock = threading.Lock()
        self._read: dict[str, tuple[float, Budget, int]] = {}

    def get(self, id: str) -> Budget:
        """The budget of a class, by its id, or of the `DEPLOYMENT`, as it is now; without a limit where none is set."""
        document = self._documents.get(BUDGETS, id)
        return budget_of(document) if document else Budget()

    def cached(self, id: str) -> tuple[Budget, int]:
        """The budget as it was at most `FRESH_S` ago, and how many are in the class; at least one."""
        now = self._clock_s()
        with self._lock:
            found = self._read.get(id)
        if found is not None and now - found[0] < FRESH_S:
            return found[1:]
        budget = self.get(id)
        is_divided = id != DEPLOYMENT and budget.is_set
        count = self._documents.count(MEMBERS, {"class_id": id}) if is_divided else 1
        with self._lock:
            self._read[id] = (now, budget, max(1, count))
        return budget, max(1, count)

    def save(self, id: str, budget: Budget) -> Budget:
        """Save a changed budget; `budget.version` is the one that was read. Raises `ChangedElsewhere`."""
        fields = {**budget_document(budget), "version": secrets.token_hex(8)}
        if budget.version:
            fields = keep_later_fields(Budget, fields, self._documents.get(BUDGETS, id))
            is_saved = self._documents.compare_and_set(BUDGETS, id, {"version": budget.version}, fields) is not None
        else:
            class_id = "" if id == DEPLOYMENT else id
            is_saved = self._insert({"id": id, "class_id": class_id, **fields})
        self.forget(id)
        if not is_saved:
            raise ChangedElsewhere("Homeroom", gettext("This budget was changed meanwhile."))
        return budget_of(fields)

    def forget(self, id: str) -> None:
        """Read this budget anew when it is needed next."""
        with self._lock:
            self._read.pop(id, None)

    def _insert(self, document: Document) -> bool:
        try:
            self._documents.insert(BUDGETS, document)
        except DuplicateDocument:
            return False
        return True


def budget_document(budget: Budget) -> dict[str, Any]:
    """A budget as it is stored, without its id and version."""
    limits = {name: vars(getattr(budget, name)) for name in _LIMITS}
    days = {name: f"{day}" if (day := getattr(budget, name)) else "" for name in _DAYS}
    return {**limits, **days}


@record_reader(BUDGETS)
def budget_of(document: Mapping[str, Any]) -> Budget:
    """The budget that a document holds."""
    days = {name: document.get(name) or None for name in _DAYS}
    return read_record(Budget, document, **days)
