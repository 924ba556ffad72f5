"""One rewrite of a page's text in Notion: sent once, and when its answer is lost, looked for."""

from collections.abc import Callable
from dataclasses import dataclass

from services.errors import ServiceError
from services.integrations.notion.client import Notion
from services.integrations.notion.markdown import own_lines
from services.integrations.notion.once import TRIES_AFTER_CONFLICT
from services.integrations.notion.pages import Json
from services.integrations.notion.problems import Conflict, Unanswered, busy, changed, unknown
from services.language import to_say

# What `changed` and `unknown` say of each kind of thing.
THINGS = (to_say("the page was changed"), to_say("the document was changed"), to_say("This document was changed"))


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """before, wanted: the page's whole text, as it was read and as it is to be. thing: what the student calls it."""

    page_id: str
    before: str
    wanted: str
    thing: str

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
                    raise changed(f"This {self.thing} was changed") from None
                if not notion.deadline.pause(attempt):
                    raise conflict from None
        raise busy()

    def _look(self, notion: Notion, silence: Unanswered) -> str:
        try:
            now = str(notion.markdown(self.page_id)["markdown"])
        except ServiceError:
            raise unknown(f"the {self.thing} was changed") from silence
        if own_lines(now) != own_lines(self.wanted):
            raise unknown(f"the {self.thing} was changed") from silence
        return now
