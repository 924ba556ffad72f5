"""Study as a page: what one practises, from nothing connected to a whole course."""

from tests.pages.conftest import Visitor


def test_a_note_of_ones_understanding_is_added_changed_and_deleted(maya: Visitor) -> None:
    maya.opens("study")
    next(fold for fold in maya.page.expander if "noted" in fold.label).set_value(True).run()

    maya.presses("Add a note")
    maya.page.text_input[-1].set_value("Cells")
    maya.page.text_area[0].set_value("I mix up mitosis and meiosis.")
    maya.presses("Save")

    assert "I mix up mitosis and meiosis." in maya.words
