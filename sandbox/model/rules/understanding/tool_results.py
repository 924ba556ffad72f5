"""Tool results taken apart: the first sentence, item lines with their ids, notes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(?P<body>.+)$")
GROUP = re.compile(r"(?:(?<!\s)\s++)?[(\[](?P<inside>[^()\[\]]*\bid\s*[:=][^()\[\]]*)[)\]]", re.IGNORECASE)
PAIR = re.compile(r"^\s*(?P<name>(?:[A-Za-z]+[ _])?id)\s*[:=]\s*(?P<value>\S+)\s*$", re.IGNORECASE)
BOLD = re.compile(r"\*\*(?P<title>.+?)\*\*")
LINKED = re.compile(r"\[(?P<title>[^\[\]]+)\]\([^)\[\n]*\)")
NOTE = re.compile(r"^\s*(?:[-*]\s*)?(?:note|nota)\s*:", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Item:
    """One line of a list: its title, the line without ids, and its ids by name ("id", "course_id")."""

    title: str
    line: str
    ids: Mapping[str, str] = field(default_factory=dict)
    is_remark: bool = False
    """Whether it is a sentence about the others, with no thing of its own."""

    @property
    def id(self) -> str | None:
        """The id of the thing itself."""
        return self.ids.get("id") or next(iter(self.ids.values()), None)


def read_items(result: str) -> list[Item]:
    """The item lines of a result, in its order."""
    return [
        _item(match["body"]) for line in result.splitlines() if (match := ITEM.match(line)) and not NOTE.match(line)
    ]


def first_sentence(result: str) -> str:
    """First sentence of a result, before its items."""
    for line in result.splitlines():
        if line.strip() and not ITEM.match(line) and not NOTE.match(line):
            return without_ids(line.strip())
    return ""


def notes(result: str) -> list[str]:
    """The lines that say that something is partial or otherwise particular."""
    return [line.strip() for line in result.splitlines() if NOTE.match(line)]


def body_lines(result: str) -> list[str]:
    """Lines after the first that are neither items nor notes: the text of a page, for instance."""
    _, *rest = result.strip().splitlines() or [""]
    return [without_ids(line.rstrip()) for line in rest if not NOTE.match(line)]


def without_ids(line: str) -> str:
    """The line without "(id: …)" and the like."""
    return GROUP.sub(_without_pairs, line).replace("  ", " ").rstrip()


def ids_in(text: str) -> dict[str, str]:
    """Every id that a text names."""
    found: dict[str, str] = {}
    for match in GROUP.finditer(text):
        for part in re.split(r"[,;]", match["inside"]):
            if pair := PAIR.match(part):
                found.setdefault(pair["name"].lower().replace(" ", "_"), pair["value"])
    return found


def _without_pairs(match: re.Match[str]) -> str:
    kept = [part.strip() for part in re.split(r"[,;]", match["inside"]) if not PAIR.match(part)]
    return f" ({', '.join(kept)})" if kept else ""


def _item(body: str) -> Item:
    line = without_ids(body).rstrip(" —-")
    bold = BOLD.search(body) or LINKED.search(body)
    title = bold["title"] if bold else re.split(r" — | - |: |, | \(", line)[0]
    return Item(title=title.strip("* "), line=line, ids=ids_in(body), is_remark=bold is None and line.endswith("."))
