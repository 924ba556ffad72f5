"""What may be attached, in numbers and in words: said before the upload, held after it."""

from services.i18n import formats, gettext, gettext_noop, ngettext

MEGABYTE = 1_000_000

MOST_FILES = 5
"""Files of one message."""
LARGEST_MB = 10
LARGEST_FILE = LARGEST_MB * MEGABYTE
LARGEST_MESSAGE = 20 * MEGABYTE
"""Bytes of all files of one message: as base64 they must fit into a request of 32 MB, with the rest of the talk.

Source: https://docs.claude.com/en/api/overview (request size limits)."""
MOST_PAGES = 60
"""Of a PDF. The API takes 100 of a model that reads 200,000 tokens, but full pages of text fill those sooner.

Source: https://docs.claude.com/en/docs/build-with-claude/pdf-support"""
LONGEST_TEXT = 300_000
"""Characters of a text, or of what stands in a Word document."""
MOST_TOKENS = 140_000
"""Estimated, of all files that one request holds: the newest ones; older ones are then only named."""
MOST_KEPT = 400 * MEGABYTE
"""Bytes of all files of one student."""

IMAGES = ("png", "jpg", "jpeg", "gif", "webp")
PROSE = ("txt", "md", "markdown", "csv", "tsv", "log", "tex", "bib", "srt", "ics")
CODE = (
    "py", "ipynb", "java", "c", "h", "cpp", "hpp", "cs", "js", "ts", "jsx", "tsx", "html", "css", "json", "xml",
    "yaml", "yml", "toml", "ini", "sql", "r", "rmd", "go", "rs", "rb", "php", "swift", "kt", "m", "jl", "hs", "sh",
)  # fmt: skip
TEXTS = (*PROSE, *CODE)
EXTENSIONS = ("pdf", *IMAGES, "docx", *TEXTS)

KINDS_IN_WORDS = gettext_noop("PDF, Word (.docx), images, text, spreadsheets as CSV, and code")


def said() -> str:
    """The limits in one sentence, for whoever is about to attach something."""
    return gettext(
        "You can attach {files} files of {megabytes} MB: PDF (up to {pages} pages), Word, images, text, CSV, code.",
        files=MOST_FILES,
        megabytes=LARGEST_MB,
        pages=MOST_PAGES,
    )


def in_words(size: int) -> str:
    """A number of bytes as people say it: "12 KB", "3.4 MB"."""
    if size < 1_000:
        return ngettext("{n} byte", "{n} bytes", size)
    if size < MEGABYTE:
        return f"{max(1, round(size / 1_000))} KB"
    return f"{formats.number(round(size / MEGABYTE, 1))} MB"
