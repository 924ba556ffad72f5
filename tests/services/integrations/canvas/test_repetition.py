"""Nothing stands twice in what the model reads: each title and each link once."""

import re
from collections import Counter
from typing import Any

import pytest

from tests.services.integrations.canvas.every_tool import CALLS

LINK = re.compile(r"\]\((\S+?)\)")
TITLED_LINE = re.compile(r"^- \*\*(?P<title>.+)\*\* — .*?(?:\(id: (?P<id>\S+)\))?$", re.MULTILINE)
QUOTED_LINE = re.compile(r"^>.*$", re.MULTILINE)


def repeated(output: str) -> list[str]:
    """Links that stand twice, and titles of listed items that stand in another line as well.

    Two items may be called the same, and a link in what an instructor wrote is theirs.
    """
    told = QUOTED_LINE.sub("", output)
    links = [link for link, times in Counter(LINK.findall(told)).items() if times > len(named_at(told, link))]
    listed = {(found["title"], found["id"]) for found in TITLED_LINE.finditer(told)}
    titles = Counter(title for title, _ in listed)
    containing = {title: sum(title in other for other, _ in listed) for title in titles}
    return links + [title for title in titles if len(title) > 6 and told.count(title) > containing[title]]


def named_at(told: str, link: str) -> set[str]:
    """Ids of the items that a link leads to: two reviews of one assignment have its page."""
    return {found["id"] for found in TITLED_LINE.finditer(told) if f"({link})" in found.group()} or {""}


@pytest.mark.parametrize(
    ("name", "arguments"), [pair for pair in CALLS if "study_plan" not in pair[0]], ids=lambda value: str(value)[:60]
)
def test_no_title_or_link_stands_twice(call: Any, name: str, arguments: dict[str, Any]) -> None:
    assert repeated(call(name, **arguments).output) == []


def test_what_stands_twice_is_found() -> None:
    line = "- **Essay 3: draft** — due — [open](https://c/1) (id: 1)"

    assert repeated(f"“Essay 3: draft” is due.\n{line}") == ["Essay 3: draft"]
    assert repeated(f"{line}\n- Group — [open](https://c/1)") == ["https://c/1"]
    assert repeated(f"{line}\n- **Essay 3: draft** — due — [open](https://c/2) (id: 2)") == []
