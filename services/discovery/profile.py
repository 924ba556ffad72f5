"""`Profiles`: which contexts a student uses, as small counters without a word of theirs; they break ties."""

from collections.abc import Collection, Mapping

from services.storage.store import Store

COLLECTION = "context_uses"
_ID = "all"
_COUNTED = "of_"
FEWEST = 10
"""Uses from which on they say something."""
MOST = 0.06
"""A context of all that a student uses is found with a chance that is lower by this much; one never used, higher."""


class Profiles:
    """One document for each student: how often a tool of each context was called in a turn."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, student_id: str, contexts: Collection[str]) -> None:
        """Count one use of each context; raises `StorageError`."""
        if contexts:
            amounts = {f"{_COUNTED}{name}": 1 for name in contexts}
            self._store.of(student_id).increment(COLLECTION, _ID, amounts, defaults={})

    def of(self, student_id: str) -> dict[str, float]:
        """The share of each context in what this student has used; empty while that is little. One store read."""
        document = self._store.of(student_id).get(COLLECTION, _ID) or {}
        counts = {
            name.removeprefix(_COUNTED): int(count) for name, count in document.items() if name.startswith(_COUNTED)
        }
        total = sum(counts.values())
        return {name: round(count / total, 3) for name, count in counts.items()} if total >= FEWEST else {}


def leaning(profile: Mapping[str, float], context: str) -> float:
    """What to add to a context's chance before it is held against its threshold: at most `MOST_KEYS`, at least a third less.

    With no profile nothing; a student's own habits never find what the message does not nearly say.
    """
    if not profile:
        return 0.0
    even = 1 / max(len(profile), 2)
    return max(-MOST / 3, min(MOST, MOST * (profile.get(context, 0.0) - even) / (1 - even)))
