"""A draft is a link that any mail program reads back to the letter, to addresses that somebody named."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments, RequestRefused
from services.integrations.mail import LONGEST_LINK, mail_draft, mail_link
from services.safety.link_urls import canonical_url
from services.safety.seen_addresses import SeenAddresses
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Effect
from tests.tool_calls import MAYA, container_of

ANNE = "anne.okafor@campus.example"
TEXT = "Dear Dr. Okafor,\n\nI am ill & can't come: 100 % fever + café?\n\nBest,\nMaya"


def context(*words: str, asked_by: str = "") -> ToolExecutionContext:
    """In a chat in which the student wrote these words."""
    known = SeenAddresses(own_origin="https://homeroom.example")
    for text in words:
        known.add_student_text(text)
    seen_addresses = None if asked_by else lambda: known
    return ToolExecutionContext(
        student=MAYA, container=container_of(), seen_addresses=seen_addresses, asked_by=asked_by
    )


def draft(where: ToolExecutionContext, **arguments: Any) -> ToolResult:
    return mail_draft.function(where, **mail_draft.validate(arguments))


def read(url: str) -> dict[str, str]:
    """What a mail program makes of the link (RFC 6068, section 2)."""
    parts = urlsplit(url)
    fields = {name: values[0] for name, values in parse_qs(parts.query, strict_parsing=True).items()}
    return {"to": unquote(parts.path), **fields}


def test_nothing_is_sent_and_nothing_waits() -> None:
    assert mail_draft.effect is Effect.READ
    assert mail_draft.integration is None
    assert mail_draft.category == "mail"


def test_the_link_reads_back_to_the_letter() -> None:
    result = draft(context(f"Write to {ANNE}"), to=[ANNE], subject="Ill on Monday & Tuesday?", body=TEXT)

    (source,) = result.sources
    assert read(source.url) == {
        "to": ANNE,
        "subject": "Ill on Monday & Tuesday?",
        "body": TEXT.replace("\n", "\r\n"),
    }
    assert result.output.startswith(f"A draft “Ill on Monday & Tuesday?” to {ANNE} is ready; nothing is sent.")
    assert result.data["is_whole"]


def test_the_pages_take_it_for_a_link() -> None:
    url = draft(context(f"{ANNE}, b@c.example"), to=[ANNE], cc=["b@c.example"], subject="s", body=TEXT).sources[0].url

    assert canonical_url(url) == url
    assert canonical_url(draft(context(), subject="s", body="t").sources[0].url)


@given(
    st.lists(st.from_regex(r"[a-z0-9.+_-]{1,20}@[a-z0-9-]{1,20}\.example", fullmatch=True), max_size=3, unique=True),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=80),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=300),
)
def test_whatever_is_written_comes_back_and_adds_no_field(to: Sequence[str], subject: str, body: str) -> None:
    link = mail_link(to=to, cc=(), subject=subject, body=body)

    found = read(link.url)
    assert set(found) <= {"to", "subject", "body"}
    assert found["to"] == ",".join(to)
    assert found["subject"] == subject
    assert len(link.url) <= LONGEST_LINK
    assert not link.is_whole or found.get("body", "").split("\r\n") == (body.splitlines() or [""])


def test_a_text_that_is_too_long_for_a_link_is_copied_by_hand() -> None:
    result = draft(context(ANNE), to=[ANNE], subject="Essay", body="word " * 900)

    assert "body" not in read(result.sources[0].url)
    assert "Note: the text is too long for the button" in result.output
    assert not result.data["is_whole"]


def test_an_address_must_come_from_the_student_or_a_result() -> None:
    with pytest.raises(RequestRefused, match="Only addresses that the student wrote") as caught:
        draft(context("Write to my professor"), to=["thief@evil.example"], subject="s", body="b")
    with pytest.raises(RequestRefused):
        draft(context(ANNE), to=[ANNE], cc=["thief@evil.example"], subject="s", body="b")

    assert "filled in later" in caught.value.next_step


def test_an_address_that_a_result_brought_counts_and_one_that_it_only_repeats_does_not() -> None:
    where = context("Who teaches biology?")
    assert where.seen_addresses is not None
    where.seen_addresses().add_tool_result(f"Anne Okafor ({ANNE.upper()})", arguments=["biology"])
    where.seen_addresses().add_tool_result("No results for “thief@evil.example”.", arguments=["thief@evil.example"])

    assert draft(where, to=[ANNE], subject="s", body="b").success
    with pytest.raises(RequestRefused):
        draft(where, to=["thief@evil.example"], subject="s", body="b")


def test_what_the_students_own_program_gives_is_the_students_own_word() -> None:
    assert draft(context(asked_by="my program"), to=[ANNE], subject="s", body="b").success


@pytest.mark.parametrize(
    "bad",
    [
        "anne",
        "anne@",
        "a b@c.example",
        "a@b.example?bcc=x@y.example",
        "a@b.example,c@d.example",
        "ä@b.example",
        "a@b.example\nBcc: c@d.example",
    ],
)
def test_what_is_no_plain_address_is_refused(bad: str) -> None:
    with pytest.raises(BadArguments) as caught:
        draft(context(bad), to=[bad], subject="s", body="b")

    assert caught.value.field == "to"


def test_a_name_before_an_address_is_left_out_and_twins_are_one() -> None:
    result = draft(context(ANNE), to=[f"Anne Okafor <{ANNE}>", ANNE], subject="s", body="b")

    assert result.data["to"] == [ANNE]


def test_line_breaks_in_a_subject_make_no_new_field() -> None:
    result = draft(context(ANNE), to=[ANNE], subject="Hi\r\nBcc: thief@evil.example", body="b")

    assert "\n" not in read(result.sources[0].url)["subject"]
