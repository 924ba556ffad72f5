"""Labels of tool arguments, and of their choices, in the student's language."""

from datetime import date, timedelta

from services.i18n import formats, gettext
from services.tools.argument_names import FIELDS, inline_label
from ui.local_time import as_heading

MONDAY = date(2024, 1, 1)
DAYS = {code: MONDAY + timedelta(days=number) for number, code in enumerate(("MO", "TU", "WE", "TH", "FR", "SA", "SU"))}
"""The days of a week as calendars write them (RFC 5545, section 3.3.10)."""


def field_label(name: str) -> str:
    """Label of a field: "Due date"."""
    return as_heading(inline_label(name))


def item_label(name: str) -> str:
    """Label of one item of a list: "Start" for an item of "starts"."""
    singular = name.removesuffix("s")
    return field_label(singular if f"{singular} (field)" in FIELDS else name)


def choice_label(value: object) -> str:
    """Label of one value of an enumeration: "Monday" for "MO"."""
    day = DAYS.get(str(value))
    return as_heading(formats.weekday(day)) if day else gettext(str(value))
