"""Header `Retry-After` of an answer (RFC 9110, 10.2.3): seconds, or a date."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_S = 7 * 24 * 3600.0
"""No wait beyond it is believed."""


def retry_after_s(header: str | None, now: datetime) -> float | None:
    """Parse the header to seconds from `now`, 0 for a date that is past; None where it holds neither form."""
    written = (header or "").strip()
    try:
        seconds = float(written)
    except ValueError:
        return _until(written, now)
    return min(max(0.0, seconds), LONGEST_S) if math.isfinite(seconds) else None


def _until(written: str, now: datetime) -> float | None:
    try:
        at = parsedate_to_datetime(written)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    wait_s = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(0.0, wait_s), LONGEST_S)
