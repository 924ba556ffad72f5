"""Subsets of the fonts that Streamlit ships: what a page in English or Spanish needs, with the same shapes."""

import io
import re
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

LATIN = (
    "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,"
    "U+2190-2193,U+2212,U+2215,U+FEFF,U+FFFD"
)
"""Characters of the subsets, as CSS writes ranges; a browser that meets another loads the whole font beside them."""
_FEATURES = ["kern", "liga", "calt", "locl", "ccmp", "mark", "mkmk", "rvrn", "rclt", "rlig", "clig", "lnum", "tnum"]


def latin_subset(path: Path, family: str, limits: dict[str, tuple[float, float]] | None = None) -> bytes:
    """WOFF2 of the Latin letters under another family's name, for the licence reserves the font's own (OFL 1.1, 3).

    limits: range of each axis that is cut, such as {"wght": (400, 700)}.
    """
    font = TTFont(path)
    options = subset.Options()
    options.hinting = False
    options.name_IDs = ["*"]  # the licence is among them
    options.layout_features = _FEATURES
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=list(_code_points(LATIN)))
    subsetter.subset(font)
    if limits:
        font = instancer.instantiateVariableFont(_reread(font), limits)
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16, 25):
            record.string = family.replace(" ", "") if record.nameID in (6, 25) else family
    return _woff2(font)


def icon_subset(path: Path, icons: set[str]) -> tuple[bytes, list[str]]:
    """WOFF2 with these icons of Material Symbols alone, and the names of those that it has."""
    font = TTFont(path)
    letters = font.getBestCmap()
    tables = [
        getattr(table, "ExtSubTable", table)
        for lookup in font["GSUB"].table.LookupList.Lookup
        for table in lookup.SubTable
    ]
    spelled = {tuple(letters.get(ord(letter)) for letter in icon): icon for icon in icons}
    kept = set()
    for table in tables:
        for first, ligatures in list(table.ligatures.items()):
            table.ligatures[first] = [it for it in ligatures if (first, *it.Component) in spelled]
            kept |= {spelled[first, *it.Component] for it in table.ligatures[first]}
            if not table.ligatures[first]:
                del table.ligatures[first]
    options = subset.Options()
    options.hinting = False
    options.name_IDs = ["*"]
    options.layout_features = ["*"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes={ord(letter) for icon in kept for letter in icon})
    subsetter.subset(font)
    return _woff2(font), sorted(kept)


def icons_in(texts: list[str]) -> set[str]:
    """Names of the icons that these sources name as `:material/NAME:`."""
    return {name for text in texts for name in re.findall(r"material/([a-z0-9_]+)", text)}


def _code_points(ranges: str) -> list[int]:
    pairs = (part.removeprefix("U+").partition("-") for part in ranges.split(","))
    return [point for begin, _, end in pairs for point in range(int(begin, 16), int(end or begin, 16) + 1)]


def _reread(font: Any) -> Any:
    """The instancer wants tables as they are in a file."""
    file = io.BytesIO()
    font.flavor = None
    font.save(file)
    file.seek(0)
    return TTFont(file)


def _woff2(font: Any) -> bytes:
    file = io.BytesIO()
    font.flavor = "woff2"
    font.save(file)
    return file.getvalue()
