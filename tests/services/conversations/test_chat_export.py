"""A chat that is taken along loads nothing and links nowhere new, whatever program shows the file (T01)."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from services.approvals.approval import Approval, ApprovalStatus
from services.conversations.chat_export import conversation_to_markdown
from services.conversations.conversation import ConversationSummary
from services.conversations.items import ApprovalItem, AssistantText, Item, NoticeItem, ToolLine, UserMessage
from services.llm.citations import Source
from services.runtime.clock import utc_now
from services.tools.result import PreviewRow
from tests.safety.hostile_markdown import attacks
from tests.telling import telling

KNOWN = "https://campus.example/a?b=1"
READERS = [MarkdownIt("commonmark"), MarkdownIt("gfm-like", {"linkify": False, "html": True})]


def written(*items: Item, title: str = "Chat", **approval: Any) -> str:
    now = utc_now()
    whole = {"title": "Add", "rows": (), "outcome": "", **approval}
    approvals = Approval(
        id="a", conversation_id="c", turn_id="t", call_id="1", tool="x", integration=None, arguments={}, digest="",
        status=ApprovalStatus.DONE, created_at=now, expires_at=now + timedelta(minutes=1), **whole,
    )  # fmt: skip
    chat = ConversationSummary(id="c" * 8, title=title, updated_at="2026-11-21T15:00:00.000000+00:00")
    return conversation_to_markdown(
        chat, list(items), {"a": approvals}, "America/Chicago", own_origin="https://homeroom.example"
    )


def everywhere(words: str) -> str:
    """A chat that has these words wherever somebody else than the student can have put them."""
    found = [Source(title=words, url=f"https://campus.example/{path}") for path in ("b", f"c {words}")]
    looked = ToolLine(
        call_id="1", label=words, name="x", arguments={}, success=False, sentence=words, sources=tuple(found)
    )
    rows = (PreviewRow(label=words, value=words),)
    items = (AssistantText(text=words), looked, ApprovalItem(approval_id="a"), NoticeItem(sentence=words))
    return written(*items, title=words, rows=rows, outcome=words)


def reached(text: str) -> list[str]:
    """What a reader would load or link to, and what it would take for HTML."""
    tokens = [token for reader in READERS for block in reader.parse(text) for token in (block, *(block.children or ()))]
    return [found for token in tokens if (found := _reached(token)) is not None]


def _reached(token: Token) -> str | None:
    if token.type in ("html_inline", "html_block"):
        return token.content
    address = token.attrs.get("src") or token.attrs.get("href")
    # A reader without footnotes takes one for a link beside the file itself, which is nowhere.
    return str(address) if address is not None and any(urlsplit(str(address))[:2]) else None


@pytest.mark.parametrize("name", telling(attacks(), lambda name: name.endswith(("0", "5"))))
def test_nothing_that_others_wrote_reaches_out(name: str) -> None:
    known = ("https://campus.example", "mailto:okafor@campus.example")

    assert [found for found in reached(everywhere(attacks()[name])) if not found.startswith(known)] == []


def test_what_is_known_is_a_link_still_and_the_student_is_quoted_as_they_wrote() -> None:
    text = written(UserMessage(seq=1, text=f"*Read* {KNOWN}"), AssistantText(text=f"**Here**: [it]({KNOWN}) and $x^2$"))

    assert f"## You\n\n*Read* {KNOWN}" in text
    assert "**Here**" in text
    assert KNOWN in reached(text)
