"""Clarification when several things fit: the question back to the student, and what their answer picks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.model.rules.language.lexicon import SERVICES, function_words
from sandbox.model.rules.language.text import fold, stems, tokens
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.tools.schema import Role
from sandbox.model.rules.understanding.conversation import Step

NO_COURSE = re.compile(r"course: none is called")
OPENS = re.compile(
    r"^(?P<field>\w+): (?:(?P<many>\d+) fit “.*?”|none is called “.*?”\. (?:There are|The closest)): (?P<list>.+)$",
    re.DOTALL,
)
LAST = re.compile(r"(?:; and \d+ more)?\.\s*(?:Ask the student|If one of these)\b.*$", re.DOTALL)
WITH_ID = re.compile(r"(?:(?<!\s)\s++)?\((?P<more>[^()]*?)(?:,\s*+|(?<!\s)\s++)?\bid:?\s+(?P<id>[\w.-]+)\)\s*$")
MOST_SHOWN = 8


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One thing that fits: its title, what tells it from others, its id when the failure named it."""

    title: str
    more: str = ""
    id: str = ""

    @property
    def line(self) -> str:
        """As an item of a list."""
        return f"- **{self.title}**" + (f" — {self.more}" if self.more and self.more not in self.title else "")


def candidates(step: Step) -> list[Candidate]:
    """Candidates that a failed call says may have been meant."""
    found = OPENS.search(step.result) if step.is_error else None
    if found is None:
        return []
    listed = LAST.sub("", found["list"]).strip().rstrip(".")
    return [_read(part) for part in re.split(r";\s+(?=“)", listed) if part.strip()][:MOST_SHOWN]


def asked_back(state: RequestState, step: Step) -> str:
    """The candidates and the question which one is meant; empty when the failure names none."""
    found = candidates(step)
    if not found:
        return ""
    opens = OPENS.search(step.result)
    lead = state.say("more_than_one" if opens and opens["many"] else "no_such_thing")
    lead = _no_such_course(state, step) or lead
    return "\n".join([lead, "", *(candidate.line for candidate in found), "", state.say("ask.thing")])


def _no_such_course(state: RequestState, step: Step) -> str:
    profile = state.tools.get(step.name)
    param = profile.param(Role.COURSE) if profile else None
    name = step.input.get(param.name) if param else None
    if not name or not NO_COURSE.match(step.result):
        return ""
    service = next((label for key, (label, _) in SERVICES.items() if step.name.startswith(key)), "Canvas")
    return state.say("no_such_course").format(name=name, service=service)


def picked(steps: Sequence[Step], answer: str) -> str:
    """The id, else the title, of the candidate that an answer to the question fits; empty when none or two do."""
    words = {token.stem for token in tokens(answer) if token.word not in function_words()}
    found = [candidate for step in reversed(steps) for candidate in candidates(step)]
    ranked = sorted(found, key=lambda candidate: -_likeness(candidate, words, answer))
    if not ranked or not _likeness(ranked[0], words, answer):
        return ""
    if len(ranked) > 1 and _likeness(ranked[0], words, answer) == _likeness(ranked[1], words, answer):
        return ""
    return ranked[0].id or ranked[0].title


def _likeness(candidate: Candidate, words: set[str], answer: str) -> float:
    named = set(stems(f"{candidate.title} {candidate.more}"))
    return len(words & named) + (2.0 if fold(answer).strip(" .!?") in fold(candidate.title) else 0.0)


def _read(part: str) -> Candidate:
    found = WITH_ID.search(part)
    title = (part[: found.start()] if found else part).strip().strip('“”"')
    return Candidate(title=title, more=found["more"].strip() if found else "", id=found["id"] if found else "")
