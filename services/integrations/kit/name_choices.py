"""Errors for words that fit several names or none: they list the choices, for the model and for a student's form."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from services.errors import BadArguments, NameUnknown
from services.i18n import formats, gettext
from services.i18n.english import clock, day
from services.integrations.kit.localized import list_choices
from services.safety.text import one_line

_MOST_CHOICES = 12
_LONGEST_NAME = 120


@dataclass(frozen=True, kw_only=True)
class NameChoice:
    """Item that may be meant.

    place: what it stands in, such as its course. at: day, or time in the student's zone, when it is due or starts.
    """

    name: str
    id: object = None
    place: str = ""
    at: date | None = None

    def line(self) -> str:
        """Write it for the model: “Midterm 1” (Cell Biology, Fri 27 Nov 2026, 10:00 AM, id 4201023)."""
        facts = [self.place, _when(self.at), "" if self.id is None else f"id {self.id}"]
        told = ", ".join(fact for fact in facts if fact)
        name = f"“{one_line(self.name, _LONGEST_NAME)}”"
        return f"{name} ({told})" if told else name

    def label(self) -> str:
        """Write it for the student."""
        facts = [self.place, formats.day(self.at) if self.at else ""]
        told = ", ".join(fact for fact in facts if fact)
        name = one_line(self.name, _LONGEST_NAME)
        return f"{name} ({told})" if told else name


def _when(at: date | None) -> str:
    if at is None:
        return ""
    return f"{day(at)}, {clock(at)}" if isinstance(at, datetime) else day(at)


def several_fit(field: str, wanted: str, choices: Sequence[NameChoice]) -> BadArguments:
    """Error for words that fit several: the student is asked which one is meant. wanted: the words."""
    by_id = all(choice.id is not None for choice in choices)
    return BadArguments(
        f"{field}: {len(choices)} fit {_quoted(wanted)}: {_listed(choices)}.",
        field=field,
        next_step=f"Ask the student which one they mean, then call again with its {'id' if by_id else 'whole name'}.",
        said=gettext("More than one fits: {choices}.", choices=_labelled(choices)),
    )


def none_fits(
    field: str, wanted: str, known: Sequence[NameChoice], *, near: Sequence[NameChoice] = (), note: str = ""
) -> NameUnknown:
    """Error for words that fit nothing: it names the closest, else what there is. wanted: the words. note: what could
    not be looked at.
    """
    shown = near or (known if len(known) <= _MOST_CHOICES else ())
    sentence, choices = f"{field}: none is called {_quoted(wanted)}.", note
    said, step = gettext("Nothing with that name was found."), "Try other words, or list them first."
    if shown:
        choices = f"{'The closest' if near else 'There are'}: {_listed(shown)}. {note}".strip()
        step = "If one of these is meant, call again with its id; else ask the student."
        said = gettext("Nothing with that name was found. There are: {choices}.", choices=_labelled(shown))
    elif not known:
        sentence, step = f"{field}: none is called {_quoted(wanted)}; there are none at all.", ""
    return NameUnknown(sentence, choices=choices, field=field, next_step=step, said=f"{said} {note}".strip())


def _quoted(words: str) -> str:
    return f"“{one_line(words, _LONGEST_NAME)}”"


def _listed(choices: Sequence[NameChoice]) -> str:
    shown = [choice.line() for choice in choices[:_MOST_CHOICES]]
    return "; ".join([*shown, f"and {len(choices) - len(shown)} more"] if len(choices) > len(shown) else shown)


def _labelled(choices: Sequence[NameChoice]) -> str:
    return list_choices([(choice.label(), choice.id) for choice in choices])
