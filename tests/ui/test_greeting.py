"""The questions that an empty chat offers fit what is connected."""

from ui.greeting import ALWAYS, SUGGESTIONS, fitting


def test_two_services_of_one_category_offer_its_questions_once() -> None:
    offered = fitting(["calendar", "calendar", "notes"])

    assert offered == (*SUGGESTIONS["calendar"], *SUGGESTIONS["notes"], *ALWAYS)


def test_with_nothing_connected_only_what_always_works_is_offered() -> None:
    assert fitting([]) == ALWAYS
