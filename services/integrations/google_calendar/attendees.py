"""Attendees in Google's JSON of an event: who is invited, changes to guests, and guests of a split series."""

from collections.abc import Iterable, Mapping
from typing import Any

from services.errors import RequestRefused
from services.i18n import gettext
from services.integrations.calendar.provider import EventChanges
from services.integrations.google_calendar.errors import LABEL
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches

Json = dict[str, Any]
Row = Mapping[str, Any]

_TAKEN_ALONG = ("email", "displayName", "optional", "resource")
_RULES = ("guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests")


def other_guests(json: Row) -> list[Json]:
    """List everybody but the student; rooms are no guests."""
    return [guest for guest in json.get("attendees") or () if not (guest.get("self") or guest.get("resource"))]


def guest_addresses(json: Row) -> tuple[str, ...]:
    return tuple(
        str(other_guest.get("email") or other_guest.get("displayName") or "somebody")
        for other_guest in other_guests(json)
    )


def attendees_after(json: Row, changes: EventChanges) -> list[Json]:
    """Compute all attendees after a change, as a patch takes them: who stays keeps their answer.

    Raises `BadArguments` for somebody to remove who is no guest, `RequestRefused` when the student may not.
    """
    refuse_unless_organizer(json)
    leaving = [_meant(json, words) for words in changes.uninvite]
    stay = [guest for guest in json.get("attendees") or () if guest not in leaving]
    known = {_address(guest) for guest in stay}
    return [*stay, *({"email": address} for address in changes.invite if address.lower() not in known)]


def guests_of_new_series(master: Row, attendees: Iterable[Row]) -> Json:
    """Copy what a new series takes over about guests. They are asked anew; the student's own answer stays."""
    taken = [
        {name: attendee[name] for name in _TAKEN_ALONG if name in attendee}
        | (
            {"responseStatus": attendee["responseStatus"]}
            if attendee.get("self") and "responseStatus" in attendee
            else {}
        )
        for attendee in attendees
    ]
    return {**({"attendees": taken} if taken else {}), **{name: master[name] for name in _RULES if name in master}}


def same_guests(given: Iterable[Row] | None, wanted: Iterable[Row] | None) -> bool:
    """Compare guests; the organizer, whom Google adds by itself, counts for neither side."""
    there, asked = list(given or ()), list(wanted or ())
    own = {_address(guest) for guest in (*there, *asked) if guest.get("self") or guest.get("organizer")}
    return {_address(guest) for guest in there} - own == {_address(guest) for guest in asked} - own


def is_of_another(json: Row) -> bool:
    """Check whether somebody else organizes an event, whose guests may not change it."""
    return bool(json.get("organizer")) and not (json["organizer"].get("self") or json.get("guestsCanModify"))


def refuse_unless_organizer(json: Row) -> None:
    """Raise `RequestRefused` unless the student organizes the event: Google would change a copy."""
    if is_of_another(json):
        raise RequestRefused(
            LABEL,
            gettext("Only whoever organises this event can change that."),
            next_step=gettext("Ask the organizer."),
        )


def _meant(json: Row, words: str) -> Json:
    wanted = " ".join(words.casefold().split())
    found = [other_guest for other_guest in other_guests(json) if _address(other_guest) == wanted]
    found = found or best_matches(other_guests(json), words, lambda guest: (str(guest.get("displayName", "")),))
    if len(found) == 1:
        return found[0]
    # No addresses: they are for the student's eyes only.
    named = [str(guest.get("displayName", "")) for guest in found or other_guests(json)]
    choices = [NameChoice(name=name) for name in named if name]
    raise several_fit("remove_guests", words, choices) if found else none_fits("remove_guests", words, choices)


def _address(guest: Row) -> str:
    return str(guest.get("email") or "").lower()
