"""How long a card waits: until the time of what it proposes has come, a day at least, and a month at most."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from services.errors import ApprovalError
from services.i18n import gettext
from services.runtime.clock import moment
from services.tools.result import PreviewRow

LEAST = timedelta(days=1)
MOST = timedelta(days=30)
FRESH_FOR = timedelta(minutes=2)
"""How long a card counts as fresh: what was seen then is still so."""


def own_time(rows: Iterable[PreviewRow]) -> datetime | None:
    """The first moment at which something on a card is past; None for a card to which no time belongs."""
    return min((moment(row.past_at) for row in rows if row.past_at), default=None)


def expiry(rows: Iterable[PreviewRow], now: datetime) -> datetime:
    """When a card that is made now stops waiting."""
    return now + min(MOST, max(LEAST, (own_time(rows) or now + MOST) - now))


def refuse_past(rows: Iterable[PreviewRow], now: datetime) -> None:
    """Raise `ApprovalError` when the time of something on a card is past: nothing is written into the past."""
    past = [row for row in rows if row.past_at and moment(row.past_at) <= now - FRESH_FOR]
    if past:
        what = "; ".join(f"{gettext(row.label)}: {row.value}" for row in past)
        raise ApprovalError(
            gettext("The time of this is past ({what}). Nothing was changed.", what=what),
            next_step=gettext("Decline it, or give it another time."),
        )
