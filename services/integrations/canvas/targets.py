"""Which graded work somebody means: one thing, or a whole group of it."""

from services.errors import BadArguments
from services.i18n import gettext
from services.integrations.canvas.grading import Entry, Gradebook
from services.integrations.canvas.name_matching import best, contains
from services.integrations.kit import localized

_MOST_CHOICES = 8


def meant(book: Gradebook, words: str, *, field: str) -> list[Entry]:
    """The entries that words or an id mean: what is open before what is graded, a single thing before a group.

    A full title means just that. A group stands for all that is open in it. Raises `BadArguments` that lists the
    choices when none or several fit.
    """
    wanted = words.strip()
    by_id = [entry for entry in book.entries if str(entry.id) == wanted]
    if by_id:
        return by_id
    same = [entry for entry in book.entries if entry.title.casefold() == wanted.casefold()]
    if len(same) == 1:
        return same
    open_ones = book.open_entries
    found = best(open_ones, wanted, lambda entry: (entry.title,))
    if len(found) == 1:
        return found
    groups = [group for group in book.groups if contains(group.name, wanted)]
    in_groups = [entry for group in groups for entry in group.entries if entry in open_ones]
    if len(groups) == 1 and in_groups:
        return in_groups
    found = found or best(book.entries, wanted, lambda entry: (entry.title,))
    if len(found) == 1:
        return found
    opening = "More than one thing fits" if found else "Nothing in this course is called that. Still open"
    choices = found or open_ones or book.entries
    named = "; ".join(f"{entry.title} (id {entry.id})" for entry in choices[:_MOST_CHOICES])
    more = "; …" if len(choices) > _MOST_CHOICES else ""
    told = localized.list_choices([(entry.title, entry.id) for entry in choices], _MOST_CHOICES)
    said = (
        gettext("More than one thing fits: {choices}.", choices=told)
        if found
        else gettext("Nothing in this course is called that. Still open: {choices}.", choices=told)
    )
    raise BadArguments(
        f"{opening}: {named}{more}.",
        field=field,
        next_step="Ask the student which one, then call again with its id.",
        said=said,
    )
