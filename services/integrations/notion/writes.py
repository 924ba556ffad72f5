"""Exactly-once writes: Notion has no idempotency keys, so after a lost answer the outcome is looked up."""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from services.errors import ServiceError, ServiceUnavailable
from services.i18n import gettext_noop
from services.integrations.kit.writes import earlier_plan, save_plan
from services.integrations.notion.client import NotionClient
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

log = logging.getLogger(__name__)

LOOKS = 3
TRIES_AFTER_CONFLICT = 2
# Notion cuts times to the minute, and its clock need not be ours.
CLOCK_SLACK = timedelta(minutes=2)
# How far a retry looks back when the time of the first try is not known.
LONGEST_AGO = timedelta(hours=24)
NEWEST = 25
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class Sibling:
    """Page or database beside the place of a new one, as a candidate for having been created by a lost request."""

    id: str
    title: str
    created_at: datetime
    created_by: str


@dataclass(frozen=True, kw_only=True)
class RewriteTarget:
    """Messages of a rewrite. changed: the text was changed by another. done: what may have happened."""

    changed: str
    done: str


PAGE = RewriteTarget(changed=gettext_noop("This page was changed"), done=gettext_noop("the page was changed"))
DOCUMENT = RewriteTarget(
    changed=gettext_noop("This document was changed"), done=gettext_noop("the document was changed")
)
ADDITION = RewriteTarget(changed=gettext_noop("This page was changed"), done=gettext_noop("the text was taken out"))


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """Rewrite of a page's text, sent once. before, wanted: the whole text, as it was read and as it is to be."""

    page_id: str
    before: str
    wanted: str
    target: RewriteTarget

    def send(self, notion: NotionClient, request: Callable[[], Json]) -> str:
        """Send the request once; the text after it.

        Raises `ChangedElsewhere` for a text that another changed first, `OutcomeUnknown` when it may have happened.
        """
        for attempt in range(TRIES_AFTER_CONFLICT):
            try:
                return str(request()["markdown"])
            except NotionUnanswered as silence:
                return self._look_up(notion, silence)
            except NotionConflict as conflict:
                now = str(notion.markdown(self.page_id)["markdown"])
                if now != self.before:
                    if normalised_lines(now) == normalised_lines(self.wanted):
                        return now
                    raise changed_error(self.target.changed) from None
                if not notion.deadline.pause(attempt):
                    raise conflict from None
        raise busy_error()

    def _look_up(self, notion: NotionClient, silence: NotionUnanswered) -> str:
        try:
            now = str(notion.markdown(self.page_id)["markdown"])
        except ServiceError:
            raise unknown_outcome_error(self.target.done) from silence
        if normalised_lines(now) != normalised_lines(self.wanted):
            raise unknown_outcome_error(self.target.done) from silence
        return now


def send_once(
    notion: NotionClient,
    create: Callable[[], Made],
    find_created: Callable[[], Made | None],
    *,
    done: str,
    after_conflict: Callable[[], Made | None] | None = None,
) -> Made:
    """Send the request once; what it created, or after a lost answer what `find_created` finds.

    done: what is unclear when that finds nothing, such as "the page was created"; `OutcomeUnknown` is raised then.
    after_conflict: called instead after a conflict, where nothing was written: it may raise to prevent another try.
    """
    for attempt in range(TRIES_AFTER_CONFLICT):
        try:
            return create()
        except NotionUnanswered as silence:
            return _look_up(notion, find_created, done, silence)
        except NotionConflict as conflict:
            found = (after_conflict or find_created)()
            if found is not None:
                return found
            if not notion.deadline.pause(attempt):
                raise conflict from None
    raise busy_error()


def restore_passage(
    notion: NotionClient, undo: Mapping[str, Any], former: str, target: RewriteTarget
) -> tuple[NotionPage, bool]:
    """Write `former` in the place of one passage; the page, and whether that was still to do.

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
        raise changed_error(target.changed)
    start, end = undo["start"], undo["start"] + undo["length"]
    piece = unique_range(now, start, end)
    old, new = now[piece], now[piece.start : start] + former + now[end : piece.stop]
    wanted = now[: piece.start] + new + now[piece.stop :]
    rewrite = Rewrite(page_id=page.id, before=now, wanted=wanted, target=target)
    rewrite.send(notion, lambda: notion.replace(page.id, old=old, new=new))
    return page, True


def operation_start(context: ToolExecutionContext) -> datetime:
    """Earliest time at which this operation may have created something."""
    return context.began_at or (context.now() - LONGEST_AGO if context.is_repeat else context.now())


def ids_there_before(context: ToolExecutionContext, find: Callable[[], Iterable[str]]) -> frozenset[str] | None:
    """Ids that `find` gave before the first try of this operation: none of them was created by it. None when it failed.

    Times to the minute cannot tell this write from another one just before it.
    """
    if context.is_repeat:
        there = (earlier_plan(context) or {}).get("there", ())
    else:
        try:
            there = list(find())
        except ServiceError as problem:
            log.warning("notion_look_before_failed kind=%s", type(problem).__name__)
            there = None
        save_plan(context, {"there": there})
    return None if there is None else frozenset(there)


def find_created_id(
    notion: NotionClient,
    siblings: Iterable[Sibling],
    title: str,
    since: datetime,
    *,
    there: Collection[str] | None,
    done: str,
    is_ours: Callable[[Sibling], bool] = lambda _: False,
) -> str | None:
    """Id of the sibling of this title that this connection's bot created since then, or None.

    there: ids of those that were there before; None when that is not known: none can be called ours then.
    done: what is unclear then, or when there are several; `OutcomeUnknown` is raised. is_ours: recognises ours among
    those of other bots.
    """
    new = [page for page in siblings if page.title == title and page.id not in (there or ())]
    found = [page for page in new if page.created_at >= since - CLOCK_SLACK]
    if found and there is None:
        raise unknown_outcome_error(done)
    bot = notion.me()["id"] if found else ""
    ours = [page.id for page in found if page.created_by == bot or is_ours(page)]
    if len(ours) > 1:
        raise unknown_outcome_error(done)
    return ours[0] if ours else None


def siblings_under(notion: NotionClient, place: NotionPage, kind: str = "child_page") -> list[Sibling]:
    """Pages right under a page; with `kind` "child_database" the databases."""
    return [_sibling(block, block[kind]["title"]) for block in notion.children(place.id) if block["type"] == kind]


def newest_siblings(notion: NotionClient, place: NotionPage) -> list[Sibling]:
    """Newest entries of a database."""
    return [_sibling(row, title_in(row)) for row in notion.rows(place.id, most=NEWEST)]


def _look_up(
    notion: NotionClient, find_created: Callable[[], Made | None], done: str, silence: NotionUnanswered
) -> Made:
    """Poll, because Notion may take a moment to show what it created."""
    try:
        for attempt in range(LOOKS):
            found = find_created()
            if found is not None:
                return found
            if not notion.deadline.pause(attempt):
                break
    except ServiceUnavailable:
        raise unknown_outcome_error(done) from silence
    raise unknown_outcome_error(done) from silence


def _sibling(json: Json, title: str) -> Sibling:
    created_at = datetime.fromisoformat(json["created_time"])
    return Sibling(id=json["id"], title=title, created_at=created_at, created_by=json["created_by"]["id"])
