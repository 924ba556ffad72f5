"""Making something in Notion once, although its answer may be lost: requests there carry no ids of ours (R34)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from services.errors import ServiceError, ServiceUnavailable
from services.i18n import gettext_noop
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import (
    NotionConflict,
    NotionUnanswered,
    busy_error,
    changed_error,
    not_shared_error,
    unknown_outcome_error,
)
from services.integrations.notion.markdown import normalised_lines, text_hash, unique_range
from services.integrations.notion.payloads import Json, NotionPage, read_page, title_in
from services.tools.context import ToolExecutionContext

LOOKS = 3
TRIES_AFTER_CONFLICT = 2
# Notion cuts times to the minute, and its clock need not be ours.
CLOCK_SLACK = timedelta(minutes=2)
# A repeat that does not know when its first try began looks back so far.
LONGEST_AGO = timedelta(hours=24)
NEWEST = 25
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class Sibling:
    """What stands beside something that was to be made."""

    id: str
    title: str
    made_at: datetime
    made_by: str


@dataclass(frozen=True, kw_only=True)
class RewriteTarget:
    """What is rewritten, in sentences for the catalogue. changed: somebody was faster. done: what may have happened."""

    changed: str
    done: str


PAGE = RewriteTarget(changed=gettext_noop("This page was changed"), done=gettext_noop("the page was changed"))
DOCUMENT = RewriteTarget(
    changed=gettext_noop("This document was changed"), done=gettext_noop("the document was changed")
)
ADDITION = RewriteTarget(changed=gettext_noop("This page was changed"), done=gettext_noop("the text was taken out"))


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """before, wanted: the page's whole text, as it was read and as it is to be."""

    page_id: str
    before: str
    wanted: str
    thing: RewriteTarget

    def send(self, notion: Notion, request: Callable[[], Json]) -> str:
        """Send the request once; the text after it.

        Raises `ChangedElsewhere` when somebody was faster, `OutcomeUnknown` when it may have happened (R34).
        """
        for attempt in range(TRIES_AFTER_CONFLICT):
            try:
                return str(request()["markdown"])
            except NotionUnanswered as silence:
                return self._look(notion, silence)
            except NotionConflict as conflict:
                if notion.markdown(self.page_id)["markdown"] != self.before:
                    raise changed_error(self.thing.changed) from None
                if not notion.deadline.pause(attempt):
                    raise conflict from None
        raise busy_error()

    def _look(self, notion: Notion, silence: NotionUnanswered) -> str:
        try:
            now = str(notion.markdown(self.page_id)["markdown"])
        except ServiceError:
            raise unknown_outcome_error(self.thing.done) from silence
        if normalised_lines(now) != normalised_lines(self.wanted):
            raise unknown_outcome_error(self.thing.done) from silence
        return now


def send_once(
    notion: Notion,
    make: Callable[[], Made],
    made_before: Callable[[], Made | None],
    *,
    done: str,
    refused: Callable[[], Made | None] | None = None,
) -> Made:
    """Send the request once and give what it made; without an answer, what `made_before` finds.

    done: what stays unclear otherwise, such as "the page was created". Raises `OutcomeUnknown` then.
    refused: asked instead after a conflict, where nothing was done: it may raise rather than have it tried again.
    """
    for attempt in range(TRIES_AFTER_CONFLICT):
        try:
            return make()
        except NotionUnanswered as silence:
            return _look_for(notion, made_before, done, silence)
        except NotionConflict as conflict:
            found = (refused or made_before)()
            if found is not None:
                return found
            if not notion.deadline.pause(attempt):
                raise conflict from None
    raise busy_error()


def restore_passage(
    notion: Notion, undo: Mapping[str, Any], former: str, thing: RewriteTarget
) -> tuple[NotionPage, bool]:
    """Write `former` where one passage was written, and give the page and whether that was still to do.

    undo: page_id, hashes of the whole text before and after, start and length of what was written.
    Raises `ChangedElsewhere` for a text that is neither, `OutcomeUnknown` as `Rewrite.send` does.
    """
    page = read_page(notion.page(undo["page_id"]))
    if page.in_trash:
        raise not_shared_error()
    now = str(notion.markdown(page.id)["markdown"])
    if text_hash(now) == undo["before"]:
        return page, False
    if text_hash(now) != undo["after"]:
        raise changed_error(thing.changed)
    start, end = undo["start"], undo["start"] + undo["length"]
    piece = unique_range(now, start, end)
    old, new = now[piece], now[piece.start : start] + former + now[end : piece.stop]
    wanted = now[: piece.start] + new + now[piece.stop :]
    rewrite = Rewrite(page_id=page.id, before=now, wanted=wanted, thing=thing)
    rewrite.send(notion, lambda: notion.replace(page.id, old=old, new=new))
    return page, True


def operation_start(context: ToolExecutionContext) -> datetime:
    """The moment from which on something may have been made by this operation."""
    return context.began_at or (context.now() - LONGEST_AGO if context.is_repeat else context.now())


def find_created(
    notion: Notion,
    beside: Iterable[Sibling],
    title: str,
    since: datetime,
    *,
    done: str,
    or_if: Callable[[Sibling], bool] = lambda _: False,
) -> str | None:
    """The id of the one of this title that this connection's bot made since then, or None.

    done: what stays unclear when there are several; `OutcomeUnknown` is raised then.
    or_if: tells ours where another bot made it.
    """
    found = [one for one in beside if one.title == title and one.made_at >= since - CLOCK_SLACK]
    bot = notion.me()["id"] if found else ""
    ours = [one.id for one in found if one.made_by == bot or or_if(one)]
    if len(ours) > 1:
        raise unknown_outcome_error(done)
    return ours[0] if ours else None


def siblings_under(notion: Notion, place: NotionPage, kind: str = "child_page") -> list[Sibling]:
    """The pages right under a page, or with `kind` "child_database" the databases."""
    return [_sibling(block, block[kind]["title"]) for block in notion.children(place.id) if block["type"] == kind]


def newest_siblings(notion: Notion, place: NotionPage) -> list[Sibling]:
    """The newest entries of a database."""
    return [_sibling(row, title_in(row)) for row in notion.rows(place.id, most=NEWEST)]


def _look_for(notion: Notion, made_before: Callable[[], Made | None], done: str, silence: NotionUnanswered) -> Made:
    """Notion may take a moment to show what it made."""
    try:
        for attempt in range(LOOKS):
            found = made_before()
            if found is not None:
                return found
            if not notion.deadline.pause(attempt):
                break
    except ServiceUnavailable:
        raise unknown_outcome_error(done) from silence
    raise unknown_outcome_error(done) from silence


def _sibling(json: Json, title: str) -> Sibling:
    made_at = datetime.fromisoformat(json["created_time"])
    return Sibling(id=json["id"], title=title, made_at=made_at, made_by=json["created_by"]["id"])
