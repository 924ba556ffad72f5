"""Notion's ids: UUIDs with or without dashes; a content block's id begins like its page's, so that it leads there."""

import hashlib
import uuid

from sandbox.notion.errors import invalid

PREFIX = 20
NAMESPACE = uuid.UUID("6f1f7c52-6f0f-4a53-9d35-3d1a0c1c7b11")


def new_id() -> str:
    """A new object's id."""
    return str(uuid.uuid4())


def seeded_id(*names: str) -> str:
    """The id of a seeded object: the same in every campus."""
    return str(uuid.uuid5(NAMESPACE, "/".join(names)))


def read_id(text: str, name: str, *, where: str = "path") -> str:
    """The id with dashes; raises Refused when it is none."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        raise invalid(
            f"{where} failed validation: {where}.{name} should be a valid uuid, instead was `{text[:80]!r}`."
        ) from None


def block_id(page_id: str, seed: str = "") -> str:
    """A block's id: of a seeded page the same in every campus, else a new one; of a table's row it comes from that."""
    rest = hashlib.sha256(seed.encode()).hexdigest() if seed else uuid.uuid4().hex
    return str(uuid.UUID(page_id.replace("-", "")[:PREFIX] + rest[: 32 - PREFIX]))


def may_hold(page_id: str, block: str) -> bool:
    """Whether a block of this id can only be in this page."""
    return page_id.replace("-", "")[:PREFIX] == block.replace("-", "")[:PREFIX]
