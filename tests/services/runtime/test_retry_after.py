from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.retry_after import LONGEST_S, retry_after_s

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("30", 30.0),
        (" 1.5 ", 1.5),
        ("-3", 0.0),
        ("Sun, 29 Nov 2026 12:02:00 GMT", 120.0),
        ("Sunday, 29-Nov-26 12:02:00 GMT", 120.0),
        ("Sun Nov 29 12:02:00 2026", 120.0),
        ("Sun, 29 Nov 2026 11:00:00 GMT", 0.0),
        ("Fri, 29 Nov 2999 12:00:00 GMT", LONGEST_S),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        (None, None),
    ],
)
def test_both_forms_of_the_header_are_read(header: str | None, seconds: float | None) -> None:
    assert retry_after_s(header, NOW) == seconds


@given(st.text(max_size=40))
def test_no_header_crashes_its_reader(header: str) -> None:
    wait_s = retry_after_s(header, NOW)

    assert wait_s is None or 0 <= wait_s <= LONGEST_S
