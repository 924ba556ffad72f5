"""The line of a step says each thing once, and no duration of nothing."""

import pytest

from services.conversations.step_text import duration_text, service_beside


@pytest.mark.parametrize(("seconds", "shown"), [(0.0, ""), (0.05, ""), (0.06, "0.1 s"), (1.25, "1.2 s")])
def test_a_duration_that_would_read_as_nothing_is_not_shown(seconds: float, shown: str) -> None:
    assert duration_text(seconds) == shown


@pytest.mark.parametrize(
    ("label", "service", "beside"),
    [("Searching Notion", "Notion", ""), ("Looking up grades", "Canvas", "Canvas"), ("Adding a task", "", "")],
)
def test_a_service_that_the_label_names_is_not_said_twice(label: str, service: str, beside: str) -> None:
    assert service_beside(label, service) == beside
