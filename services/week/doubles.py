"""What is named twice: a learning platform's calendar feed tells the same work again, and not whether it is done."""

from collections.abc import Sequence

from services.week.week import Entry, Kind


def without_doubles(events: Sequence[Entry], due: Sequence[Entry]) -> list[Entry]:
    """The events but for those that stand in `due` as well. A feed may add the course: "Essay [ENGL 110]"."""
    return [one for one in events if one.kind is not Kind.DUE or not any(_is_same(one, work) for work in due)]


def _is_same(one: Entry, work: Entry) -> bool:
    is_then = one.start.date() == work.start.date() if one.is_whole_day else one.start == work.start
    return is_then and one.title.casefold().startswith(work.title.casefold())
