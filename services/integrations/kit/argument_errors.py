"""`ArgumentErrorCollector`: all that is wrong with the arguments of a call, in one error, so that one repeat sets
it right.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from services.errors import BadArguments, NameUnknown
from services.tools.failures import sentence_for_model

Value = TypeVar("Value")


class ArgumentErrorCollector:
    """Collector of `BadArguments`; `raise_found` ends a group of checks that do not need each other's values."""

    def __init__(self) -> None:
        self._found: list[BadArguments] = []

    def read(self, parse: Callable[..., Value], *arguments: object, **options: object) -> Value | None:
        """Call a parser; None where it raises, which `raise_found` tells."""
        try:
            return parse(*arguments, **options)
        except BadArguments as problem:
            self.add(problem)
            return None

    def add(self, problem: BadArguments) -> None:
        """Keep an error for later; the same sentence only once."""
        if str(problem) not in map(str, self._found):
            self._found.append(problem)

    def raise_found(self) -> None:
        """Raise what was found: the error itself, or one with all sentences; nothing where all is well."""
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            wrong = {place: sentence for problem in reversed(self._found) for place, sentence in problem.wrong.items()}
            raise BadArguments(
                " ".join(self._sentences()),
                field=self._found[0].field,
                next_step=None if self._is_plain else "",
                wrong=wrong,
                said=" ".join(problem.said for problem in self._found),
            )

    @property
    def _is_plain(self) -> bool:
        """Whether no error has a next step of its own."""
        return all(problem.next_step == BadArguments.next_step for problem in self._found)

    def _sentences(self) -> Iterator[str]:
        """Each error's sentence with its own next step; what several have in common stands in the last of them."""
        for at, problem in enumerate(self._found, 1):
            later = self._found[at:]
            sentence = sentence_for_model(problem)
            if isinstance(problem, NameUnknown):
                is_told_later = problem.choices in [getattr(other, "choices", "") for other in later]
                sentence = sentence.removesuffix(problem.choices).strip() if is_told_later else sentence
            yield sentence
            if problem.next_step not in ("", BadArguments.next_step, *(other.next_step for other in later)):
                yield problem.next_step
