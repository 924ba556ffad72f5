"""`Provenance`: who may have written a field that Homeroom reads, and so what a tool's result is made of."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self


class Provenance(StrEnum):
    """Author of a field, declared where the field is read; what nobody declares is `UNDECLARED`, the careful side."""

    STUDENT = "student"
    """The student alone."""
    SCHOOL = "school"
    """Teachers, and whoever keeps the courses: trusted with what is of their own course."""
    SERVICE = "service"
    """The service itself: ids, states, and the addresses of its own pages."""
    ASSISTANT = "assistant"
    """The student, or the assistant for them on a card, so maybe at the bidding of what it had read."""
    OTHERS = "others"
    """Other people, in the student's accounts: invitations, comments, posts, pages that are shared."""
    OPERATOR = "operator"
    """Whoever runs Homeroom."""
    PUBLIC = "public"
    """Anybody: found by a search engine or in the campus's feeds."""
    STRANGERS = "strangers"
    """Anybody, for whoever reads it: a page that was opened by its address."""
    MODEL = "model"
    """Another model, from private things: of these only the sources count."""
    UNDECLARED = "undeclared"
    """Nobody has said."""

    @classmethod
    def _missing_(cls, value: object) -> "Provenance | None":
        return _OLD_NAMES.get(str(value))

    @property
    def is_private(self) -> bool:
        """Whether it must not be told to anybody by an address."""
        return self not in (Provenance.OPERATOR, Provenance.PUBLIC, Provenance.STRANGERS)

    @property
    def is_of_strangers(self) -> bool:
        """Whether somebody may have put an address there to learn from it that it is opened."""
        return self in (Provenance.STRANGERS, Provenance.UNDECLARED)

    @property
    def is_of_others(self) -> bool:
        """Whether it is the student's own, and others can write there, too, by themselves or by the assistant."""
        return self in (Provenance.OTHERS, Provenance.ASSISTANT)


_OLD_NAMES = {"private": Provenance.STUDENT, "shared": Provenance.OTHERS, "mixed": Provenance.UNDECLARED}
"""Names of before November 2026, which settings still hold."""


def worst_of(writers: Collection[Provenance]) -> Provenance:
    """The provenance by which a text of all these is to be treated; `UNDECLARED` for none."""
    known = {writer for writer in writers if writer is not Provenance.MODEL}
    is_private = any(writer.is_private for writer in writers)
    if not writers or any(writer.is_of_strangers for writer in known):
        return Provenance.STRANGERS if writers and not is_private else Provenance.UNDECLARED
    if any(writer.is_of_others for writer in known):
        return Provenance.OTHERS
    if Provenance.PUBLIC in known:
        return Provenance.OTHERS if is_private else Provenance.PUBLIC
    if Provenance.SCHOOL in known:
        return Provenance.SCHOOL
    return Provenance.STUDENT if is_private else Provenance.OPERATOR


ELSEWHERE = ""
"""Origin of what is private and of no course that is known."""


@dataclass(frozen=True, kw_only=True)
class ResultProvenance:
    """Who may have written what a result holds, derived from the fields that the call has read.

    writers: of all of them; none for a failure that no field went into. trusted: addresses and e-mail addresses of the
    result that stand only in fields of these writers, where others wrote the rest. origins: the courses that what is
    private in it is from ("canvas-17"), and `ELSEWHERE`.
    """

    writers: frozenset[Provenance] = frozenset({Provenance.UNDECLARED})
    trusted: Mapping[Provenance, tuple[str, ...]] = field(default_factory=dict, hash=False)
    origins: frozenset[str] = frozenset({ELSEWHERE})

    @property
    def worst(self) -> Provenance:
        return worst_of(self.writers)

    def data(self) -> dict[str, Any]:
        """Convert to JSON, for `read`."""
        trusted = {"trusted": {str(writer): list(urls) for writer, urls in self.trusted.items()}}
        origins = {"origins": sorted(self.origins)} if self.origins != {ELSEWHERE} else {}
        return {"writers": sorted(self.writers), **(trusted if self.trusted else {}), **origins}

    @classmethod
    def read(cls, data: Mapping[str, Any] | None) -> Self:
        """Read what `data` has made; `UNDECLARED` for a result that was stored without it."""
        if data is None:
            return cls()
        trusted = {Provenance(writer): tuple(urls) for writer, urls in data.get("trusted", {}).items()}
        writers, origins = map(Provenance, data["writers"]), data.get("origins", [ELSEWHERE])
        return cls(writers=frozenset(writers), trusted=trusted, origins=frozenset(origins))
