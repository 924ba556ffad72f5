"""`Upload`: a file as it came from the student, not looked at yet; and `Readable`, what was found in it."""

from dataclasses import dataclass, field
from typing import Literal

from services.errors import BadArguments

Kind = Literal["pdf", "image", "text", "word"]


@dataclass(frozen=True, kw_only=True)
class Upload:
    """name: as the browser sent it, so of any shape."""

    name: str = field(repr=False)
    content: bytes = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Readable:
    """What the model reads of a file. content: the file itself for a PDF, else what was made of it.

    media_type: of `content`, one that the model takes. tokens: an estimate. pages: of a PDF, else 0.
    """

    kind: Kind
    content: bytes = field(repr=False)
    media_type: str
    tokens: int
    pages: int = 0


class FileRefused(BadArguments):
    """One file that cannot be attached; the sentence names no file, because names are the student's words."""

    def __init__(self, sentence: str, *, next_step: str) -> None:
        super().__init__(sentence, field="files", next_step=next_step)


class FilesRefused(BadArguments):
    """A message's files cannot be attached. refused: why, by the place of the file; empty when it is all together."""

    def __init__(self, sentence: str, *, next_step: str, refused: "dict[int, FileRefused] | None" = None) -> None:
        super().__init__(sentence, field="files", next_step=next_step)
        self.refused = refused or {}
