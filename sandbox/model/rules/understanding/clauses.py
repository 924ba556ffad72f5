"""Clauses of a message that asks for several things."""

import re
from collections.abc import Callable

from sandbox.model.rules.language.text import fold

BREAK = re.compile(
    r"[?!;]+\s*(?:(?:and|also|y|ademas|tambien)\b,?\s*)?|(?<=[a-z)\d])\.\s+(?:(?:and|also|y|ademas|tambien)\b,?\s*)?"
    r"|\n+|(?:,\s++|(?<!\s)\s++|(?<=\n)[^\S\n]++)(?:and\s+also|and\s+then|and|n|also|plus|then|as well as|&|y\s+tambien"
    r"|y\s+luego|y\s+ademas|y|ademas|tambien)\s+|,\s+"
)
COLON = re.compile(r":(?!\d)(?!//)\s*\S")
TASKS = re.compile(
    r"^\W*(?:(?:please|can you|could you|por favor)\s+)?(?:add|create|make|new|anade|agrega|crea)\s+"
    r"(?:some\s+|unas\s+|unos\s+)?(?:tasks|to-?\s?dos|reminders|tareas|pendientes|recordatorios)\s*(?:for|to|:|para|de)\s+(?P<list>.+)$"
)


def several_tasks(text: str) -> list[str]:
    """One order for each of several tasks: "add tasks for laundry and the bike"; empty for any other text."""
    found = TASKS.match(fold(text))
    if found is None:
        return []
    listed = text[found.start("list") :].rstrip(" .!")
    parts = [part.strip() for part in re.split(r"[,;]\s*(?:and\s+|y\s+)?|\s(?:and|y)\s+", listed) if part.strip()]
    return [f"add a task: {part}" for part in parts] if len(parts) > 1 else []


def split_clauses(text: str, stands_alone: Callable[[str], bool]) -> list[str]:
    """The clauses of a text. A piece that does not stand alone stays with the one before it.
    What follows a colon is content and stays whole, as does what stands in quotes."""
    colon = COLON.search(text)
    end = colon.start() if colon else len(text)
    pieces: list[str] = []
    start = 0
    for match in BREAK.finditer(fold(text), 0, end):
        if _in_quotes(text, match.start()):
            continue
        pieces.append(text[start : match.end()])
        start = match.end()
    pieces.append(text[start:])
    return _joined([piece for piece in pieces if piece.strip()], stands_alone)


def _joined(pieces: list[str], stands_alone: Callable[[str], bool]) -> list[str]:
    clauses: list[str] = []
    for piece in pieces:
        if clauses and not (stands_alone(piece) and stands_alone(clauses[-1])):
            clauses[-1] += piece
        else:
            clauses.append(piece)
    return [_without_break(clause) for clause in clauses] or [""]


def _without_break(clause: str) -> str:
    return re.sub(r"(?i)(?<!\s)\s+(?:and|n|also|plus|then|&|y|ademas|tambien)\s*$", "", clause).strip(", \n\t")


def _in_quotes(text: str, at: int) -> bool:
    before = text[:at]
    opened = before.count("“") + before.count("«")
    return before.count('"') % 2 == 1 or opened > before.count("”") + before.count("»")
