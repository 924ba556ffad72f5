"""How much of each kind Homeroom keeps of a student: numbers, counted and not read."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.privacy.kept import KEPT, Kept
from services.storage.store import Store


@dataclass(frozen=True, kw_only=True)
class Known:
    """number: of documents, as they are stored."""

    kept: Kept
    number: int


def known(store: Store, student_id: str) -> Sequence[Known]:
    """Everything on the list, in its order, what there is none of too."""
    return [Known(kept=kept, number=kept.count(store, student_id)) for kept in KEPT]
