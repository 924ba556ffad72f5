"""Which of the things just listed is worth most, or due first or last."""

import re
from collections.abc import Sequence

from sandbox.model.rules.dialogue.memory import last_read, thing_of
from sandbox.model.rules.dialogue.tool_results import Item
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.request_state import RequestState

OF_THEM = r"(?:one|ones|of\s+(?:those|these|them|it)|de\s+(?:es[oa]s|est[oa]s|ell[oa]s)|es)\b"
ASKS = re.compile(rf"^\W*(?:(?:and|so|ok|y)\W+)*(?:which|what|cual(?:es)?)\b.{{0,12}}\b{OF_THEM}")
MOST = pattern("(worth|counts?|weighs?|vale|cuenta|pesa|points?|puntos) .. (most|more|mas) | (biggest|mayor)")
LEAST = pattern("(worth|counts?|vale|cuenta|points?|puntos) .. (least|less|menos) | (smallest|menor)")
FIRST = re.compile(r"\b(?:first|soonest|earliest|next|primero|antes|proxim[oa])\b")
LAST = re.compile(r"\b(?:last|latest|ultim[oa])\b")
POINTS = re.compile(r"— (?P<n>\d+(?:\.\d+)?) points\b")


def compared(state: RequestState) -> str:
    """The one of the last list that is meant, with its line; empty when something else is asked, or none is known."""
    folded = fold(state.conversation.now.said)
    last = last_read(state.conversation, state.tools)
    if last is None or not ASKS.search(folded):
        return ""
    profile, step = last
    items = step.items
    if MOST.search(folded) or LEAST.search(folded):
        return _by_points(state, items, is_most=MOST.search(folded) is not None)
    dated = [(thing.start, item) for item in items if (thing := thing_of(item, profile, state.now)).start]
    if not dated or not (FIRST.search(folded) or LAST.search(folded)):
        return ""
    pick = max if LAST.search(folded) else min
    _, item = pick(dated, key=lambda pair: pair[0].timestamp() if pair[0] else 0.0)
    said = "last_of_them" if LAST.search(folded) else "first_of_them"
    return f"{state.say(said)}\n\n- {state.told(item.line)}"


def _by_points(state: RequestState, items: Sequence[Item], *, is_most: bool) -> str:
    known = [(float(found["n"]), item) for item in items if (found := POINTS.search(item.line))]
    if not known:
        return ""
    wanted = (max if is_most else min)(points for points, _ in known)
    lines = "\n".join(f"- {state.told(item.line)}" for points, item in known if points == wanted)
    said = "most_points" if is_most else "fewest_points"
    return f"{state.say(said).format(points=f'{wanted:g}')}\n\n{lines}"
