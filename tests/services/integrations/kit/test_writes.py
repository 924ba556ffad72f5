from dataclasses import replace

from services.integrations.kit.writes import is_card_stale
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow
from tests.tool_calls import MAYA

CONTEXT = ToolExecutionContext(student=MAYA, container=None)  # type: ignore[arg-type]
CARD = (PreviewRow(label="Title", value="Lab"), PreviewRow(label="When", value="5 PM", before="3 PM"))


def test_without_a_card_nothing_is_unlike_it() -> None:
    assert not is_card_stale(CONTEXT, CARD)


def test_a_card_that_still_fits_is_alike() -> None:
    assert not is_card_stale(replace(CONTEXT, approved_rows=CARD), CARD)


def test_what_counts_is_the_state_before_the_change() -> None:
    approved = replace(CONTEXT, approved_rows=CARD)

    assert is_card_stale(approved, (CARD[0], PreviewRow(label="When", value="5 PM", before="4 PM")))
    assert is_card_stale(approved, (PreviewRow(label="Title", value="Lecture"), CARD[1]))


def test_a_field_that_only_one_card_has_does_not_count() -> None:
    approved = replace(CONTEXT, approved_rows=CARD)

    assert not is_card_stale(approved, (*CARD, PreviewRow(label="Location", value="Library", before="Café")))
