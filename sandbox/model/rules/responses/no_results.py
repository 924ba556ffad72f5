"""That nothing fits, with the place where that was looked for and the words, so that a student can say it otherwise."""

from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses import phrases
from sandbox.model.rules.tools.profile import Profile

MOST_SEARCHED = 60


def nothing_fits(state: RequestState, tool: Profile | None, *, words: str = "", is_write: bool = False) -> str:
    """The sentence; `tool` is the one that looked, `words` what it looked for."""
    about = tool.objects if tool else {}
    place = max((name for name in about if name in phrases.LOOKED_IN), key=lambda name: about[name], default="")
    where = state.say(*phrases.LOOKED_IN[place]) if place else state.say(*phrases.WHAT_IS_HERE)
    said = phrases.NONE_FITS if is_write else phrases.NONE_FOUND
    searched = state.say(*phrases.FOR_WORDS).format(words=words[:MOST_SEARCHED]) if words.strip() else ""
    return state.say(*said).format(place=where, words=searched)
