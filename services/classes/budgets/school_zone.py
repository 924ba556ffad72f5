"""Time zone of the school, whose days and terms budgets are counted in."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from services.errors import SettingsError
from services.identity.time_zones import is_timezone

SETTING = "HOMEROOM_TIMEZONE"


def school_zone(environment: Mapping[str, str]) -> ZoneInfo:
    """Read the school's time zone, UTC where none is set; raises `SettingsError`."""
    name = environment.get(SETTING, "UTC")
    if not is_timezone(name):
        raise SettingsError(SETTING, "is not a time zone.", next_step="Set an IANA name, such as America/Chicago.")
    return ZoneInfo(name)
