"""What one assignment asks for, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n.english import moment
from services.integrations.canvas.access import quoted
from services.integrations.canvas.payloads import Row, flat, number, part, read_time, words

_WAYS = {
    "online_upload": "upload a file",
    "online_text_entry": "write in a text box",
    "online_url": "give a web address",
    "online_quiz": "take a quiz",
    "discussion_topic": "post in a discussion",
    "media_recording": "record audio or video",
    "student_annotation": "annotate a document",
    "external_tool": "use another program that opens from Canvas",
    "on_paper": "on paper",
    "none": "nothing to hand in",
    "not_graded": "not graded",
}


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """How the whole class did, where Canvas shows it to students; never a single classmate's score."""

    mean: float
    lowest: float
    highest: float

    def line(self) -> str:
        return f"- The class: mean {self.mean:g}, lowest {self.lowest:g}, highest {self.highest:g}"

    def data(self) -> dict[str, float]:
        return {"mean": self.mean, "min": self.lowest, "max": self.highest}


def statistics_of(row: Row) -> Statistics | None:
    """The class's statistics of an assignment; None where Canvas keeps them, as it does for very few scores."""
    given = part(row.get("score_statistics"))
    mean, lowest, highest = (number(given.get(name)) for name in ("mean", "min", "max"))
    if mean is None or lowest is None or highest is None:
        return None
    return Statistics(mean=mean, lowest=lowest, highest=highest)


def group_of(row: Row, groups: Sequence[Row]) -> str:
    """The name of its group with its weight and rules, "" when unknown."""
    group = next((group for group in groups if group.get("id") == row.get("assignment_group_id")), None)
    if group is None:
        return ""
    weight, rules = number(group.get("group_weight")), part(group.get("rules"))
    parts = [
        f"{weight:g} % of the grade" if weight else "",
        f"lowest {rules['drop_lowest']} dropped" if rules.get("drop_lowest") else "",
        f"highest {rules['drop_highest']} dropped" if rules.get("drop_highest") else "",
    ]
    told = ", ".join(part for part in parts if part)
    return flat(group.get("name")) + (f" ({told})" if told else "")


def facts(row: Row, submission: Row, group: str, zone: ZoneInfo) -> list[str]:
    """How to hand it in, when it opens and closes, its group, the attempts, and when it was handed in."""
    ways = [_WAYS.get(way, flat(way.replace("_", " "), 40)) for way in words(row.get("submission_types"))]
    kinds = ", ".join(flat(kind, 20) for kind in words(row.get("allowed_extensions")))
    handed_in = submission or part(row.get("submission"))
    told = [
        f"- How to hand it in: {', '.join(ways)}{f' ({kinds} only)' if kinds else ''}" if ways else "",
        _time("Opens", row.get("unlock_at"), zone),
        _time("Closes", row.get("lock_at"), zone),
        f"- Now: {flat(row['lock_explanation'])}" if row.get("lock_explanation") else "",
        f"- Group: {group}" if group else "",
        "- Does not count towards the grade" if row.get("omit_from_final_grade") else "",
        _attempts(row.get("allowed_attempts"), handed_in.get("attempt")),
        _time("Handed in", handed_in.get("submitted_at"), zone),
        "- Peer reviews: classmates read each other's work" if row.get("peer_reviews") else "",
    ]
    return [fact for fact in told if fact]


def instructions(row: Row) -> list[str]:
    """Quoted line by line, so that nothing in them can pass for words of ours."""
    return quoted(row.get("description"), "Instructions, as the instructor wrote them:", "There are no instructions.")


def _time(label: str, written: Any, zone: ZoneInfo) -> str:
    at, _ = read_time(written)
    return f"- {label}: {moment(at, zone)}" if at else ""


def _attempts(allowed: Any, used: Any) -> str:
    """Canvas says -1 for as many as one likes."""
    taken = f", {used} used" if isinstance(used, int) and used > 0 else ""
    return (
        f"- Attempts allowed: {allowed}{taken}"
        if isinstance(allowed, int) and allowed > 0
        else (f"- Attempts used: {used}" if taken and used > 1 else "")
    )
