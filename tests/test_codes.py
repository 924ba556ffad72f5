"""Every code of a threat or a fault that this repository cites stands in its pages, with a place that is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"T": ROOT / "docs" / "threats.md", "R": ROOT / "docs" / "faults.md"}
FOLDERS = ("api", "bench", "docs", "pages", "prompts", "sandbox", "services", "tests", "ui")
CITED = re.compile(r"(?<![\w\"'`/])([TR]\d\d)(?:[–-]([TR]\d\d))?\b(?!:)")
ROW = re.compile(r"^\| ([TR]\d\d) \|.*\| (.+) \|$", re.MULTILINE)


def _cited(text: str) -> set[str]:
    found = set()
    for first, last in CITED.findall(text):
        until = int((last or first)[1:])
        found |= {f"{first[0]}{number:02}" for number in range(int(first[1:]), until + 1)}
    return found


def test_every_code_that_is_cited_is_told_and_every_one_that_is_told_is_cited() -> None:
    files = [file for folder in FOLDERS for end in ("py", "md", "txt") for file in (ROOT / folder).rglob(f"*.{end}")]
    read = [file for file in files if "__pycache__" not in file.parts and file not in PAGES.values()]
    cited = set().union(*(_cited(file.read_text(encoding="utf-8")) for file in read))
    told = {code for page in PAGES.values() for code, _ in ROW.findall(page.read_text(encoding="utf-8"))}

    assert len(read) > 500
    assert sorted(told) == sorted(cited)


def test_every_place_that_the_pages_name_is_there() -> None:
    named = [re.findall(r"`([^`]+)`", places) for page in PAGES.values() for _, places in ROW.findall(page.read_text())]

    assert all(named)
    assert [place for places in named for place in places if not (ROOT / place).exists()] == []
