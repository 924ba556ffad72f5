"""`AnswerDiff`: what followers have of a turn so far, and the events that bring them from there to a view."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from api.live.blocks import begins_paragraph, blocks_of, finished_length, growing_html
from services.conversations.answer_rows import Tones
from services.conversations.citation_marks import CitationMarks
from services.conversations.items import ApprovalItem, AssistantText, Item, NoticeItem, ToolLine, TurnView
from services.conversations.step_text import MOST_STEPS, argument_lines, duration_text, service_beside, source_list
from services.conversations.turn_records import TurnStatus
from services.i18n import gettext
from services.safety.link_urls import linkable_urls
from services.safety.markdown.html import to_html
from services.safety.markdown.sanitiser import sanitise

Event = tuple[str, Mapping[str, Any]]

LONGEST_GROWING = 4_000
"""Characters of a block that are rendered anew as it grows; a longer one grows as plain text."""
RENDERED = "$\\[<&"
"""Signs of formulas, links and entities, which only the server renders; the browser lays out all else that grows."""
LOOK_AGAIN = 1.25
"""Times the length in which no finished block was found: then there may be one."""


@dataclass(kw_only=True)
class _Text:
    """Text item: its blocks, and the text that grows behind them. done: characters that the blocks hold.

    looked: characters of the growing text in which no finished block was found.
    """

    blocks: list[Mapping[str, Any]] = field(default_factory=list)
    done: int = 0
    looked: int = 0
    shown: str = ""
    html: str = ""


class AnswerDiff:
    """Diff of one turn for all of its followers. Not thread-safe."""

    def __init__(
        self,
        *,
        addresses: Callable[[], frozenset[str]],
        own_origin: str,
        service: Callable[[str], str],
        tones: Callable[[], Tones] = dict,
    ) -> None:
        """addresses: those that may be links, apart from the turn's own sources; called when a text may name one.

        service: label of the service that a tool of this name calls. tones: of the student's courses; called when a
        text may hold rows.
        """
        self._load_addresses, self._load_tones = addresses, tones
        self._own_origin = own_origin
        self._service = service
        self._known: frozenset[str] | None = None
        self._tones: Tones | None = None
        self._sources: frozenset[str] = frozenset()
        self._items: list[Item] = []
        self._texts: dict[int, _Text] = {}
        self._citations = CitationMarks()

    def items(self) -> list[Mapping[str, Any]]:
        """All items as JSON, as followers have drawn them."""
        return [self._json(n, item) for n, item in enumerate(self._items)]

    def update(self, view: TurnView, *, renders_growing: bool) -> list[Event]:
        """Events from what was drawn to this view. renders_growing: send HTML of text that grows, too, where it differs
        from what the browser makes of it.
        """
        events: list[Event] = []
        for n, item in enumerate(view.items):
            before = self._items[n] if n < len(self._items) else None
            if before is not None and _is_same(before, item):
                continue
            if isinstance(item, ToolLine) and item.sources:
                self._add_sources(item)
            is_last = n == len(view.items) - 1
            self._items[n:] = [item]
            if isinstance(item, AssistantText):
                is_growing = is_last and not item.seq and view.status is TurnStatus.RUNNING
                events += self._grow(n, item, renders=renders_growing) if is_growing else self._finish(n, item)
            else:
                events.append((_event_of(item), self._json(n, item)))
        return events

    def _grow(self, n: int, item: AssistantText, *, renders: bool) -> list[Event]:
        text = self._texts.setdefault(n, _Text())
        events: list[Event] = []
        added = item.text[text.done + len(text.shown) :]
        text.shown = item.text[text.done :]
        length = 0
        # A paragraph or list that never ends is not read again as a whole with each of its lines.
        if ("\n" in added or begins_paragraph(text.shown)) and len(text.shown) >= text.looked * LOOK_AGAIN:
            length = finished_length(text.shown)
            text.looked = 0 if length else len(text.shown)
        if length:
            blocks = blocks_of(text.shown[:length], self._addresses(text.shown), self._tones_of(text.shown))
            at = len(text.blocks)
            text.blocks += blocks
            text.done, text.shown = text.done + length, text.shown[length:]
            events.append(("block", {"n": n, "from": at, "blocks": blocks, "text": text.shown}))
            added = ""
        renders = renders and len(text.shown) <= LONGEST_GROWING and _needs_rendering(text.shown)
        text.html = growing_html(text.shown, self._addresses(text.shown), self._tones_of(text.shown)) if renders else ""
        if added or text.html:
            events.append(("text", {"n": n, "text": added, **({"html": text.html} if text.html else {})}))
        return events

    def _finish(self, n: int, item: AssistantText) -> list[Event]:
        """The last words at once, and then all blocks that differ from those that were drawn while it grew."""
        text = self._texts.setdefault(n, _Text())
        added = item.text[text.done + len(text.shown) :]
        events: list[Event] = [("text", {"n": n, "text": added})] if added else []
        marked = self._citations.mark_text(item)
        blocks = blocks_of(marked, self._addresses(marked) | self._citations.addresses, self._tones_of(marked))
        same = next((i for i, (a, b) in enumerate(zip(text.blocks, blocks, strict=False)) if a != b), None)
        at = min(len(text.blocks), len(blocks)) if same is None else same
        text.blocks, text.done, text.shown, text.html = blocks, len(item.text), "", ""
        return [*events, ("block", {"n": n, "from": at, "blocks": blocks[at:], "text": ""})]

    def sources(self) -> Mapping[str, Any] | None:
        """Sources that the answer cites, as they stand under it; None without any."""
        markdown, label = self._citations.sources_markdown()
        if not markdown:
            return None
        known = self._addresses(markdown) | self._citations.addresses
        html = "".join(to_html(sanitise(markdown, allowed=known)))
        return {"n": len(self._items), "kind": "sources", "label": label, "html": html}

    def _addresses(self, text: str) -> frozenset[str]:
        if not may_name_address(text):
            return self._sources
        if self._known is None:
            self._known = self._load_addresses()
        return self._known | self._sources

    def _tones_of(self, text: str) -> Tones:
        if "—" not in text or not may_name_address(text):
            return {}
        if self._tones is None:
            self._tones = self._load_tones()
        return self._tones

    def _add_sources(self, item: ToolLine) -> None:
        self._sources |= linkable_urls((), [source.url for source in item.sources], own_origin=self._own_origin)

    def _json(self, n: int, item: Item) -> Mapping[str, Any]:
        match item:
            case AssistantText():
                text = self._texts.get(n, _Text())
                html = {"html": text.html} if text.html else {}
                return {"n": n, "kind": "text", "blocks": text.blocks, "text": text.shown, **html}
            case ToolLine():
                return {"n": n, **self._step(item)}
            case ApprovalItem():
                return {"n": n, "kind": "card", "approval_id": item.approval_id}
            case NoticeItem():
                return {"n": n, **notice_json(item)}
        return {"n": n, "kind": "other"}

    def _step(self, item: ToolLine) -> Mapping[str, Any]:
        found = source_list(item.sources)
        return {
            "kind": "step",
            "call_id": item.call_id,
            "label": gettext(item.label),
            "service": service_beside(gettext(item.label), self._service(item.name)),
            "note": item.note,
            "state": _state_of(item),
            "seconds": duration_text(item.seconds),
            "sentence": gettext(item.sentence) if item.sentence else "",
            "asked": argument_lines(item.arguments),
            "did": list(item.steps[:MOST_STEPS]),
            "found": "".join(to_html(sanitise(found, allowed=self._addresses(found)))) if found else "",
        }


def _state_of(item: ToolLine) -> str:
    if item.success is None:
        return "running"
    return "done" if item.success else "asks" if item.asks_back else "failed"


def may_name_address(text: str) -> bool:
    return "://" in text or "www." in text or "@" in text


def _needs_rendering(text: str) -> bool:
    return may_name_address(text) or any(sign in text for sign in RENDERED)


def notice_json(item: NoticeItem) -> Mapping[str, Any]:
    return {
        "kind": "notice",
        "sentence": gettext(item.sentence),
        "next_step": gettext(item.next_step) if item.next_step else "",
        "action": item.action,
    }


def _is_same(before: Item, item: Item) -> bool:
    """Whether nothing is to be drawn anew; a text that is stored now is, once, with its citations."""
    return before is item or before == item


def _event_of(item: Item) -> str:
    return "card" if isinstance(item, ApprovalItem) else "step"
