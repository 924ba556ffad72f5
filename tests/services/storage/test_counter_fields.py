"""Names of counter fields: whatever stands in them is read back, and nothing leads elsewhere."""

from hypothesis import given
from hypothesis import strategies as st

from services.storage.conditions import checked_field
from services.storage.counter_fields import counter_name, counter_parts


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_name_is_taken_for_another_field(first: str, second: str) -> None:
    field = counter_name("page", first, second)

    assert counter_parts(field, "page") == (first, second)
    assert checked_field(field) == field
    assert "." not in field
