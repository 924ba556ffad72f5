"""Styles with which an element is not seen in a browser, as far as its own markup says so."""

import re
from typing import Any

HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])"
    r"|(?<![-\w])color\s*:\s*(?:#fff(?:fff)?\b|white\b|transparent\b)",
    re.IGNORECASE,
)


def may_be_hidden(element: Any) -> bool:
    """Whether the element, or anything in it, may be unseen: then none of its text is said a second time."""
    return any(
        part.get("hidden") is not None
        or part.get("aria-hidden") == "true"
        or HIDDEN_STYLE.search(part.get("style", ""))
        for part in element.iter()
        if isinstance(part.tag, str)
    ) or any(isinstance(part.tag, str) and part.tag in ("script", "style", "template") for part in element.iter())
