"""That nothing fits, with the place where that was looked for and the words, so that a student can say it otherwise."""

from sandbox.model.brain import phrases
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.toolbox import Profile

MOST_SEARCHED = 60


def nothing_fits(mind: Mind, tool: Profile | None, *, words: str = "", is_write: bool = False) -> str:
    """The sentence; `tool` is the one that looked, `words` what it looked for."""
    about = tool.objects if tool else {}
    place = max((name for name in about if name in phrases.LOOKED_IN), key=lambda name: about[name], default="")
    where = mind.say(*phrases.LOOKED_IN[place]) if place else mind.say(*phrases.WHAT_IS_HERE)
    said = phrases.NONE_FITS if is_write else phrases.NONE_FOUND
    searched = mind.say(*phrases.FOR_WORDS).format(words=words[:MOST_SEARCHED]) if words.strip() else ""
    return mind.say(*said).format(place=where, words=searched)
