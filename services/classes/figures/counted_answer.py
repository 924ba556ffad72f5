"""`CountedAnswer`: what is counted of an answer that an assistant of a class gives, without a word of anybody."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.llm.citations import Citation, backed_citations
from services.navigation import opened_material
from services.storage.counter_fields import counter_name

QUESTIONS, COST, DAY, PART, TOPIC, MATERIAL, PAGE, FAILED = (
    "questions",
    "cost",
    "day",
    "part",
    "topic",
    "material",
    "page",
    "failed",
)
MOST_QUESTIONS = 30
"""Of one student and week: more are not counted, so that a busy student does not stand out."""


@dataclass(frozen=True, kw_only=True)
class CountedAnswer:
    """One request to the model in an answer. is_question: the first one of its question.

    contexts: what the message was about, by name. pages: (material id, number) of the course materials that it cites.
    failures: (tool, kind) of the calls that failed. micros: what it cost, in millionths of a dollar.
    """

    is_question: bool = False
    contexts: tuple[str, ...] = ()
    pages: tuple[tuple[str, int], ...] = ()
    failures: tuple[tuple[str, str], ...] = ()
    micros: int = 0

    def amounts(self, *, day: int, part: str) -> Mapping[str, int]:
        """What it adds to its student's counters. day: of the week, 0 is Monday."""
        names = [
            *(counter_name(MATERIAL, material) for material, _ in self.pages),
            *(counter_name(PAGE, material, number) for material, number in self.pages),
            *(counter_name(FAILED, tool, kind) for tool, kind in self.failures),
        ]
        if self.is_question:
            names += [
                QUESTIONS,
                counter_name(DAY, day),
                counter_name(PART, part),
                *(counter_name(TOPIC, name) for name in self.contexts),
            ]
        return dict.fromkeys(names, 1) | ({COST: self.micros} if self.micros else {})


def cited_pages(
    cited: Mapping[int, Sequence[Citation]], messages: Iterable[Mapping[str, Any]]
) -> tuple[tuple[str, int], ...]:
    """Pages of course materials that a reply cites, as (material id, number), each once. messages: of its request."""
    backed = backed_citations(cited, messages) if cited else {}
    opened = (opened_material(citation.source.url) for found in backed.values() for citation in found)
    return tuple(dict.fromkeys(page for page in opened if page is not None))
