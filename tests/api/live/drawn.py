"""What a page has drawn of an answer after some events, and whether all HTML in it is of the kinds that may be."""

from collections.abc import Iterable, Mapping
from html.parser import HTMLParser
from typing import Any

from tests.safety.hostile_markdown import ALLOWED

TAGS = {
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "hr", "br", "sup"),
    *("table", "thead", "tbody", "tr", "th", "td", "em", "strong", "s", "a", "span", "input", "section"),
}
ATTRIBUTES = {
    "a": {"href", "target", "rel"},
    "code": {"class"},
    "ol": {"start"},
    "td": {"align"},
    "th": {"align"},
    "span": {"class", "data-display"},
    "input": {"type", "disabled", "checked"},
}


class _Inspection(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in TAGS or not given.keys() <= ATTRIBUTES.get(tag, set()):
            self.found.append(f"<{tag} {given}>")
        if "href" in given and given["href"] not in ALLOWED:
            self.found.append(f"href {given['href']}")
        if tag == "span" and given.get("class") != "formula":
            self.found.append(f"class {given['class']}")

    def handle_comment(self, data: str) -> None:
        self.found.append(f"<!--{data}")

    def handle_decl(self, decl: str) -> None:
        self.found.append(f"<!{decl}")

    def unknown_decl(self, data: str) -> None:
        self.found.append(f"<![{data}")

    def handle_pi(self, data: str) -> None:
        self.found.append(f"<?{data}")


def forbidden(html: str) -> list[str]:
    """What must not be in it."""
    inspection = _Inspection()
    inspection.feed(html)
    inspection.close()
    return inspection.found


def html_of(events: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """All HTML that the events bring."""
    found = []
    for _, data in events:
        found += [block["html"] for block in data.get("blocks", ()) if block["kind"] == "html"]
        found.append(data.get("html", ""))
    return found
