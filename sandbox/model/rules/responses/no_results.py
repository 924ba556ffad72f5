"""That nothing fits, with the place where that was looked for and the words, so that a student can say it otherwise."""

from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.messages import messages
from sandbox.model.rules.tools.profile import Profile

MOST_SEARCHED = 60


def nothing_fits(state: RequestState, tool: Profile | None, *, words: str = "", is_write: bool = False) -> str:
    """The sentence; `tool` is the one that looked, `words` what it looked for."""
    about = tool.objects if tool else {}
    place = max((name for name in about if f"looked_in.{name}" in messages()), key=lambda name: about[name], default="")
    where = state.say(f"looked_in.{place}") if place else state.say("what_is_here")
    said = "none_fits" if is_write else "none_found"
    searched = state.say("for_words").format(words=words[:MOST_SEARCHED]) if words.strip() else ""
    return state.say(said).format(place=where, words=searched)
