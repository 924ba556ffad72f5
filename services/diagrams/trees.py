"""Mermaid's mind maps and timelines, as charts."""

import re

from services.diagrams.diagram import DEEPEST, Draft, Link, NotUnderstood, words
from services.diagrams.diagram import End as _End
from services.diagrams.flowchart import labelled

MINDMAP = re.compile(r"mindmap")
TIMELINE = re.compile(r"timeline(?:\s+(?:LR|TD))?")
_ICON = re.compile(r"::icon\([\w -]*\)|:::\w+(?:\s+\w+)*")
_CLOUD = re.compile(r"(?:\w*\)\)(?P<bang>[^()]*)\(\(|\w*\)(?P<cloud>[^()]*)\()")
_SHAPED = re.compile(r"[\w-]*(?=[\[({])")
_TITLE = re.compile(r"title\s+(.+)")
_SECTION = re.compile(r"section\s+(.+)")
_NOWHERE = _End(number=0)
_BRANCH = Link(start=_NOWHERE, end=_NOWHERE, head="none")
_THEN = Link(start=_NOWHERE, end=_NOWHERE)


def read_mindmap(lines: list[str]) -> Draft:
    """lines: with their indentation, which says what hangs on what."""
    draft = Draft(direction="LR")
    above: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        text, depth = line.strip(), len(line) - len(line.lstrip())
        if _ICON.fullmatch(text):
            continue
        while above and above[-1][0] >= depth:
            above.pop()
        if len(above) >= DEEPEST or (number and not above):
            raise NotUnderstood
        name = str(number)
        draft.put(name, _label(text), "round" if above else "stadium")
        if above:
            draft.link([above[-1][1]], [name], _BRANCH)
        above.append((depth, name))
    return draft


def read_timeline(lines: list[str]) -> Draft:
    """Times stand below each other, each with what happened then, in the frames of their sections."""
    draft = Draft()
    times: list[list[str]] = []
    sections: list[int | None] = []
    for line in (line.strip() for line in lines):
        if found := _TITLE.fullmatch(line):
            draft.title = words(found[1])
        elif found := _SECTION.fullmatch(line):
            draft.inside.clear()
            draft.enter(f"section {len(draft.groups)}", words(found[1]))
        else:
            time, *events = [words(piece) for piece in re.split(r"\s*:(?=\s|$)\s*", line)]
            if time:
                times.append([time])
                sections.append(draft.inside[-1] if draft.inside else None)
            elif not times:
                raise NotUnderstood
            times[-1] += [event for event in events if event]
    for number, (said, section) in enumerate(zip(times, sections, strict=True)):
        draft.inside = [] if section is None else [section]
        draft.put(str(number), words("\n".join(said)))
        if number:
            draft.link([str(number - 1)], [str(number)], _THEN)
    draft.inside = []
    return draft


def _label(text: str) -> str:
    if cloud := _CLOUD.fullmatch(text):
        return words(cloud["bang"] or cloud["cloud"] or "") or " "
    if (shaped := _SHAPED.match(text)) and (found := labelled(text, shaped.end())) and found[2] == len(text):
        return found[0] or " "
    return words(text)
