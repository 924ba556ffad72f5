"""The Settings page."""

from collections.abc import Callable

import pytest

from services.errors import StorageUnavailable
from services.identity.api_keys import KeyScope, ToolListMode
from services.identity.students import Students
from services.safety import consent_terms
from tests.discovery_facts import request
from tests.pages.conftest import SCRIPTS, Visitor

MakeVisitor = Callable[..., Visitor]


def test_the_time_zone_that_is_chosen_is_kept(maya: Visitor) -> None:
    maya.opens("settings")

    page = maya.page.selectbox(key="timezone").set_value("Europe/Madrid").run()

    student = maya.room.services.students.get(maya.student.id)
    assert student is not None
    assert student.timezone == "Europe/Madrid"
    assert "It is 4:00 PM there now." in maya.words
    assert not page.exception


@pytest.mark.parametrize("zone", ["EST", "Singapore", "Etc/GMT+5"])
def test_a_time_zone_that_the_list_does_not_name_stays_until_another_is_chosen(maya: Visitor, zone: str) -> None:
    students = maya.room.services.students
    students.set_timezone(maya.student.id, zone)

    page = maya.opens("settings")

    assert page.selectbox(key="timezone").value == zone
    assert students.get(maya.student.id).timezone == zone
    assert "America/New York (UTC-05:00)" in page.selectbox(key="timezone").options


def test_what_another_tab_chose_is_shown_and_not_undone(make_visitor: MakeVisitor) -> None:
    maya = make_visitor(claims={"iat": 100})
    students, id = maya.room.services.students, maya.student.id
    maya.opens("settings")
    students.set_timezone(id, "Europe/Madrid")
    students.set_language(id, "es")

    page = maya.page.run()

    assert page.selectbox(key="timezone").value == "Europe/Madrid"
    assert page.selectbox(key="language").value == "es"
    (lifetime,) = [selectbox for selectbox in page.selectbox if selectbox.label == "Termina después de"]
    assert lifetime.value == "90 días"
    student = students.get(id)
    assert student is not None
    assert (student.language, student.timezone) == ("es", "Europe/Madrid")
    students.set_language(id, "en")
    page.selectbox(key="timezone").set_value("Europe/Paris").run()
    assert page.toast[0].value == "Time zone saved."


def test_the_language_that_is_chosen_is_spoken_at_once(maya: Visitor) -> None:
    maya.opens("settings")

    page = maya.page.selectbox(key="language").set_value("es").run()

    assert page.title[0].value == "Ajustes"


def test_a_key_that_could_not_be_made_leaves_the_form_and_the_keys_as_they_are(maya: Visitor) -> None:
    services = maya.room.services
    services.keys.create(maya.student, label="Phone", scopes=[KeyScope.READ])
    maya.opens("settings")
    maya.page.checkbox(key=f"key-scope-{KeyScope.READ}-0").uncheck()
    maya.page.text_input(key="key-label-0").set_value("My laptop")

    maya.presses("Make a key")

    assert len(maya.page.info) == 1
    assert "**Phone**" in maya.words
    assert maya.page.text_input(key="key-label-0").value == "My laptop"
    maya.page.checkbox(key=f"key-scope-{KeyScope.READ}-0").check()
    maya.presses("Make a key")
    assert "**Your key “My laptop”.**" in maya.words
    assert maya.page.text_input(key="key-label-1").value == ""
    assert [key.label for key in services.keys.list(maya.student.id)].count("My laptop") == 1


def test_a_new_key_stays_until_it_is_copied_whatever_runs_at_its_heels(maya: Visitor) -> None:
    def make(number: int) -> str:
        maya.page.text_input(key=f"key-label-{number}").set_value(f"Laptop {number}")
        maya.presses("Make a key")
        return str(maya.page.code[0].value)

    maya.opens("settings")
    copied = make(0)
    maya.page.run()
    still = maya.page.code[0].value
    maya.presses("I have copied it")
    assert (still, list(maya.page.code)) == (copied, [])

    left = make(1)
    maya.page.switch_page(SCRIPTS["activity"]).run()
    maya.page.switch_page(SCRIPTS["settings"]).run()
    assert left not in str(maya.page)


