"""The Settings page."""

from collections.abc import Callable

import pytest

from services.errors import StorageUnavailable
from services.students import Students
from tests.discovery_facts import request
from tests.pages.conftest import Visitor

MakeVisitor = Callable[..., Visitor]


def test_the_time_zone_that_is_chosen_is_kept(maya: Visitor) -> None:
    maya.opens("settings")

    page = maya.page.selectbox(key="timezone").set_value("Europe/Madrid").run()

    student = maya.room.services.students.get(maya.student.id)
    assert student is not None
    assert student.timezone == "Europe/Madrid"
    assert "It is 4:00 PM there now." in maya.words
    assert not page.exception


def test_signing_out_everywhere_is_said_twice_and_then_ends_this_session_too(make_visitor: MakeVisitor) -> None:
    maya = make_visitor(claims={"iat": 100})
    maya.opens("settings")
    before = maya.labels

    maya.presses("End all my sessions")

    assert "Sign out everywhere" not in before
    assert "You are signed out." in maya.words
    assert "Settings" not in maya.words


def test_a_store_that_fails_signs_nobody_out_and_says_so(
    make_visitor: MakeVisitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StorageUnavailable("Homeroom's storage does not answer.")

    maya = make_visitor(claims={"iat": 100})
    maya.opens("settings")
    monkeypatch.setattr(Students, "end_all_sessions", fail)

    maya.presses("End all my sessions")

    assert "Homeroom's storage does not answer." in maya.words
    assert "Settings" in maya.words


def test_the_archive_is_made_only_when_it_is_asked_for(maya: Visitor) -> None:
    maya.opens("settings")

    (button,) = [one for one in maya.page.get("download_button") if one.proto.label == "Download everything"]

    assert button.proto.deferred_file_id


def test_what_homeroom_knows_is_counted_only_while_it_is_open(maya: Visitor) -> None:
    maya.room.connect()
    maya.room.services.activity.record(maya.student.id, service="Board", tool="Reading", effect="read", sentence="done")

    maya.opens("settings")
    assert "Which accounts you connected" not in maya.words

    maya.page.session_state["knows"] = True
    page = maya.page.run()

    assert "**You** are Maya, and your time zone is America/Chicago." in maya.words
    assert "**Board** is connected as Maya since " in maya.words
    assert "It was granted `read`." in maya.words
    assert "- **Activity** · 1  \n" in maya.words
    assert "There is nothing yet of these: " in maya.words
    assert not page.exception


def test_another_device_is_ended_from_here_and_this_one_is_marked(make_visitor: MakeVisitor) -> None:
    maya = make_visitor(claims={"iat": 100})
    who = {"issuer": "https://id.example", "subject": "maya", "name": "Maya", "email": ""}
    students = maya.room.services.students
    students.sign_in(**who, session=90, browser="Safari on an iPhone")

    maya.opens("settings")
    assert "**A browser** · this one" in maya.words
    assert "**Safari on an iPhone**" in maya.words
    maya.presses("End")

    assert "Safari on an iPhone is signed out with its next click." in maya.words
    assert students.sign_in(**who, session=90).is_signed_out
    assert not students.sign_in(**who, session=100).is_signed_out
    assert "End" not in maya.labels


def test_todays_usage_and_the_limits_are_told(maya: Visitor) -> None:
    maya.room.services.accounting.note(request(maya.student.id, fresh=500, read=1_000, written=20, output=70))

    maya.opens("settings")
    figures = {one.label: one.value for one in maya.page.metric}
    maya.page.session_state["limits"] = True
    page = maya.page.run()

    assert figures["Questions today"] == "1"
    assert (figures["Tokens read"], figures["Tokens written"]) == ("1,520", "70")
    assert "- **A message** has at most 50,000 characters." in maya.words
    assert "20 times a minute" in maya.words
    assert not page.exception
