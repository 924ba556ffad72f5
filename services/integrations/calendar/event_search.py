"""Search of events by words in title, place and notes; a service's own search also finds by the addresses of guests."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from services.integrations.calendar.event import Event
from services.integrations.kit.name_matcher import contains_words, near_matches
from services.integrations.kit.name_words import name_words, without_accents

_ADDRESS = re.compile(r"(?<!\S)\S+@\S+|(?<!\w)\w+://\S+|www\.\S+")
_TOKEN = re.compile(r"[^\W_]+")
_LONGEST_NOTES = 8_000


def events_with_words(events: Sequence[Event], words: str) -> tuple[list[Event], bool]:
    """Filter events by words: all of them in title, place and notes, addresses aside; all events for no words.

    Where none has them, those whose title or place has words like them, which the second value tells.
    """
    if not words.strip():
        return list(events), False
    patterns = [(phrase, re.compile(pattern)) for phrase, pattern in _phrases(words)]
    # Occurrences of a series have the same title and notes: each is looked at once.
    is_named = cache(lambda named, wanted: contains_words(named, wanted, typos=False))
    fold_notes = cache(_folded_notes)
    exact = [event for event in events if _has_words(event, words, patterns, is_named, fold_notes)]
    if exact:
        return exact, False
    is_like = cache(lambda named: contains_words(named, words))
    close = [event for event in events if is_like(_named(event))]
    return close, bool(close)


def closest_titles(events: Sequence[Event], words: str, most: int) -> list[str]:
    """List titles that share most words with the wanted ones; none when none shares any."""
    titles = list(dict.fromkeys(event.title for event in events))
    return near_matches(titles, words, lambda title: [title])[:most]


def _has_words(
    event: Event,
    words: str,
    patterns: Sequence[tuple[str, re.Pattern[str]]],
    is_named: Callable[[str, str], bool],
    fold_notes: Callable[[str], str],
) -> bool:
    """Check for the words; those that title and place lack stand whole in the notes, where "exam" is no "example"."""
    named = _named(event)
    if is_named(named, words):
        return True
    if not event.description.strip() or not patterns:
        return False
    notes = fold_notes(event.description)
    return all(is_named(named, phrase) or pattern.search(notes) for phrase, pattern in patterns)


def _folded_notes(description: str) -> str:
    notes = _ADDRESS.sub(" ", description[:_LONGEST_NOTES])
    return notes.casefold() if notes.isascii() else without_accents(notes)


def _named(event: Event) -> str:
    return f"{event.title}: {event.location}"


def _phrases(words: str) -> Iterator[tuple[str, str]]:
    """Each wanted word, a number with the word that it belongs to, and the pattern of it as whole words in notes."""
    for raw in _TOKEN.findall(without_accents(words)):
        for word in name_words(raw):
            if not word.values:
                yield raw, rf"\b(?:{re.escape(raw)}|{re.escape(word.text)})(?:s|es)?\b"
    for word in name_words(words):
        if word.values:
            phrase = [*word.owners[-1:], word.text]
            yield " ".join(phrase), r"\b" + r"s?\W{0,3}".join(map(re.escape, phrase)) + r"\b"