def test_a_key_lists_what_was_chosen_for_it(maya: Visitor) -> None:
    maya.opens("settings")
    maya.page.text_input(key="key-label-0").set_value("My laptop")
    maya.page.selectbox(key="key-tools-en-0").set_value("A search: the program finds what it needs")
    maya.presses("Make a key")
    maya.page.text_input(key="key-label-1").set_value("My phone")
    maya.page.selectbox(key="key-tools-en-1").set_value("Only some subjects")
    maya.presses("Make a key")
    asked = "Choose at least one subject." in maya.page.info[0].value
    maya.page.multiselect(key="key-contexts-en-1").set_value(["courses", "planner"])
    maya.presses("Make a key")

    keys = {key.label: key for key in maya.room.services.keys.list(maya.student.id)}
    assert asked
    assert keys["My laptop"].listed_tools is ToolListMode.SEARCH
    assert keys["My phone"].contexts == ("courses", "planner")
    assert "An AI program sees a search for tools." in maya.words
    assert "An AI program sees: Courses, Planner." in maya.words


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

    (button,) = [button for button in maya.page.get("download_button") if button.proto.label == "Download everything"]

    assert button.proto.deferred_file_id


@pytest.mark.parametrize("is_reworded", [False, True])
def test_a_consent_is_told_in_todays_language_unless_its_words_were_others(
    make_visitor: Callable[..., Visitor], is_reworded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    maya = make_visitor(settings={"HOMEROOM_CONSENT": "ask"})
    consents = maya.room.services.consents
    student = consents.agree(maya.student, [consents.terms.chat()])
    maya.room.services.students.set_language(student.id, "es", "es-MX")
    if is_reworded:
        for name in ("_CHAT", "_CHAT_AND_OTHERS"):
            monkeypatch.setattr(consent_terms, name, "Shorter.")

    maya.opens("settings")
    maya.page.session_state["knows"] = True
    maya.page.run()

    words = "To answer you, Homeroom sends" if is_reworded else "Para responderte, Homeroom envía"
    assert f"“{words}" in maya.words


def test_what_homeroom_knows_is_counted_only_while_it_is_open(maya: Visitor) -> None:
    maya.room.service.scopes = ("read", "https://board.example/auth/read.all")
    maya.room.connect()
    maya.room.services.activity.record(
        maya.student.id, services=["Board"], tool="Reading", effect="read", sentence="done"
    )

    maya.opens("settings")
    assert "Which accounts you connected" not in maya.words

    maya.page.session_state["knows"] = True
    page = maya.page.run()

    assert "**You** are Maya, and your time zone is America/Chicago." in maya.words
    assert "**Board** is connected as Maya since " in maya.words
    assert "You allowed it there to: see the board; `read.all`. You agreed on " in maya.words
    assert "**The chat.** This demo does not ask. It says: “To answer you, Homeroom sends" in maya.words
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


def test_todays_usage_and_the_limits_are_told_and_insights_counts_the_same(maya: Visitor) -> None:
    maya.room.services.accounting.record_request(request(maya.student.id, fresh=500, read=1_000, written=20, output=70))

    maya.opens("settings")
    figures = {metric.label: metric.value for metric in maya.page.metric}
    maya.page.session_state["limits"] = True
    page = maya.page.run()

    assert figures["Questions today"] == "1"
    assert (figures["Words read"], figures["Words written"]) == ("1,140", "52")
    assert "- **A message** has at most 50,000 characters." in maya.words
    assert "20 times a minute" in maya.words
    assert not page.exception
    counted = maya.opens("insights").table[-1].value
    assert dict(zip(counted["Words"], counted["Number"], strict=True))["All that was read"] == figures["Words read"]


def test_a_demo_does_not_say_that_a_student_agreed_to_its_model(maya: Visitor) -> None:
    maya.opens("settings")

    assert "This demo does not ask." in maya.words
    assert "You agreed before you came" not in maya.words
