"""What stands twice in a tool's output, which the model pays for and has to compare."""

import re
from collections import Counter

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
