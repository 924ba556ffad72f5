"""Scripted behavior set by `POST /sandbox/faults`: the pace, injection mode, how answers end."""

from dataclasses import dataclass, replace
from typing import Any

from sandbox.campus import Campus
from sandbox.faults import KIND, MANNER_FIELDS
from sandbox.model.reply import Reply


@dataclass(frozen=True, kw_only=True)
class ScriptedBehavior:
    """words_per_second: None for the usual pace. obeys: follows what stands in results. stop_reason: to end with.

    refuses_betas: knows no beta, as an older model or a gateway in front of it. refuses_output_schema: nor a schema.
    """

    words_per_second: float | None = None
    obeys: bool = False
    stop_reason: str | None = None
    refuses_betas: bool = False
    refuses_output_schema: bool = False

    def ended(self, reply: Reply) -> Reply:
        """The reply with the stop reason that was asked for, if any."""
        return replace(reply, stop_reason=self.stop_reason) if self.stop_reason else reply


def scripted_behavior(campus: Campus) -> ScriptedBehavior:
    """The behavior that is set now; one that was set for a number of times is counted."""
    found = {kind: _take(campus, kind) for kind in MANNER_FIELDS}
    pace, ending = found["pace"], found["stop_reason"]
    return ScriptedBehavior(
        words_per_second=pace["words_per_second"] if pace else None,
        obeys=found["obey"] is not None,
        stop_reason=ending["stop_reason"] if ending else None,
        refuses_betas=found["no_betas"] is not None,
        refuses_output_schema=found["no_output_schema"] is not None,
    )


def _take(campus: Campus, kind: str) -> dict[str, Any] | None:
    """The first of this kind that is due, counted as used."""
    for fault in campus.state.all(KIND, service="anthropic", fault=kind):
        is_due = fault["seen"] >= fault["skip"] and (fault["times"] == 0 or fault["used"] < fault["times"])
        if fault["times"] or fault["skip"]:
            campus.state.put(KIND, fault["id"], {**fault, "seen": fault["seen"] + 1, "used": fault["used"] + is_due})
        if is_due:
            return fault
    return None
