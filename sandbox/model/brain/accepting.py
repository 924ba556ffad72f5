"""What "yes" to an offer means."""

import re

OFFERED = re.compile(r"(?:Shall I put|¿Pongo) [“«](?P<title>.+?)[”»] (?:into your calendar on|en tu calendario el) (?P<moment>[^?]+)\?\s*$")


def accepted(answer: str) -> str:
    """The student's "yes" to an offer, in words that can be understood on their own; empty when there was none."""
    found = OFFERED.search(answer.rstrip())
    return f"add “{found['title']}” to my calendar on {found['moment']}" if found else ""
