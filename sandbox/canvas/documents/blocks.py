"""Parts of a document between its source and its layouts: leaves (pages or slides) of blocks of runs of text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Run:
    """Text of one look. shift: 1 above the line, -1 below it."""

    text: str
    is_bold: bool = False
    is_italic: bool = False
    is_code: bool = False
    shift: int = 0
    link: str = ""


Runs = Sequence[Run]


@dataclass(frozen=True, kw_only=True)
class Heading:
    level: int
    runs: Runs


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    runs: Runs


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A list; each item is blocks. start: the number of the first item, None for bullets."""

    items: Sequence[Sequence["Block"]]
    start: int | None = None


@dataclass(frozen=True, kw_only=True)
class CodeBlock:
    text: str


@dataclass(frozen=True, kw_only=True)
class Quotation:
    blocks: Sequence["Block"]


@dataclass(frozen=True, kw_only=True)
class Table:
    """rows: of cells, the first row being the head."""

    rows: Sequence[Sequence[Runs]]
    caption: Runs = ()


@dataclass(frozen=True, kw_only=True)
class Formula:
    """A formula on a line of its own. number: as in "(4.2)", printed at the margin."""

    runs: Runs
    number: str = ""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A drawing. facts: what the source's TOML says of it, but for kind and caption."""

    kind: str
    caption: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Invisible:
    """Text that a reader of the page does not see: white and very small."""

    text: str


Block = Heading | Paragraph | Listing | CodeBlock | Quotation | Table | Formula | Figure | Invisible


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """A slide, or what stands between two page breaks. right: a second column, if there is one."""

    blocks: Sequence[Block]
    right: Sequence[Block] = ()
    notes: str = ""
    is_hidden: bool = False
    is_small: bool = False

    @property
    def title(self) -> Heading | None:
        """Its first heading, when it begins with one."""
        first = self.blocks[0] if self.blocks else None
        return first if isinstance(first, Heading) else None

    @property
    def is_title_slide(self) -> bool:
        """Whether it is laid out as a title: one large heading and a few plain lines."""
        rest = self.blocks[1:]
        return (
            self.title is not None
            and self.title.level == 1
            and not self.right
            and len(rest) <= 4
            and all(isinstance(block, Paragraph | Invisible) for block in rest)
        )


def words(runs: Runs) -> str:
    """The text of runs without their looks."""
    return "".join(run.text for run in runs)
