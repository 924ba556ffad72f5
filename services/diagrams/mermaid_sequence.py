"""Mermaid parser of sequence diagrams, for the subset that is rendered: messages, notes and frames."""

import re
from dataclasses import dataclass, field

from services.diagrams.diagram import (
    DEEPEST,
    MOST_LINKS,
    DiagramNotSupported,
    Head,
    SequenceDiagram,
    SequenceFrame,
    SequenceMessage,
    SequenceNote,
    parse_label,
)

HEADER = re.compile(r"sequenceDiagram")
MOST_PEOPLE = 12
_WHO = r"[\w](?:[\w .'-]{0,100}[\w.'])?"
_PERSON = re.compile(rf"(?:create\s+)?(?:participant|actor)\s+(?P<name>{_WHO}?)(?:\s+as\s+(?P<label>.+))?")
_MESSAGE = re.compile(
    rf"(?P<start>{_WHO}?)\s*(?P<line>--?)(?P<head>>>|>|x|\))\s*(?:[+-]\s*)?(?P<end>{_WHO})\s*:(?P<words>.*)"
)
_REMARK = re.compile(
    rf"[Nn]ote\s+(?:over|(?:left|right)\s+of)\s+(?P<one>{_WHO})(?:\s*,\s*(?P<two>{_WHO}))?\s*:(?P<words>.*)"
)
_FRAME = re.compile(r"(?P<kind>loop|alt|opt|par|else|and)\b(?P<words>.*)")
_TITLE = re.compile(r"title\s*:?\s+(.+)")
_PASSED_OVER = re.compile(r"autonumber(?:\s+\d+)*|(?:de)?activate\s+[\w.-][\w .-]*|acc(?:Title|Descr)\s*:.*")
_INSIDE = {"else": "alt", "and": "par"}
_HEADS: dict[str, Head] = {">>": "arrow", ">": "none", "x": "cross", ")": "dot"}


@dataclass
class _Draft:
    people: dict[str, str] = field(default_factory=dict)
    steps: list[SequenceMessage | SequenceNote | SequenceFrame] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    title: str = ""

    def person(self, name: str, label: str | None = None) -> int:
        if label is not None or name not in self.people:
            self.people[name] = parse_label(label if label is not None else name)
        if len(self.people) > MOST_PEOPLE:
            raise DiagramNotSupported
        return list(self.people).index(name)


def parse_sequence(lines: list[str]) -> SequenceDiagram:
    """The exchange in these lines, which follow the header; raises `DiagramNotSupported`."""
    draft = _Draft()
    for line in (line.strip().rstrip(";") for line in lines):
        if not _PASSED_OVER.fullmatch(line):
            _line(draft, line)
        if len(draft.steps) > MOST_LINKS:
            raise DiagramNotSupported
    if draft.open or not any(isinstance(step, SequenceMessage) for step in draft.steps):
        raise DiagramNotSupported
    return SequenceDiagram(people=tuple(draft.people.values()), steps=tuple(draft.steps), title=draft.title)


def _line(draft: _Draft, line: str) -> None:
    if person := _PERSON.fullmatch(line):
        draft.person(person["name"], person["label"])
    elif line == "end":
        if not draft.open:
            raise DiagramNotSupported
        draft.open.pop()
        draft.steps.append(SequenceFrame(kind="end"))
    elif frame := _FRAME.fullmatch(line):
        _frame(draft, frame)
    elif remark := _REMARK.fullmatch(line):
        over = tuple(draft.person(name) for name in (remark["one"], remark["two"]) if name)
        draft.steps.append(SequenceNote(over=over, words=parse_label(remark["words"])))
    elif message := _MESSAGE.fullmatch(line):
        start, end = draft.person(message["start"]), draft.person(message["end"])
        is_answer, head = message["line"] == "--", _HEADS[message["head"]]
        text = parse_label(message["words"])
        draft.steps.append(SequenceMessage(start=start, end=end, words=text, is_answer=is_answer, head=head))
    elif title := _TITLE.fullmatch(line):
        draft.title = parse_label(title[1])
    else:
        raise DiagramNotSupported


def _frame(draft: _Draft, found: re.Match[str]) -> None:
    kind = found["kind"]
    if kind in _INSIDE:
        if not draft.open or draft.open[-1] != _INSIDE[kind]:
            raise DiagramNotSupported
    else:
        draft.open.append(kind)
        if len(draft.open) > DEEPEST:
            raise DiagramNotSupported
    draft.steps.append(SequenceFrame(kind=kind, words=parse_label(found["words"])))  # type: ignore[arg-type]
