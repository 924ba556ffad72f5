"""What was said before a message, as numbers: what the last turns were about, and how the message leans on them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from services.discovery.features import Features
from services.discovery.lexicon import lexicon
from services.discovery.normal import normal, words_of

Floats = npt.NDArray[np.float32]
LOOKED_BACK = 3
"""Turns of the student's that are looked at."""
READ = 240
"""Characters of an earlier message: its beginning and its end."""
NOTHING = -4.0
"""The log-odds of every context in a text that is not there."""

_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_LONG_WORD = 4
_FLAGS = 12


@dataclass(frozen=True, kw_only=True)
class Said:
    """The texts before a message: the student's last one, those before that, the last answer, and what it offered."""

    before: str
    earlier: tuple[str, ...]
    reply: str
    offer: str


def said(history: Sequence[Mapping[str, str]]) -> Said:
    """history: oldest first, without the message itself."""
    mine = [_short(turn["content"]) for turn in history[-2 * LOOKED_BACK - 2 :] if turn["role"] == "user"][
        -LOOKED_BACK:
    ]
    replies = [turn["content"] for turn in history[-2:] if turn["role"] == "assistant"]
    reply = replies[-1] if replies else ""
    return Said(
        before=mine[-1] if mine else "",
        earlier=tuple(mine[:-1]),
        reply=_short(reply),
        offer=_question_at_end(reply),
    )


def remembered(own: Floats, earlier: Sequence[Floats], message: Features, words: tuple[str, Said]) -> Floats:
    """One row for the network of memory: what each text is about, the ideas in the message, how it leans on the rest.

    own: the log-odds of the message's contexts read alone. earlier: those of `before`, of all of `Said.earlier` (the
    highest), of the reply and of the offer.
    """
    ideas = np.zeros(len(lexicon().ideas), np.float32)
    ideas[list(message.ideas)] = 1
    return np.concatenate((np.stack((own, *earlier)).ravel() / 3, ideas, _leaning(message, *words)))


def _leaning(message: Features, text: str, before: Said) -> Floats:
    flags = np.zeros(_FLAGS, np.float32)
    long = _long_words(text)
    flags[min(len(message.words) // 2, 5)] = 1
    flags[6] = "?" in text
    flags[7] = bool(before.earlier)
    flags[8] = bool(before.offer)
    flags[9] = not long.isdisjoint(_long_words(before.before))
    flags[10] = not long.isdisjoint(_long_words(before.reply))
    flags[11] = len(message.words) > 40
    return flags


def _long_words(text: str) -> set[str]:
    return {word for word in words_of(normal(text)) if len(word) >= _LONG_WORD}


def _question_at_end(reply: str) -> str:
    *_, last = _SENTENCE.split(reply.strip()[-READ:])
    return last if last.endswith("?") else ""


def _short(text: str) -> str:
    return text if len(text) <= READ else f"{text[: READ // 2]} {text[-READ // 2 :]}"
