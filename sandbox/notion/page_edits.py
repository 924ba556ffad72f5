"""Changing a page's content as Markdown: insert, replace, search and replace, and what that does to child pages."""

import re
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sandbox.campus import Campus
from sandbox.notion.bodies import Body
from sandbox.notion.errors import invalid
from sandbox.notion.markdown import normalized
from sandbox.notion.shapes import page_url
from sandbox.notion.workspace import DATABASES, Record, Workspace

CHILD = re.compile(r"(?:(?<![ \t])[ \t]++)?<(?:page|database|unknown)\b[^\n<]*?url=\"(?P<url>[^\"]*)\"[^\n]*(?:\n|$)")


class Place(Body):
    """Start or end of the page."""

    type: Literal["start", "end"]


class Insertion(Body):
    """insert_content"""

    content: str
    after: str | None = None
    position: Place | None = None


class Range(Body):
    """replace_content_range"""

    content: str
    content_range: str
    allow_deleting_content: bool = False


class Swap(Body):
    """One search and replace."""

    old_str: str
    new_str: str
    replace_all_matches: bool = False


class Swaps(Body):
    """update_content"""

    content_updates: Annotated[list[Swap], Field(max_length=100)]
    allow_deleting_content: bool = False


class Replacement(Body):
    """replace_content"""

    new_str: str
    allow_deleting_content: bool = False


class MarkdownChange(Body):
    """PATCH /v1/pages/{id}/markdown (https://developers.notion.com/reference/update-page-markdown)"""

    type: Literal["insert_content", "replace_content_range", "update_content", "replace_content"]
    insert_content: Insertion | None = None
    replace_content_range: Range | None = None
    update_content: Swaps | None = None
    replace_content: Replacement | None = None
    allow_async: bool = False

    @model_validator(mode="after")
    def _says_what_it_does(self) -> "MarkdownChange":
        given = self.model_fields_set - {"type", "allow_async"}
        if given != {self.type}:
            raise ValueError(f"should have {self.type} and no other command")
        return self

    @property
    def may_delete(self) -> bool:
        """Whether the change may trash child pages and databases."""
        return getattr(getattr(self, self.type), "allow_deleting_content", False)

    def applied(self, text: str) -> str:
        """The page's text after the change; raises Refused (400) when what it looks for is not there."""
        if self.insert_content is not None:
            return _inserted(self.insert_content, text)
        if self.replace_content_range is not None:
            start, end = _found(self.replace_content_range.content_range, text)
            return text[:start] + self.replace_content_range.content + text[end:]
        if self.update_content is not None:
            for swap in self.update_content.content_updates:
                text = _swapped(swap, text)
            return text
        assert self.replace_content is not None
        return self.replace_content.new_str


def page_text(campus: Campus, workspace: Workspace, page: Record) -> tuple[str, list[str]]:
    """What the API gives as the page's Markdown, children as tags at its end, and the ids of those it may not show."""
    lines, unknown = ([page["markdown"]] if page["markdown"] else []), []
    for kind, child in workspace.children(page["id"]):
        url = page_url(campus, child)
        if not workspace.sees(child):
            unknown.append(child["id"])
            lines.append(f'<unknown url="{campus.origin}/notion/{child["id"].replace("-", "")}" alt="{kind}"/>')
        elif kind == "page":
            lines.append(f'<page url="{url}">{child["title"]}</page>')
        else:
            source = f"collection://{child['source']}"
            lines.append(f'<database url="{url}" inline="false" data-source-url="{source}">{child["title"]}</database>')
    return "\n".join(lines), unknown


def change_content(campus: Campus, workspace: Workspace, page: Record, text: str, *, may_delete: bool) -> Record:
    """Keep `text` as the page's content; a child whose tag is gone goes to the trash, which must be allowed (400)."""
    kept = {found["url"].replace("-", "")[-32:] for found in CHILD.finditer(text)}
    lost = [(kind, child) for kind, child in workspace.children(page["id"]) if child["id"].replace("-", "") not in kept]
    if lost and not may_delete:
        names = ", ".join(f'<{kind} url="{page_url(campus, child)}">' for kind, child in lost)
        raise invalid(
            f"This operation would delete {len(lost)} child pages or databases: {names}. Keep their tags in the new "
            "content, or set allow_deleting_content to true."
        )
    for kind, child in lost:
        if kind == "page":
            workspace.save({**child, "in_trash": True})
        else:
            campus.state.put(DATABASES, child["id"], {**child, "in_trash": True})
    return workspace.save({**page, "markdown": normalized(CHILD.sub("", text))})


def _inserted(wish: Insertion, text: str) -> str:
    if wish.after is not None:
        if wish.position is not None:
            raise invalid("body failed validation: body.insert_content.position should be not present with after.")
        _, end = _found(wish.after, text)
        return f"{text[:end]}\n{wish.content}\n{text[end:]}"
    is_first = wish.position is not None and wish.position.type == "start"
    return f"{wish.content}\n{text}" if is_first else f"{text}\n{wish.content}"


def _found(selection: str, text: str) -> tuple[int, int]:
    """Where an ellipsis selection ("start text...end text") lies; raises Refused (400)."""
    head, dots, tail = selection.partition("...")
    start = text.find(head) if head else -1
    end = text.find(tail, start + len(head)) if dots and tail else start + len(head)
    if start < 0 or end < 0:
        raise invalid(f"Could not find the selection in the page: {selection[:80]}")
    return start, end + (len(tail) if dots else 0)


def _swapped(swap: Swap, text: str) -> str:
    count = text.count(swap.old_str) if swap.old_str else 0
    if count == 0:
        raise invalid(f"Could not find old_str in the page: {swap.old_str[:80]}")
    if count > 1 and not swap.replace_all_matches:
        raise invalid(f"old_str matches {count} places; make it unique or set replace_all_matches: {swap.old_str[:80]}")
    return text.replace(swap.old_str, swap.new_str)


def markdown_shape(page: Record, text: str, unknown: list[str]) -> dict[str, Any]:
    """A page_markdown object."""
    return {
        "object": "page_markdown",
        "id": page["id"],
        "markdown": text,
        "truncated": bool(unknown),
        "unknown_block_ids": unknown,
    }
