"""Where a new page goes: the place that the student named, or one that fits when they named none."""

import re
from collections import Counter
from typing import Annotated

from pydantic import Field

from services.errors import ItemNotFound, RequestRefused
from services.i18n import gettext, gettext_noop
from services.integrations.notion.access import find_page
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import LABEL, SHARE
from services.integrations.notion.payloads import Page, read_page
from services.tools.base import PreviewRow

LOOKED_THROUGH = 100
FITTING_WORDS = 2
CHOSEN = gettext_noop("{place} (chosen by Homeroom, because no place was named)")
_EMPTY_WORDS = frozenset(
    {"a", "an", "and", "for", "in", "my", "of", "on", "the", "to", "note", "notes", "page", "plan", "study"}
)

ParentReference = Annotated[
    str,
    Field(
        max_length=500,
        description="Where it goes: the id of a page or database that notion_search gave, its address, or words of "
        "its title, like “Fall courses”. Leave empty when the student named no place: one that fits is chosen, and "
        "the card shows it.",
    ),
]


def place_for(notion: Notion, parent: str, title: str) -> Page:
    """The page or database that `parent` means; without one, the page that fits the title best.

    That is the shared page with most words of the title in its own (two at least, or all of its own), else the one
    that holds most other pages, the oldest of several: what counts does not change from the card to the approval.
    Raises `ItemNotFound`, `BadArguments`.
    """
    if parent:
        return find_page(notion, parent, field="parent", wanted="place")
    shared = [read_page(json) for json in notion.search("", most=LOOKED_THROUGH, kind="page")]
    holds = Counter(page.json["parent"].get("page_id") for page in shared)
    # A page of the same title may be the very one that an earlier try has made.
    places = [p for p in shared if not p.in_trash and not p.is_entry and p.title.casefold() != title.casefold()]
    if not places:
        raise ItemNotFound(LABEL, gettext("No page in Notion is shared with Homeroom yet."), next_step=gettext(SHARE))
    return max(places, key=lambda page: (_fits(page.title, title), holds[page.id], -page.made_at.timestamp(), page.id))


def page_for(notion: Notion, parent: str, title: str) -> Page:
    """As `place_for`, for what can stand only under a page."""
    place = place_for(notion, parent, title)
    if place.is_database:
        step = gettext("Name a page, or leave the place out.")
        raise RequestRefused(
            LABEL, gettext("This can only stand under a page, and that is a database."), next_step=step
        )
    return place


def where_row(place: Page, parent: str) -> PreviewRow:
    """The place as the card shows it."""
    title = place.title
    where = (
        gettext("in the database “{title}”", title=title)
        if place.is_database
        else gettext("under the page “{title}”", title=title)
    )
    return PreviewRow(label=gettext_noop("Where"), value=where if parent else gettext(CHOSEN, place=where))


def _fits(page_title: str, title: str) -> int:
    """How many telling words of the new title the page has in its own; 0 for too few."""
    own, wanted = _words(page_title), _words(title)
    shared = len(own & wanted)
    return shared if shared >= FITTING_WORDS or (own and own <= wanted) else 0


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+|\d+", text.casefold())) - _EMPTY_WORDS
