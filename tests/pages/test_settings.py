"""The Settings page."""

from tests.pages.conftest import Visitor


def test_the_time_zone_that_is_chosen_is_kept(maya: Visitor) -> None:
    maya.opens("settings")

    page = maya.page.selectbox(key="timezone").set_value("Europe/Madrid").run()

    student = maya.room.services.students.get(maya.student.id)
    assert student is not None
    assert student.timezone == "Europe/Madrid"
    assert "It is 4:00 PM there now." in maya.words
    assert not page.exception
