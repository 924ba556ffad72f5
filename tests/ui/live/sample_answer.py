"""Answer with everything that an answer can hold, as the store has it and as the live route sends it."""

from collections.abc import Mapping
from typing import Any

from api.live.answer_diff import AnswerDiff
from services.conversations.items import AssistantText, Item, ToolLine, TurnView
from services.conversations.turn_records import TurnStatus
from services.llm.citations import Citation, Source

ADDRESS = "https://canvas.example.edu/courses/1"
CITED = f"{ADDRESS}/assignments/7"
"""Not linked in the text: a fact whose line leads to its source gets no mark."""
KNOWN = frozenset([ADDRESS, CITED])
TEXT = f"""Here is **what is due** this week, with `code`, ~~old~~ and *stress*, a [link]({ADDRESS}) and
a second line of the same paragraph, which is long enough to wrap on each of the two widths that are looked at.

## A heading
### A smaller heading

- one
- two
  - inside, with a text that is long enough to wrap on a phone, where there is not much room
  - inside as well
- three

1. first
2. second

   with a paragraph of its own

> Quoted words
> on two lines

```python
def double(number):
    return 2 * number  # a line that does not fit on a phone, and on no other page either: it scrolls inside its own box
```

| Course | Due | Points |
|---|:--:|--:|
| Biology | Monday | 10 |
| Chemistry with a long name | Tuesday | 20 |

- [x] done
- [ ] open

---

Inline $a^2+b^2=c^2$ and $$e=mc^2$$ in a line, and then

$$\\int_0^1 x\\,dx = \\tfrac12$$

שלום עולם, and back.

```mermaid
flowchart LR
A[Start] --> B[End]
```

The end.
"""
ANSWER: tuple[Item, ...] = (
    ToolLine(
        call_id="a",
        label="Looked up your assignments",
        name="",
        arguments={"course": "Biology", "days": 7},
        success=True,
        seconds=0.4,
        sources=(Source(title="Essay on cells", url=ADDRESS),),
        steps=("read the first page", "read the second page"),
    ),
    ToolLine(call_id="b", label="Read your calendar", name="", arguments={}, success=True, seconds=0.01),
    ToolLine(
        call_id="c",
        label="Searched in Notion",
        name="",
        arguments={"query": "cells"},
        success=False,
        seconds=1.2,
        sentence="Notion could not be reached.",
    ),
    AssistantText(text=TEXT, seq=3, citations=(Citation(at=30, source=Source(title="Essay on cells", url=CITED)),)),
)
SERVICE = "Canvas"
Event = tuple[str, Mapping[str, Any]]


def drawing() -> AnswerDiff:
    return AnswerDiff(addresses=lambda: KNOWN, own_origin="http://localhost", service=lambda _name: SERVICE)


def view(*items: Item, status: TurnStatus = TurnStatus.RUNNING) -> TurnView:
    return TurnView(turn_id="turn", status=status, items=list(items))


def events(*items: Item, piece: int = 0, renders_growing: bool = False) -> list[Event]:
    """Events of a turn with these items. piece: characters of a text that come at once; 0 for all of them."""
    drawn, sent = drawing(), list[Event]()
    for at, item in enumerate(items):
        if isinstance(item, AssistantText) and piece:
            for length in range(piece, len(item.text) + piece, piece):
                growing = view(*items[:at], AssistantText(text=item.text[:length]))
                sent += drawn.update(growing, renders_growing=renders_growing)
        sent += drawn.update(view(*items[: at + 1]), renders_growing=renders_growing)
    if sources := drawn.sources():
        sent.append(("step", sources))
    return [*sent, ("end", {"status": "done", "notice": None, "redraw_in_ms": 0})]
