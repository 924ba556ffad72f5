"""One rewrite of a page's text in Notion: sent once, and when its answer is lost, looked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from services.errors import ServiceError
from services.i18n import gettext_noop
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import Conflict, Unanswered, busy, changed, not_shared, unknown
from services.integrations.notion.markdown import hash_of, own_lines, unique_piece
from services.integrations.notion.payloads import Json, Page, read_page
from services.integrations.notion.writes import TRIES_AFTER_CONFLICT


@dataclass(frozen=True, kw_only=True)
class Thing:
    """What is rewritten, in sentences for the catalogue. changed: somebody was faster. done: what may have happened."""

    changed: str
    done: str


PAGE = Thing(changed=gettext_noop("This page was changed"), done=gettext_noop("the page was changed"))
DOCUMENT = Thing(changed=gettext_noop("This document was changed"), done=gettext_noop("the document was changed"))
ADDITION = Thing(changed=gettext_noop("This page was changed"), done=gettext_noop("the text was taken out"))


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """before, wanted: the page's whole text, as it was read and as it is to be."""

    page_id: str
    before: str
    wanted: str
    thing: Thing

    def send(self, notion: Notion, request: Callable[[], Json]) -> str:
        """Send the request once; the text after it.

        Raises `ChangedElsewhere` when somebody was faster, `OutcomeUnknown` when it may have happened (R34).
        """
        for attempt in range(TRIES_AFTER_CONFLICT):
            try:
                return str(request()["markdown"])
            except Unanswered as silence:
                return self._look(notion, silence)
            except Conflict as conflict:
                if notion.markdown(self.page_id)["markdown"] != self.before:
                    raise changed(self.thing.changed) from None
                if not notion.deadline.pause(attempt):
                    raise conflict from None
        raise busy()

    def _look(self, notion: Notion, silence: Unanswered) -> str:
        try:
            now = str(notion.markdown(self.page_id)["markdown"])
        except ServiceError:
            raise unknown(self.thing.done) from silence
        if own_lines(now) != own_lines(self.wanted):
            raise unknown(self.thing.done) from silence
        return now


def put_back(notion: Notion, undo: Mapping[str, Any], former: str, thing: Thing) -> tuple[Page, bool]:
    """Write `former` where one passage was written, and give the page and whether that was still to do.

    undo: page_id, hashes of the whole text before and after, start and length of what was written.
    Raises `ChangedElsewhere` for a text that is neither, `OutcomeUnknown` as `Rewrite.send` does.
    """
    page = read_page(notion.page(undo["page_id"]))
    if page.in_trash:
        raise not_shared()
    now = str(notion.markdown(page.id)["markdown"])
    if hash_of(now) == undo["before"]:
        return page, False
    if hash_of(now) != undo["after"]:
        raise changed(thing.changed)
    start, end = undo["start"], undo["start"] + undo["length"]
    piece = unique_piece(now, start, end)
    old, new = now[piece], now[piece.start : start] + former + now[end : piece.stop]
    wanted = now[: piece.start] + new + now[piece.stop :]
    rewrite = Rewrite(page_id=page.id, before=now, wanted=wanted, thing=thing)
    rewrite.send(notion, lambda: notion.replace(page.id, old=old, new=new))
    return page, True
