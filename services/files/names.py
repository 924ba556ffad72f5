"""Names of files: whatever a browser sends becomes one plain line that leads nowhere (T21)."""

import re
import unicodedata

from services.safety.text import plain

LONGEST = 100
NAMELESS = "file"
_PATHS = re.compile(r"[/\\]")
_UNFIT = re.compile(r"[\x00-\x1f<>:\"|?*`\[\]{}\u200e\u200f\u061c]")


def clean(name: str) -> str:
    """The last part of a path, without what is invisible, turns text around or means something elsewhere.

    At most `LONGEST` characters; the extension stays.
    """
    last = _PATHS.split(plain(unicodedata.normalize("NFC", name)))[-1]
    line = " ".join(_UNFIT.sub("", last).split()).lstrip(". ").rstrip(". ")
    if len(line) > LONGEST:
        stem, dot, ending = line.rpartition(".")
        tail = f"…{dot}{ending}" if stem and len(ending) <= 10 else "…"
        line = line[: LONGEST - len(tail)].rstrip() + tail
    return line or NAMELESS


def extension(name: str) -> str:
    """In small letters, without the dot; "" for none."""
    stem, dot, ending = clean(name).rpartition(".")
    return ending.lower() if dot and stem else ""
