"""`FieldLog`: the fields that a tool call has read from services, each with who may have written it.

Fields are declared where they are read, by `read_fields` or `declared`; a result's provenance is derived from them, so
that no tool has to say it, and none can say it wrongly.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from services.safety.link_urls import linkable_urls
from services.safety.provenance import ELSEWHERE, Provenance, ResultProvenance, worst_of

Fields = Mapping[str, "Provenance | Fields"]
"""The fields of a service's JSON that Homeroom reads, by name, at any depth: who may have written each, or the fields
of an object that are not as elsewhere. `REST` stands for all that are not named; without it they are not read."""
REST = "*"

Value = TypeVar("Value")

_TRUSTED = (Provenance.STUDENT, Provenance.SCHOOL, Provenance.OPERATOR)
_WHOLLY_TRUSTED = (Provenance.STUDENT, Provenance.OPERATOR)
_MOST_TRUSTED = 100
_HOLDS_TEXT = (str, dict, list)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    """A field with who may have written it. origin: None for what was only looked through."""

    writer: Provenance
    value: Any
    origin: str | None


class FieldLog:
    """Fields of one tool call. Appending is atomic, so threads of the call share it."""

    def __init__(self) -> None:
        self._read: list[_Entry] = []

    @property
    def writers(self) -> frozenset[Provenance]:
        return frozenset(entry.writer for entry in self._read)

    @property
    def origins(self) -> frozenset[str]:
        """Where what is private is from; what was only looked through for something else says nothing of it."""
        origins = {entry.origin for entry in self._read if entry.writer.is_private and entry.origin is not None}
        return frozenset(origins) or frozenset({ELSEWHERE})

    def add(self, writer: Provenance, value: Any, origin: str | None = ELSEWHERE) -> None:
        self._read.append(_Entry(writer=writer, value=value, origin=origin))

    def absorb(self, other: "FieldLog | ResultProvenance") -> None:
        """Add what another call has read for this one."""
        if isinstance(other, FieldLog):
            self._read += other._read
        else:
            for origin in other.origins:
                self._read += [_Entry(writer=writer, value="", origin=origin) for writer in other.writers]
            self._read += [_Entry(writer=writer, value=urls, origin=None) for writer, urls in other.trusted.items()]

    def provenance(self, output: str, urls: Sequence[str] = ()) -> ResultProvenance:
        """Derive the provenance of a result. urls: of its sources."""
        writers = self.writers
        if not writers:
            return ResultProvenance()
        is_mixed = any(writer in writers for writer in _TRUSTED) and worst_of(writers) not in _WHOLLY_TRUSTED
        trusted = self._trusted(output, urls) if is_mixed else {}
        return ResultProvenance(writers=writers, trusted=trusted, origins=self.origins)

    def _trusted(self, output: str, urls: Sequence[str]) -> Mapping[Provenance, tuple[str, ...]]:
        """The addresses of a result that only trusted writers have written, to the letter."""
        texts: defaultdict[Provenance, list[str]] = defaultdict(list)
        for entry in self._read:
            texts[entry.writer] += _texts_in(entry.value)
        joined = {writer: "\n".join(found) for writer, found in texts.items()}
        trusted: defaultdict[Provenance, list[str]] = defaultdict(list)
        for address in sorted(linkable_urls([output], urls))[:_MOST_TRUSTED]:
            written = address.removeprefix("mailto:")
            by = {writer for writer, text in joined.items() if written in text}
            if by and by <= {*_TRUSTED}:
                trusted[worst_of(by)].append(address)
        return {writer: tuple(found) for writer, found in trusted.items()}


_current: ContextVar[FieldLog | None] = ContextVar("field_log", default=None)
_is_lookup: ContextVar[bool] = ContextVar("is_lookup", default=False)


@contextmanager
def field_log() -> Iterator[FieldLog]:
    """A log of its own for a tool call; when the call fails, the one around it learns what was read."""
    around, log, has_ended = _current.get(), FieldLog(), False
    token = _current.set(log)
    try:
        yield log
        has_ended = True
    finally:
        _current.reset(token)
        if around is not None and not has_ended:
            around.absorb(log)


@contextmanager
def looked_through() -> Iterator[None]:
    """What is read here only finds what the result is about, and of which the result then reads something more."""
    token = _is_lookup.set(True)
    try:
        yield
    finally:
        _is_lookup.reset(token)


def absorb(provenance: ResultProvenance) -> None:
    """Add what the result of another call holds to the current one."""
    if log := _current.get():
        log.absorb(provenance)


def declared(value: Value, writer: Provenance, origin: str = ELSEWHERE) -> Value:
    """Return a value that was read, recorded with who may have written it; of a record or JSON all texts in it.

    origin: the course that it is from.
    """
    log = _current.get()
    if log is not None and value:
        log.add(writer, value, None if _is_lookup.get() else origin)
    return value


def read_fields(json: Any, declarations: Fields, origin: str = ELSEWHERE) -> Any:
    """Copy of a service's JSON with the texts that are declared, recorded; what is no text needs no author.

    origin: the course that it is from.
    """
    return _read(json, declarations, _current.get() or FieldLog(), None if _is_lookup.get() else origin)


def _read(json: Any, declarations: Fields, log: FieldLog, origin: str | None) -> Any:
    if isinstance(json, list):
        return [_read(item, declarations, log, origin) for item in json if not isinstance(item, str)]
    if not isinstance(json, dict):
        return json
    kept: dict[Any, Any] = {}
    for key, value in json.items():
        if not isinstance(value, _HOLDS_TEXT):
            kept[key] = value
            continue
        writer = declarations.get(key) or declarations.get(REST)
        if isinstance(writer, Provenance):
            if value:
                log.add(writer, value, origin)
            kept[key] = value
        elif not isinstance(value, str):
            kept[key] = _read(value, declarations if writer is None else writer, log, origin)
    return kept


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*_texts_in(key), *_texts_in(item))
    elif isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes):
        for item in value:
            yield from _texts_in(item)
    elif is_dataclass(value):
        for part in fields(value):
            yield from _texts_in(getattr(value, part.name))
