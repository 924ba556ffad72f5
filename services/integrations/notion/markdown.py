"""Markdown of Notion's pages: comparison with the text that was sent, inserted ranges, and tags of nested pages."""

import hashlib
import html
import re
from dataclasses import dataclass

NESTED_TAG = re.compile(r"<(page|database|unknown)\b")
NESTED_PAGE = re.compile(
    r'^[ \t]*<(?P<kind>page|database)\b[^>\n]*?\burl="(?P<url>[^"\n]*)"[^>\n]*>(?P<title>[^\n]*?)</(?P=kind)>[ \t]*$',
    re.MULTILINE,
)
NOT_SHARED = re.compile(r"^[ \t]*<unknown\b[^>\n]*/?>[ \t]*$", re.MULTILINE)


def text_hash(markdown: str) -> str:
    return hashlib.sha256(markdown.encode()).hexdigest()


def normalised_lines(markdown: str) -> list[str]:
    """Lines of a page's own text in a form in which text sent and text read back are equal, without nested pages' tags.

    Notion changes empty lines, indents, bullets and escapes, and the places of the tags.
    """
    lines = (re.sub(r"\\(?=[^\w\s])", "", text).strip() for text in markdown.splitlines())
    own = (" ".join(text.split()) for text in lines if text and not NESTED_TAG.match(text))
    return [re.sub(r"^[*+] ", "- ", text) for text in own]


def ends_with(markdown: str, addition: str) -> bool:
    """Whether a page's own text ends with an addition."""
    whole, end = normalised_lines(markdown), normalised_lines(addition)
    return whole[len(whole) - len(end) :] == end


def inserted_range(before: str, after: str) -> slice | None:
    """Range of `after` that was inserted into `before`; None when more than one insertion makes the difference."""
    if len(after) <= len(before):
        return None
    start = next((i for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(before))
    rest = len(before) - start
    return slice(start, len(after) - rest) if after.endswith(before[start:]) else None


def unique_range(text: str, start: int, end: int) -> slice:
    """Range around text[start:end] whose text is unique: extended by whole lines in front until it is."""
    while text.count(text[start:end]) > 1 and start > 0:
        start = text.rfind("\n", 0, start - 1) + 1
    return slice(start, end) if text.count(text[start:end]) == 1 else slice(0, len(text))


@dataclass(frozen=True, kw_only=True)
class NestedPage:
    """Page or database inside a page. tag: its line in the page's Markdown."""

    kind: str
    title: str
    url: str
    tag: str = ""


def nested_pages(markdown: str) -> list[NestedPage]:
    """Pages and databases inside a page, in their order."""
    found = NESTED_PAGE.finditer(markdown)
    return [NestedPage(kind=m["kind"], title=m["title"], url=html.unescape(m["url"]), tag=m[0].strip()) for m in found]


def render_nested_pages(markdown: str) -> str:
    """Markdown with a line in words and a link for each nested page, instead of Notion's own tag."""
    return NOT_SHARED.sub("- (something inside that is not shared with Homeroom)", NESTED_PAGE.sub(_in_words, markdown))


def _in_words(found: re.Match[str]) -> str:
    title = re.sub(r"([\[\]\\])", r"\\\1", found["title"]) or "Untitled"
    return f"- [{title}]({html.unescape(found['url'])}) (a {found['kind']} inside this page)"


def without_nested_pages(markdown: str) -> str:
    """Markdown without the tags of nested pages."""
    return "\n".join(text for text in markdown.split("\n") if not NESTED_TAG.match(text.strip()))


def changed_range(before: str, after: str) -> tuple[int, int, int]:
    """Start of the difference of two texts, and its end in the first and in the second."""
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    most = shorter - start
    same = next((i for i in range(most) if before[-1 - i] != after[-1 - i]), most)
    return start, len(before) - same, len(after) - same
