"""A text promises a moment or some minutes only where its source waits no longer: each is listed with that wait."""

import ast
import re
from collections.abc import Iterator, Mapping

import pytest
from babel.messages.pofile import read_po

from api.app_factory import DRAIN_S
from api.live import bytes_in_flight
from api.lti.routes import ADDRESS_LOGINS, LOGINS
from api.middleware import load_shedding
from services.classes.budgets import refusals
from services.classes.lti import platform_keys
from services.connections import backoff, oauth_states
from services.connections.messages import asks_to_slow_down
from services.conversations.deletion_queue import RESTORABLE_FOR
from services.errors import MOMENT_S, Throttled, UsedTooOften
from services.files import reader_process
from services.i18n import locale_scope
from services.integrations.calendar.event_drafts import SHORTEST_BREAK
from services.integrations.kit.writes import LONGEST_CALL_S
from services.privacy.account_deletion import AFTERWARDS
from services.settings import ROOT
from services.storage.leases import LEASE_S
from services.storage.sqlite import BUSY_TIMEOUT_S

CATALOGUE = ROOT / "services/i18n/locales/es/LC_MESSAGES/homeroom.po"
SPANS = re.compile(
    r"\b(?:an?|one|two|three|few|five|ten|fifteen|thirty|\d+) (?:more |short )?(?:moment|minute)s?\b|\bin minutes\b",
    re.I,
)
MOMENTS: Mapping[str, float] = {
    "Your other messages are still arriving. Send it again in a moment.": bytes_in_flight.RETRY_AFTER_S,
    "Many files are arriving just now. Send it again in a moment.": bytes_in_flight.RETRY_AFTER_S,
    "Too much is going on just now. Try again in a moment.": load_shedding.WAIT_S[1],
    "Your text is kept. Try again in a moment. {works}": refusals.RETRY.total_seconds(),
    "Open it from your course once more in a moment.": max(
        1 / bucket.per_second for bucket in (LOGINS, ADDRESS_LOGINS, platform_keys.REFETCHES)
    ),
    "Open Homeroom from your course once more in a moment.": platform_keys.FAILED_FOR.total_seconds(),
    "{service} asks us to slow down; try again in a moment.": backoff.DEFAULT_WAIT_S,
    "Please try again in a moment.": MOMENT_S,
    "Try again in a moment.": MOMENT_S,
    "Press Undo again in a moment.": LEASE_S,
    "Your text is kept. Send it again in a moment.": max(LEASE_S, DRAIN_S),
    "Send it again in a moment.": LONGEST_CALL_S,
    "Attach it again in a moment.": reader_process.LIMIT_S,
    "Add it again in a moment.": reader_process.LIMIT_S,
    "Nothing was saved. Try again in a moment.": BUSY_TIMEOUT_S,
}
"""Seconds after which the source itself lets it be tried again."""
NOBODY_KNOWS = frozenset(
    {
        "It is temporarily unavailable, try again in a moment.",
        "Nothing is lost. Try again in a moment.",
        "Try again in a moment, or tell whoever runs Homeroom.",
        "Your message is kept. Press Retry in a moment.",
        "Ask again in a moment.",
        "Reload the page in a moment, then press Continue.",
        "Older chats are still being read. Search again in a moment.",
        "The browser could not switch notifications on. Try again in a moment.",
        "This did not work. Try again in a moment.",
        "Signing in did not work: the sign-in service did not answer as it should. Try again in a moment.",
    }
)
"""A service, a database or a browser is away, and none of them says for how long: no number stands there."""
LENGTHS: Mapping[str, float] = {
    "This sign-in link was already used, is older than ten minutes, or was not started by you.": (
        oauth_states.LIFETIME.total_seconds() / 60
    ),
    "Ten minutes.": oauth_states.LIFETIME.total_seconds() / 60,
    "Fifteen minutes after the deletion.": sum(pause.total_seconds() for pause in AFTERWARDS) / 60,
    "Kept for ten minutes after you deleted it, then gone for good.": RESTORABLE_FOR.total_seconds() / 60,
    "starts: the session at {when} follows another at once; leave 10 minutes, or make one of them.": (
        SHORTEST_BREAK.total_seconds() / 60
    ),
}
"""Minutes of the code that stand in a text as a word or a number."""
NUMBERS = {"ten": 10, "10": 10, "fifteen": 15}
NO_WAITS = frozenset({"One moment", "a minute", "about a minute", "Deleted a moment ago · {n}"})
"""A heading, two units, and what is past."""
LIMITS = ("services", "api", "ui")
PROMISES = re.compile(r"\b(?:moment|minute|shortly|soon)", re.I)
OWN_WAITS = frozenset({"services/classes/budgets/refusals.py"})
"""Files whose error names a wait of the table above."""


def texts_with_spans() -> set[str]:
    with CATALOGUE.open("rb") as file:
        ids = [message.id for message in read_po(file) if message.id]
    return {text for id in ids for text in ((id,) if isinstance(id, str) else id) if SPANS.search(text)}


def test_each_text_with_a_moment_or_minutes_is_listed_with_its_wait() -> None:
    assert texts_with_spans() == MOMENTS.keys() | LENGTHS.keys() | NOBODY_KNOWS | NO_WAITS


def test_what_is_called_a_moment_is_no_longer_than_one() -> None:
    assert {text: wait_s for text, wait_s in MOMENTS.items() if not 0 < wait_s <= MOMENT_S} == {}
    assert [text for text in MOMENTS.keys() | NOBODY_KNOWS if "minute" in text.lower()] == []


def test_minutes_in_a_text_are_those_of_the_code() -> None:
    for text, minutes in LENGTHS.items():
        [span] = SPANS.findall(text)
        assert NUMBERS[span.split()[0].lower()] == minutes, text


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("wait_s", [61.0, 90.0, 3_600.0, 86_400.0])
def test_a_wait_that_is_known_is_told_as_it_is(language: str, wait_s: float) -> None:
    with locale_scope(language):
        errors = [
            backoff.throttled("Canvas", wait_s),
            Throttled("Canvas", asks_to_slow_down("Canvas", round(wait_s)), retry_after_s=wait_s),
            UsedTooOften("Often.", retry_after_s=wait_s),
        ]
        told = [f"{error} {error.next_step}" for error in errors]

    assert [words for words in told if "moment" in words or not re.search(r"\d", words)] == []


def test_no_error_that_knows_its_wait_promises_another_in_its_words() -> None:
    assert list(promises_beside_a_wait()) == []


def promises_beside_a_wait() -> Iterator[str]:
    """Errors with `retry_after_s` whose words were written without looking at it."""
    for path in (path for room in LIMITS for path in sorted((ROOT / room).rglob("*.py"))):
        code, name = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
        if "retry_after_s=" not in code or name in OWN_WAITS:
            continue
        for call in (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)):
            if any(word.arg == "retry_after_s" for word in call.keywords):
                texts = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
                yield from (f"{name}: {text}" for text in texts if isinstance(text, str) and PROMISES.search(text))
