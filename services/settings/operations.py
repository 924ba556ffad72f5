"""Settings of whoever runs Homeroom: the key of the metrics, the form of the log, how long what is not used is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.errors import SettingsError

METRICS_KEY, LOG_FORMAT, RETENTION, TRACES = (
    "HOMEROOM_METRICS_KEY",
    "HOMEROOM_LOG_FORMAT",
    "HOMEROOM_RETENTION_DAYS",
    "HOMEROOM_TRACES_URL",
)
LOG_FORMATS = ("text", "json")
LEAST_KEY = 20
LEAST_DAYS, MOST_DAYS = 30, 3_650
"""Days that may be set: under a month a holiday would delete a student's work."""
_RETENTION_STEP = "Set a number of days from 30 to 3650 for both, or each by name: chats=365, activity=180."


@dataclass(frozen=True, kw_only=True)
class RetentionDays:
    """Days after which something is deleted; None keeps it until its student deletes it.

    chats: since a chat was used last. activity: since an entry was written.
    """

    chats: int | None = None
    activity: int | None = None


@dataclass(frozen=True, kw_only=True)
class OperationSettings:
    """metrics_key: what a scraper sends; "" where nobody may. log_format: one of `LOG_FORMATS`.

    traces_url: where OpenTelemetry's traces are sent, by OTLP over HTTP; "" for nowhere.
    """

    metrics_key: str = field(default="", repr=False)
    log_format: str = "text"
    retention: RetentionDays = field(default_factory=RetentionDays)
    traces_url: str = ""


def parse(given: Mapping[str, str], *, traces_url: str) -> OperationSettings:
    """Read these settings; raises `SettingsError`. traces_url: checked by the caller."""
    key, log_format = given.get(METRICS_KEY, ""), given.get(LOG_FORMAT, LOG_FORMATS[0])
    if key and (len(key) < LEAST_KEY or not key.isascii() or not key.isprintable() or " " in key):
        step = f"Set {LEAST_KEY} random letters and digits or more; `python manage.py new-secret` prints some."
        raise SettingsError(METRICS_KEY, "is too short, or holds what no header may.", next_step=step)
    if log_format not in LOG_FORMATS:
        raise SettingsError(LOG_FORMAT, "is not known.", next_step=f"Set one of {', '.join(LOG_FORMATS)}.")
    return OperationSettings(
        metrics_key=key, log_format=log_format, retention=_retention(given.get(RETENTION, "")), traces_url=traces_url
    )


def _retention(written: str) -> RetentionDays:
    """Days by name, or one number for all; nothing is forever."""
    pairs = [part.partition("=") for part in written.replace(",", " ").split()]
    if len(pairs) == 1 and not pairs[0][1]:
        pairs = [(name, "=", pairs[0][0]) for name in RetentionDays.__dataclass_fields__]
    named = {name.strip(): days.strip() for name, _, days in pairs}
    known = named.keys() <= RetentionDays.__dataclass_fields__.keys() and len(named) == len(pairs)
    if not known or not all(_is_days(days) for days in named.values()):
        raise SettingsError(RETENTION, "is not a number of days.", next_step=_RETENTION_STEP)
    return RetentionDays(**{name: int(days) for name, days in named.items()})


def _is_days(written: str) -> bool:
    return written.isascii() and written.isdecimal() and len(written) < 6 and LEAST_DAYS <= int(written) <= MOST_DAYS
