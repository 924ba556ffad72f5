"""`Upload`: a file as the browser sent it, its limits and its clean name; `Readable`: what the model gets of it."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from services.errors import BadArguments, HomeroomError
from services.files.limits import LARGEST_MB, MEGABYTE, MOST_FILES, MOST_PAGES
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.safety.text import plain

Kind = Literal["pdf", "image", "text", "word", "slides"]
LONGEST_NAME = 100
NAMELESS = "file"
_PATHS = re.compile(r"[/\\]")
_UNFIT = re.compile(r"[\x00-\x1f<>:\"|?*`\[\]{}\u200e\u200f\u061c]")
IMAGES = ("png", "jpg", "jpeg", "gif", "webp")
PROSE = ("txt", "md", "markdown", "csv", "tsv", "log", "tex", "bib", "srt", "ics")
CODE = (
    "py", "ipynb", "java", "c", "h", "cpp", "hpp", "cs", "js", "ts", "jsx", "tsx", "html", "css", "json", "xml",
    "yaml", "yml", "toml", "ini", "sql", "r", "rmd", "go", "rs", "rb", "php", "swift", "kt", "m", "jl", "hs", "sh",
)  # fmt: skip
TEXTS = (*PROSE, *CODE)
DOCUMENTS = ("odt", "rtf", "xlsx", "ods", "epub")
"""Files of other programs that are read as text."""
EXTENSIONS = ("pdf", *IMAGES, "docx", "pptx", *DOCUMENTS, *TEXTS)
KINDS_IN_WORDS = gettext_noop(
    "PDF, Word (.docx), slides (.pptx), spreadsheets (.xlsx, .ods), .odt, .rtf, .epub, images, text, notebooks and code"
)

OLDER = {
    "doc": gettext_noop("Save it as .docx or PDF, and attach that."),
    "docm": gettext_noop("Save it as a plain .docx, and attach that."),
    "xls": gettext_noop("Save the sheet as CSV, and attach that."),
    "ppt": gettext_noop("Save the slides as .pptx or PDF, and attach that."),
    "key": gettext_noop("Save the slides as PDF, and attach that."),
    "pages": gettext_noop("Save it as .docx or PDF, and attach that."),
    "odp": gettext_noop("Save the slides as .pptx or PDF, and attach that."),
    "heic": gettext_noop("Save it as JPEG, and attach that."),
}


@dataclass(frozen=True, kw_only=True)
class Upload:
    """Unchecked file. name: as the browser sent it, of any shape."""

    name: str = field(repr=False)
    content: bytes = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Readable:
    """File in the form that the model gets. content: the file itself for a PDF, else what was made of it.

    media_type: of `content`, one that the model takes. tokens: an estimate. pages: of a PDF, else 0.
    """

    kind: Kind
    content: bytes = field(repr=False)
    media_type: str
    tokens: int
    pages: int = 0


OPEN_ORIGINAL = gettext_noop("Open the original instead.")
"""What to do about a file of a course that cannot be read here."""


class FileRefused(BadArguments):
    """One file that cannot be attached; the sentence names no file, because names are the student's words."""

    def __init__(self, sentence: str, *, next_step: str) -> None:
        super().__init__(sentence, field="files", next_step=next_step)


class FilesRefused(BadArguments):
    """A message's files cannot be attached. refused: why, by the place of the file; empty when it is all together."""

    def __init__(self, sentence: str, *, next_step: str, refused: "dict[int, FileRefused] | None" = None) -> None:
        super().__init__(sentence, field="files", next_step=next_step)
        self.refused = refused or {}


def clean_name(name: str) -> str:
    """The last part of a path, without what is invisible, turns text around or means something elsewhere.

    At most `LONGEST_NAME` characters; the extension stays.
    """
    last = _PATHS.split(plain(unicodedata.normalize("NFC", name)))[-1]
    line = " ".join(_UNFIT.sub("", last).split()).lstrip(". ").rstrip(". ")
    if len(line) > LONGEST_NAME:
        stem, dot, ending = line.rpartition(".")
        tail = f"…{dot}{ending}" if stem and len(ending) <= 10 else "…"
        line = line[: LONGEST_NAME - len(tail)].rstrip() + tail
    return line or NAMELESS


def extension(name: str) -> str:
    """File extension in lower case, without the dot; "" for none."""
    stem, dot, ending = clean_name(name).rpartition(".")
    return ending.lower() if dot and stem else ""


def step_instead_of(ending: str) -> str:
    """What to do about a file that cannot be read for its extension."""
    return gettext(OLDER[ending]) if ending in OLDER else gettext("These can: {kinds}.", kinds=gettext(KINDS_IN_WORDS))


def describe_limits() -> str:
    """The limits in one sentence, for whoever is about to attach something."""
    return gettext(
        "You can attach {files} files of {megabytes} MB: PDF (up to {pages} pages), Word, slides, spreadsheets, "
        "e-books, images, text, code.",
        files=MOST_FILES,
        megabytes=LARGEST_MB,
        pages=MOST_PAGES,
    )


def format_size(size: int) -> str:
    """A number of bytes as people say it: "12 KB", "3.4 MB"."""
    if size < 1_000:
        return ngettext("{n} byte", "{n} bytes", size)
    if size < MEGABYTE:
        return f"{max(1, round(size / 1_000))} KB"
    return f"{formats.number(round(size / MEGABYTE, 1))} MB"


def error_for_student(error: HomeroomError, uploads: Sequence[Upload]) -> HomeroomError:
    """The error with file names, which the student may read: these are their own files."""
    if not isinstance(error, FilesRefused) or not error.refused:
        return error
    lines = [f"{clean_name(uploads[at].name)}: {why} {why.next_step}" for at, why in error.refused.items()]
    return BadArguments("\n".join(lines), next_step="")
