"""`ArgumentErrorCollector`: all that is wrong with the arguments of a call, in one error, so that one repeat sets
it right.
"""

from collections.abc import Callable
from typing import TypeVar

from services.errors import BadArguments
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
            steps = dict.fromkeys(problem.next_step for problem in self._found)
            raise BadArguments(
                " ".join(map(sentence_for_model, self._found)),
                field=self._found[0].field,
                next_step=" ".join(step for step in steps if step != BadArguments.next_step) or None,
                wrong=wrong,
                said=" ".join(problem.said for problem in self._found),
            )
