"""Why an answer had the tools it had: a quiet word under it that opens on demand."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.discovery.why import Why
from services.safety.text import literal
from ui import insights_words as words
from ui.tool_names import in_words

MOST_NAMES = 12
SURENESS = ((0.9, "very sure"), (0.7, "fairly sure"), (0.0, "a guess"))
STRATEGIES = {
    "frozen": "All of your tools go along with every message: they are few enough.",
    "append": "A chat begins without tools. What a message needs is added, and stays for the rest of the chat.",
    "per_message": "The tools are chosen anew for every message.",
}


def draw(why: Why | None, key: str, place: DeltaGenerator | None = None) -> None:
    """key: unique to this answer. What is inside is drawn only while it is open: most runs would draw it for nobody."""
    if why is None:
        return
    note = (place or st).popover(":small[:gray[Why these tools]]", type="tertiary", key=f"why-{key}", on_change="rerun")
    if note.open:
        note.caption(in_sentences(why))


def in_sentences(why: Why) -> str:
    """As Markdown, a line for each thing there is to say."""
    lines = [
        _about(why),
        _at_hand(why),
        _listed("New with this message", _new(why)),
        _listed("Searched out on the way", why.found),
        STRATEGIES.get(why.strategy, ""),
        _tokens(why),
    ]
    return "  \n".join(line for line in lines if line)


def _new(why: Why) -> list[str]:
    """What this message brought to what was at hand before; nothing where all of it is new."""
    new = [name for name in why.added if name in why.loaded]
    return new if len(new) < len(why.loaded) else []


def _about(why: Why) -> str:
    if not why.contexts:
        return "Nothing in your message called for a tool."
    found = [f"**{literal(words.context(name))}** ({_sureness(confidence)})" for name, confidence in why.contexts]
    return f"Your message seemed to be about {_and(found)}."


def _sureness(confidence: float) -> str:
    return next(said for least, said in SURENESS if confidence >= least)


def _at_hand(why: Why) -> str:
    if not why.loaded:
        return f"None of your {words.counted(why.offered, 'tool')} had to be read."
    return _listed(f"{len(why.loaded)} of {words.counted(why.offered, 'tool')} at hand", why.loaded)


def _listed(title: str, names: "list[str] | tuple[str, ...]") -> str:
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{title}: {', '.join(literal(in_words(name)) for name in names[:MOST_NAMES])}{more}."


def _tokens(why: Why) -> str:
    if not why.read:
        return ""
    cached = f", {why.cached:,} of them still known from before" if why.cached else ""
    return f"{why.read:,} tokens read{cached}; {why.written:,} written."


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
