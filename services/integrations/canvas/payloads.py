"""Values of Canvas's JSON, read defensively: what has another type than expected counts as empty."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

from services.i18n import ngettext
from services.integrations.kit.payloads import parse_time
from services.safety.text import one_line

Row = Mapping[str, Any]

MOST_POINTS = 1e9
"""Upper limit of points and percentages; anything above was not meant as such."""
Json = dict[str, Any]
Item = TypeVar("Item")


def object_of(value: Any) -> Row:
    """Return an object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def objects_of(value: Any) -> list[dict[str, Any]]:
    """List the objects of an array, or none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts_of(value: Any) -> list[str]:
    """List the texts of an array, or none."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def integers_of(value: Any) -> list[int]:
    """List the whole numbers of an array, or none; ids often come as text."""
    return [int(item) for item in value if is_id(item)] if isinstance(value, list) else []


def is_id(value: Any) -> bool:
    """Check for a whole number above zero, as Canvas's ids are, maybe written as text."""
    if isinstance(value, str):
        return value.isdecimal()
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def id_of(value: Any) -> int:
    """Return an id; raises `ValueError` for anything else."""
    if not is_id(value):
        raise ValueError("not an id")
    return int(value)


def read_time(written: Any) -> tuple[datetime | None, str | None]:
    """Parse a time of Canvas's; when it cannot be read, None and what was written."""
    if not written:
        return None, None
    try:
        read = parse_time(str(written))
    except ValueError:
        return None, one_line(written, 40)
    return (read if read.tzinfo else read.replace(tzinfo=UTC)), None


def number_of(value: Any) -> float | None:
    """Return a number as a float, or None."""
    is_meant = isinstance(value, int | float) and abs(value) <= MOST_POINTS
    return float(value) if is_meant else None


def safe_line(text: Any, limit: int = 200) -> str:
    """Put text on one line and defuse Markdown that could pass for a link or end the bold type around it."""
    return one_line(text or "", limit).replace("](", "] (").replace("**", "*")


def canvas_link(address: Any, origin: str) -> str:
    """Link to a page of this Canvas; any other address becomes its front page. Planner items come without a host."""
    host, base = urljoin(origin, "/").rstrip("/"), urlsplit(origin).path
    text = str(address or "")
    if text.startswith("/") and not text.startswith("//"):
        text = f"{host}{text}" if text.startswith(f"{base}/") else f"{origin}{text}"
    return text if re.fullmatch(rf"{re.escape(origin)}/[\w./?=&#%~-]*", text) else origin


def exact_number(value: Any) -> Fraction | None:
    """Convert a number to the exact decimal it was written as, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST_POINTS:
        return None
    return Fraction(str(value))


def read_rows(rows: Iterable[Json], read: Callable[[Json], Item | None]) -> tuple[list[Item], str]:
    """Read the rows that can be read, with a note about the others, so that one broken row never hides the rest."""
    items: list[Item] = []
    broken = 0
    for row in rows:
        try:
            item = read(row)
        except (KeyError, TypeError, ValueError, AttributeError):
            broken += 1
        else:
            items += [] if item is None else [item]
    unread = ngettext("{n} item in Canvas could not be read.", "{n} items in Canvas could not be read.", broken)
    return items, f"Note: {unread}" if broken else ""
