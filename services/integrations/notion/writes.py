"""Making something in Notion once, although its answer may be lost: requests there carry no ids of ours (R34)."""

from collections.abc import Callable
from typing import TypeVar

from services.errors import ServiceUnavailable
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import Conflict, Unanswered, busy, unknown

LOOKS = 3
TRIES_AFTER_CONFLICT = 2
Made = TypeVar("Made")


def once(
    notion: Notion,
    make: Callable[[], Made],
    made_before: Callable[[], Made | None],
    *,
    done: str,
    refused: Callable[[], Made | None] | None = None,
) -> Made:
    """Send the request once and give what it made; without an answer, what `made_before` finds.

    done: what stays unclear otherwise, such as "the page was created". Raises `OutcomeUnknown` then.
    refused: asked instead after a conflict, where nothing was done: it may raise rather than have it tried again.
    """
    for attempt in range(TRIES_AFTER_CONFLICT):
        try:
            return make()
        except Unanswered as silence:
            return _look_for(notion, made_before, done, silence)
        except Conflict as conflict:
            found = (refused or made_before)()
            if found is not None:
                return found
            if not notion.deadline.pause(attempt):
                raise conflict from None
    raise busy()


def _look_for(notion: Notion, made_before: Callable[[], Made | None], done: str, silence: Unanswered) -> Made:
    """Notion may take a moment to show what it made."""
    try:
        for attempt in range(LOOKS):
            found = made_before()
            if found is not None:
                return found
            if not notion.deadline.pause(attempt):
                break
    except ServiceUnavailable:
        raise unknown(done) from silence
    raise unknown(done) from silence
