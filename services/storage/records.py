"""Stored records: the one way in which a stored document becomes a record.

The document may be one of a later version of Homeroom, which runs beside this one or has run before it was taken back:
- a field that the record does not have is passed over, at any depth. A compare-and-set leaves it as it is stored;
  what is nested is written anew as a whole, and `keep_later_fields` then keeps it;
- a missing field has its default;
- a value that an enum does not have makes the record unreadable, unless the enum says by `_missing_` what it counts as:
  no state is guessed;
- what cannot be read is a `RecordUnreadable`, which names the collection and the id, and nothing that is stored.
"""

import collections.abc
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache, wraps
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from services.errors import BadArguments, RecordUnreadable
from services.storage.documents import Document
from services.storage.unreadable_records import UNREADABLE_RECORDS

Record = TypeVar("Record")

_DAMAGES = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, BadArguments)
"""What reading raises for a document that is not as it was written."""


def read_record(record_class: type[Record], document: Mapping[str, Any], **fields: Any) -> Record:
    """Read a record, or one that is nested in another, with all that it holds.

    fields: those that are not stored as the record has them, in its form. Raises `ValueError`, which names the fields
    that are wrong: a function that reads a whole document is a `record_reader`.
    """
    kind: Any = record_class
    try:
        record: Record = _adapter(kind).validate_python({**document, **fields}, extra="ignore")
        return record
    except ValidationError as error:
        wrong = sorted({str(part["loc"][0]) for part in error.errors(include_input=False) if part["loc"]})
    # Outside of the clause: pydantic's error holds the values, and a log would show it as the context of this one.
    raise ValueError(f"{record_class.__name__}: {', '.join(wrong)}")


def record_reader(
    collection: str,
) -> Callable[[Callable[[Document], Record]], Callable[[Mapping[str, Any]], Record]]:
    """Make a reader of a collection's documents of a function: whatever is wrong in one is a `RecordUnreadable`."""

    def decorate(read: Callable[[Document], Record]) -> Callable[[Mapping[str, Any]], Record]:
        @wraps(read)
        def reader(document: Mapping[str, Any]) -> Record:
            with suppress(*_DAMAGES):
                return read(dict(document))
            raise RecordUnreadable(collection, _id_of(document))

        return reader

    return decorate


def read_all(read: Callable[[Document], Record], documents: Iterable[Document]) -> list[Record]:
    """Read many for a list of them: each that cannot be read is noted by its id and left out."""
    records = []
    for document in documents:
        try:
            records.append(read(document))
        except RecordUnreadable as error:
            UNREADABLE_RECORDS.note(error)
    return records


def read_or_none(read: Callable[[Document], Record], document: Document | None) -> Record | None:
    """Read what may be missing: what cannot be read is noted by its id, and counts as missing.

    For what is made anew then; whatever decides on something raises instead.
    """
    return None if document is None else next(iter(read_all(read, [document])), None)


def keep_later_fields(record_class: Any, written: Document, stored: Mapping[str, Any] | None) -> Document:
    """The fields to write in the place of stored ones, with those that a later version has put into nested records.

    Of a list, records are the same that have the same id, or, without ids, that are the same in what this version has.
    """
    return {
        name: _with_later(hint, written[name], stored[name]) if stored and name in stored else written[name]
        for name, hint in _hints(record_class, written).items()
    }


def _with_later(hint: Any, written: Any, stored: Any) -> Any:
    nested = _nested_class(hint)
    if nested is None:
        return written
    if isinstance(written, list) and isinstance(stored, list):
        before = {_identity(nested, item): item for item in stored}
        return [_with_later(nested, item, before.get(_identity(nested, item))) for item in written]
    if not isinstance(written, Mapping) or not isinstance(stored, Mapping):
        return written
    if get_origin(hint) is collections.abc.Mapping:
        return {key: _with_later(nested, value, stored.get(key)) for key, value in written.items()}
    later = {name: value for name, value in stored.items() if name not in nested.__dataclass_fields__}
    return {**later, **keep_later_fields(nested, dict(written), stored)}


def _hints(record_class: Any, written: Document) -> Mapping[str, Any]:
    """The type of each written field; None for one that the record has under another name or not at all."""
    hints = _hints_of(record_class)
    return {name: hints.get(name) for name in written}


@cache
def _hints_of(record_class: Any) -> Mapping[str, Any]:
    return get_type_hints(record_class)


def _nested_class(hint: Any) -> Any:
    """The record that a field holds, or holds many of; None for a field of other values."""
    if is_dataclass(hint):
        return hint
    return next((nested for part in get_args(hint) if (nested := _nested_class(part)) is not None), None)


def _identity(nested: Any, item: Any) -> str:
    if not isinstance(item, Mapping):
        return ""
    id = item.get("id")
    own = {name: value for name, value in item.items() if name in nested.__dataclass_fields__}
    return str(id) if id else json.dumps(own, sort_keys=True, default=str)


@cache
def _adapter(record_class: Any) -> TypeAdapter[Any]:
    return TypeAdapter(record_class)


def _id_of(document: object) -> str:
    return str(document.get("id", "")) if isinstance(document, Mapping) else ""
