"""What stands beside a field is in the student's words, never the name or the code that a program has for it."""

import pytest

from services.i18n import locale_scope
from ui.arguments import argument_labels


@pytest.mark.parametrize(
    ("language", "label", "item", "day"),
    [("en", "Start times", "Start", "Monday"), ("es", "Inicios", "Inicio", "Lunes")],
)
def test_a_list_its_parts_and_the_days_of_a_week_are_called_as_people_call_them(
    language: str, label: str, item: str, day: str
) -> None:
    with locale_scope(language):
        assert argument_labels.field_label("starts") == label
        assert argument_labels.item_label("starts") == item
        assert argument_labels.choice_label("MO") == day


def test_what_is_no_code_and_no_name_of_ours_stays_as_it_is() -> None:
    assert argument_labels.choice_label("MOVE") == "MOVE"
    assert argument_labels.item_label("address") == "Address"
    assert argument_labels.field_label("due_date") == "Due date"
