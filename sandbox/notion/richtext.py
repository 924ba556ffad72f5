"""Runs of rich text and the inline Markdown that Notion writes for them."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sandbox.notion.bodies import RichText

PLAIN = {"bold": False, "italic": False, "strikethrough": False, "underline": False, "code": False, "color": "default"}
INLINE = re.compile(
    r"\\(?P<escaped>[\\*~`$\[\]<>{}|^])"
    r"|`(?P<code>[^`]+)`"
    r"|\*\*(?P<bold>.+?)\*\*"
    r"|~~(?P<strikethrough>.+?)~~"
    r"|(?<![\w*])\*(?P<italic>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])"
    r"|(?<!!)\[(?P<label>(?:[^\[\]]|(?<=\\)\[)*)\]\((?P<url>[^)\s]+)\)"
)
SPECIAL = re.compile(r"([\\*~`$\[\]<>{}|^])")
MARKS = (("bold", "**"), ("italic", "*"), ("strikethrough", "~~"))


def runs_of(markdown: str) -> list[dict[str, Any]]:
    """The rich text of a line of inline Markdown."""
    return list(_runs(markdown.replace("<br>", "\n"), PLAIN, None))


def plain_runs(text: str) -> list[dict[str, Any]]:
    """Text that is no Markdown, as rich text."""
    return [_run(text, PLAIN, None)] if text else []


def markdown_of(runs: Iterable[RichText]) -> str:
    """Inline Markdown for the rich text of a request."""
    return "".join(_marked(run) for run in runs)


def words_of(runs: Iterable[RichText]) -> str:
    """The bare words of the rich text of a request."""
    return "".join(run.text.content if run.text else run.equation.expression if run.equation else "" for run in runs)


def _runs(markdown: str, style: dict[str, Any], url: str | None) -> Iterator[dict[str, Any]]:
    end, plain = 0, ""
    for found in INLINE.finditer(markdown):
        plain += markdown[end : found.start()]
        end = found.end()
        if found["escaped"]:
            plain += found["escaped"]
            continue
        if plain:
            yield _run(plain, style, url)
            plain = ""
        yield from _styled(found, style, url)
    plain += markdown[end:]
    if plain:
        yield _run(plain, style, url)


def _styled(found: re.Match[str], style: dict[str, Any], url: str | None) -> Iterator[dict[str, Any]]:
    if found["code"]:
        yield _run(found["code"], style | {"code": True}, url)
    elif found["url"]:
        yield from _runs(found["label"], style, found["url"])
    else:
        mark = next(name for name, _ in MARKS if found[name])
        yield from _runs(found[mark], style | {mark: True}, url)


def _run(text: str, style: dict[str, Any], url: str | None) -> dict[str, Any]:
    link = {"url": url} if url else None
    return {
        "type": "text",
        "text": {"content": text, "link": link},
        "annotations": style,
        "plain_text": text,
        "href": url,
    }


def _marked(run: RichText) -> str:
    if run.equation is not None:
        return f"${run.equation.expression}$"
    assert run.text is not None
    words = run.text.content.replace("\n", "<br>")
    escaped = SPECIAL.sub(r"\\\1", words).replace(r"\<br\>", "<br>")
    words = f"`{words}`" if run.annotations.code else escaped
    for name, mark in MARKS:
        if getattr(run.annotations, name):
            words = f"{mark}{words}{mark}"
    return f"[{words}]({run.text.link.url})" if run.text.link else words
