"""Bytes and size of a file's row: from its source, as a test uploaded them, or by the rule that made it."""

import base64
import json
from functools import cache

from sandbox.canvas.documents import source as documents
from sandbox.canvas.documents.render import rendered
from sandbox.canvas.documents.source import Source
from sandbox.canvas.files.course_of_many import page_of_many
from sandbox.canvas.school import Row
from sandbox.state import State


def source_of(row: Row) -> Source | None:
    """The source that a row stands for, None for what a test uploaded or a rule made."""
    return None if row["source"] is None else documents.source(row["source"])


def content_of(row: Row, state: State) -> bytes:
    """The bytes of a file; rendering them takes up to some seconds the first time."""
    source = source_of(row)
    if source:
        return rendered(source)
    uploaded = state.get("canvas.uploads", row["id"])
    return page_of_many(row) if uploaded is None else base64.b64decode(uploaded)


def size_of(row: Row) -> int:
    """The number of bytes; from the table of sizes where it knows the source as it is now, else by rendering."""
    source = source_of(row)
    if source and "megabytes" in source.head:
        return int(source.head["megabytes"]) * 1_000_000
    if source is None:
        return row["size"] if "size" in row else len(page_of_many(row))
    digest, size = _sizes().get(source.key, ("", 0))
    return size if digest == source.digest else len(rendered(source))


@cache
def _sizes() -> dict[str, tuple[str, int]]:
    return {
        key: (digest, size) for key, (digest, size) in json.loads(documents.SIZES.read_text(encoding="utf-8")).items()
    }
