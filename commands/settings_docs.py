"""Page of every setting, written from `.env.example`: `python -m commands.settings_docs`."""

import re
from collections.abc import Iterator

from services.settings import ROOT

EXAMPLE = ROOT / ".env.example"
PAGE = ROOT / "docs" / "settings.md"
_HEAD = """# Settings

Written by `make docs` from `.env.example`, the file to copy. Each may stand in the environment or in `.env`. A secret
may stand in a file of its own instead, as containers mount them: `NAME_FILE` names the file that holds `NAME`. A wrong
or missing value stops the start with its name and what to do.
"""
_SETTING = re.compile(r"^#? ?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=(.*)$")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(EXAMPLE.read_text(encoding="utf-8")), encoding="utf-8")


def page(example: str) -> str:
    """The page: a table for each part of the file, with the comment above each setting."""
    parts = [_HEAD]
    for heading, rows in _sections(example):
        lines = [f"| `{name}` | {f'`{value}`' if value else ''} | {told} |" for name, value, told in rows]
        parts.append(
            "\n".join([f"## {heading}", "", "| setting | example or default | what it is |", "|---|---|---|", *lines])
        )
    return "\n\n".join(part.strip() for part in parts) + "\n"


def names(example: str) -> list[str]:
    """Every setting of the file, in its order."""
    return [name for _, rows in _sections(example) for name, *_ in rows]


def _sections(example: str) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    for part in re.split(r"^# --- ", example, flags=re.MULTILINE)[1:]:
        first, _, body = part.partition("\n")
        heading, _, more = first.partition(": ")
        yield heading.removesuffix(" ---").rstrip("."), list(_rows(body, _plain([more.removesuffix("---")])))


def _rows(body: str, told: str) -> Iterator[tuple[str, str, str]]:
    """A setting without a comment of its own goes with the one above it."""
    comment: list[str] = []
    for line in body.splitlines():
        if found := _SETTING.match(line):
            told = _plain(comment) or "as above" if comment or told else ""
            yield found[1], found[2].strip(), told
            comment = []
        elif line.startswith("#"):
            comment.append(line[1:])


def _plain(comment: list[str]) -> str:
    """One line, with what Markdown would take for a cell's end or a tag written out."""
    text = " ".join(" ".join(comment).split())
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    main()
