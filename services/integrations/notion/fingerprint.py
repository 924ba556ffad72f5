"""Fingerprints: hashes of all that a student can change in a page or a database, for the undo of what was written.

Notion's times cannot tell: they are cut to the minute, so they miss a change that follows a write at once.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from services.integrations.kit.payloads import payload_guard
from services.integrations.notion.errors import LABEL
from services.integrations.notion.payloads import Json, NotionPage

COMPUTED = frozenset(
    {
        *("formula", "rollup", "unique_id", "verification", "button"),
        *("created_time", "created_by", "last_edited_time", "last_edited_by"),
    }
)
"""Types of properties that change without anybody's doing."""
LOOK = ("parent", "icon", "cover", "is_locked", "last_edited_by")


@payload_guard(LABEL)
def page_fingerprint(page: NotionPage, text: Mapping[str, Any]) -> str:
    """Hash of a page: its properties, place, look, who changed it last,
    and its text as `NotionClient.markdown` gives it.
    """
    properties = {
        name: prop[prop["type"]] for name, prop in page.json["properties"].items() if prop["type"] not in COMPUTED
    }
    written = [text["markdown"].strip(), text.get("truncated", False), text.get("unknown_block_ids", [])]
    return _hash([properties, _part(page.json, LOOK), written])


@payload_guard(LABEL)
def database_fingerprint(database: Json, source: NotionPage) -> str:
    """Hash of a database without its entries: its title, place, look, data sources and columns with their choices."""
    own = _part(database, ("title", "description", "is_inline", "data_sources", *LOOK))
    return _hash([own, source.json["properties"], source.json.get("last_edited_by")])


def _part(json_object: Json, names: tuple[str, ...]) -> Json:
    # An answer to a write may leave out what reading gives as false or empty, and name its parent in more ways.
    part = {name: json_object.get(name) or None for name in names}
    parent = json_object.get("parent") or {}
    ways = ("data_source_id", "page_id", "block_id", "database_id")
    return {**part, "parent": next((parent[way] for way in ways if parent.get(way)), parent.get("type"))}


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(_stable(value), sort_keys=True).encode()).hexdigest()


def _stable(value: Any) -> Any:
    """Without what differs from one answer to the next: signed addresses of files, and what is told of people."""
    if isinstance(value, list):
        return [_stable(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("object") == "user":
        return value["id"]
    if "expiry_time" in value:
        return str(value.get("url")).partition("?")[0]
    return {name: _stable(item) for name, item in value.items()}
