"""`Spec`: a tool as a server describes it, made safe to show; and the fingerprint of what was said."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PINNED = ("name", "title", "description", "inputSchema", "annotations")
"""What a server says of a tool that must not change unseen."""


@dataclass(frozen=True, kw_only=True)
class Spec:
    """name: what the model calls ("files__read_file"). own_name: what the server calls it.

    is_outward: it says that it meets the world outside of the server, such as the web.
    fingerprint: of everything that the server says about it. problem: why it cannot be offered at all, or "".
    """

    name: str
    own_name: str
    title: str
    description: str
    schema: Mapping[str, Any] = field(repr=False)
    is_read_only: bool
    is_outward: bool
    fingerprint: str
    problem: str = ""


def fingerprint(listed: Mapping[str, Any]) -> str:
    """The same for the same words; whether it reads or writes is part of it, not only what the model is shown."""
    said = {name: listed.get(name) for name in PINNED}
    canonical = json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
