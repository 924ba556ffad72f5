"""Bytes and size of a file's row, from its source or by the rule that made it."""

import json
from functools import cache

from sandbox.canvas.documents import source as documents
from sandbox.canvas.documents.render import rendered
from sandbox.canvas.documents.source import Source
from sandbox.canvas.files.course_of_many import page_of_many
from sandbox.canvas.school import Row


def source_of(row: Row) -> Source | None:
    """The source that a row stands for, None for what was made by a rule."""
    return None if row["source"] is None else documents.source(row["source"])


def content_of(row: Row) -> bytes:
    """The bytes of a file; rendering them takes up to some seconds the first time."""
    source = source_of(row)
    return rendered(source) if source else page_of_many(row)


def size_of(row: Row) -> int:
    """The number of bytes; from the table of sizes where it knows the source as it is now, else by rendering."""
    source = source_of(row)
    if source is None:
        return len(page_of_many(row))
    digest, size = _sizes().get(source.key, ("", 0))
    return size if digest == source.digest else len(rendered(source))


@cache
def _sizes() -> dict[str, tuple[str, int]]:
    return {
        key: (digest, size) for key, (digest, size) in json.loads(documents.SIZES.read_text(encoding="utf-8")).items()
    }
