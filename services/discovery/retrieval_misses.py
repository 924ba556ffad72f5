"""Retrieval misses: tools that a message needed and did not bring, without its words, for the next training."""

import hashlib
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from services.discovery.contexts import LEARNED_CONTEXTS
from services.discovery.features import features
from services.discovery.lexicon import lexicon
from services.runtime.clock import Clock, stamp
from services.storage.records import record_reader
from services.storage.store import Store

COLLECTION = "misses"
RETENTION = timedelta(days=90)
FEWEST_STUDENTS = 2
"""Students who must have missed the same before it is shown to anyone."""


@dataclass(frozen=True, kw_only=True)
class RetrievalMiss:
    """Kind of a retrieval miss.

    found: the contexts that the message was taken for. needed: those of the tool that was then searched and called,
    where none of them was found. tools: the tool, where it is Homeroom's own.

    ideas: of the message, as the public lexicon names them, in the order of the alphabet; kinds: of its patterns.
    Nothing else of it is kept: no word, no name, no number, no order.
    """

    found: frozenset[str]
    needed: frozenset[str]
    tools: frozenset[str] = frozenset()
    ideas: frozenset[str]
    kinds: frozenset[str]
    is_followup: bool

    @property
    def candidate(self) -> dict[str, Any]:
        """The miss as a line of training data: a public word for each idea stands for the message."""
        text = " ".join((*lexicon().words_for(sorted(self.ideas)), *(f"xx{kind}" for kind in sorted(self.kinds))))
        theme = hashlib.sha256(text.encode()).hexdigest()[:8]
        labels = sorted((self.needed or self.found) & frozenset(LEARNED_CONTEXTS))
        named = {"tools": sorted(self.tools)} if self.tools else {}
        return {"message": text, "contexts": labels, **named, "kind": "miss", "lang": "en", "theme": f"miss-{theme}"}


class RetrievalMisses:
    """Stored misses; each belongs to its student, and is exported and deleted with what else is theirs."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def record_miss(
        self,
        student_id: str,
        message: str,
        *,
        found: Collection[str],
        needed: Collection[str],
        tools: Collection[str] = (),
        is_followup: bool = False,
    ) -> None:
        """Store the contexts, tools and ideas of a message; raises `StorageError`."""
        extracted = features(message)
        # The day alone: a time would tell which message it was.
        day = datetime.combine(self._clock().astimezone(UTC).date(), time(), UTC)
        document = {
            "id": secrets.token_hex(8),
            "found": sorted(found),
            "needed": sorted(needed),
            "tools": sorted(tools),
            "ideas": sorted(lexicon().names(extracted.ideas)),
            "kinds": sorted(extracted.kinds),
            "is_followup": is_followup,
            "day": f"{day.date()}",
            "kept_until": stamp(day + RETENTION),
        }
        self._store.for_student(student_id).insert(COLLECTION, document)

    def candidates(self, at_least: int = FEWEST_STUDENTS) -> Iterator[dict[str, Any]]:
        """Lines of training data with how often each was missed, the most frequent first, without any student's name.

        Only what `at_least` different students have missed. What follows up says nothing alone and is left out.
        """
        times: Counter[RetrievalMiss] = Counter()
        students: defaultdict[RetrievalMiss, set[str]] = defaultdict(set)
        for student_id, id in self._store.owners(COLLECTION, {}):
            document = self._store.for_student(student_id).get(COLLECTION, id)
            if document is not None and (miss := _parsed(document)).ideas and not miss.is_followup:
                times[miss] += 1
                students[miss].add(student_id)
        for miss, count in sorted(
            times.items(), key=lambda time: (-time[1], sorted(time[0].ideas), sorted(time[0].needed))
        ):
            if len(students[miss]) >= at_least:
                yield {**miss.candidate, "found": sorted(miss.found), "times": count}


@record_reader(COLLECTION)
def _parsed(document: Mapping[str, Any]) -> RetrievalMiss:
    return RetrievalMiss(
        found=frozenset(document["found"]),
        needed=frozenset(document["needed"]),
        tools=frozenset(document.get("tools", ())),
        ideas=frozenset(document["ideas"]),
        kinds=frozenset(document["kinds"]),
        is_followup=document["is_followup"],
    )
