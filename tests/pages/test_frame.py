"""Who gets in, and what everybody else sees."""

from collections.abc import Callable

import pytest

from services.approvals.approval import ApprovalStatus
from services.errors import StorageUnavailable, StorageUnusable
from tests.agent_fakes import FakeModel, calls
from tests.fakes import FakeClock, FakeDocuments
from tests.pages.conftest import Visitor
from ui import session


class BrokenDocuments(FakeDocuments):
    """Documents whose `failure`, once set, meets every call."""

    failure: Exception | None = None

    def find(self, *arguments: object, **options: object) -> list[dict[str, object]]:
        if self.failure is not None:
            raise self.failure
        return super().find(*arguments, **options)  # type: ignore[arg-type]

    def ping(self) -> None:
        if self.failure is not None:
            raise self.failure


def test_a_visitor_sees_what_homeroom_is_and_one_way_in(make_visitor: Callable[..., Visitor]) -> None:
    visitor = make_visitor(name=None)

    page = visitor.opens()

    assert page.title[0].value == "Your week, in one calm place."
    assert visitor.labels == ["Español", "Sign in"]
    assert len(page.chat_input) == 0


def test_a_visitor_of_a_page_sees_the_way_in_and_nothing_of_the_page(make_visitor: Callable[..., Visitor]) -> None:
    visitor = make_visitor(name=None)

    visitor.opens("connections")

    assert visitor.labels == ["Español", "Sign in"]


def test_how_a_sign_in_went_is_told_to_who_comes_back_from_it(make_visitor: Callable[..., Visitor]) -> None:
    visitor = make_visitor(name=None)

    page = visitor.opens(signin="failed")

    assert "Signing in did not work" in page.warning[0].value
    assert "Sign in" in visitor.labels


def test_a_disabled_student_is_out_with_the_next_click(maya: Visitor) -> None:
    maya.opens()
    maya.room.services.students.disable(maya.student.id)

    page = maya.page.run()

    assert page.title[0].value == "This account is switched off here."
    assert maya.labels == ["Sign out"]


def test_a_disabled_student_cannot_ask_by_that_click_either(maya: Visitor) -> None:
    maya.opens()
    maya.room.services.students.disable(maya.student.id)

    maya.asks("Am I still here?")

    assert "This account is switched off here." in maya.words
    assert maya.room.model.requests == []


def test_who_was_deleted_is_signed_out_in_every_open_page_and_comes_not_back(
    make_visitor: Callable[..., Visitor],
) -> None:
    maya = make_visitor(claims={"iat": 100})
    maya.opens("settings")

    maya.room.services.account_deletion.delete(maya.student.id)
    maya.page.run()

    assert "You are signed out." in maya.words
    assert maya.room.services.store.shared.find("students", {}) == []


def test_while_the_store_is_down_the_last_look_counts_for_a_short_time(
    make_visitor: Callable[..., Visitor], clock: FakeClock
) -> None:
    documents = BrokenDocuments()
    maya = make_visitor(engine=documents)
    maya.opens()
    documents.failure = StorageUnavailable("The database does not answer.")

    maya.page.run()
    is_in = "Sign out" in maya.labels
    clock.advance(seconds=session.GRACE_S + 1)
    maya.page.run()

    assert is_in
    assert "Sign out" not in maya.labels
    assert "Your data cannot be reached right now." in maya.words


def test_a_store_that_is_down_is_told_calmly_and_a_message_stays_in_sight(
    make_visitor: Callable[..., Visitor],
) -> None:
    documents = BrokenDocuments()
    maya = make_visitor(engine=documents)
    maya.opens()
    documents.failure = StorageUnavailable("The database does not answer.")

    page = maya.asks("What is due?")

    assert "Your data cannot be reached right now." in page.warning[0].value
    assert "What is due?" in [text.value for text in page.text]
    assert not page.exception
    documents.failure = None
    maya.presses("Try again")
    assert "Your data cannot be reached" not in maya.words


def test_the_welcome_page_tells_when_nobody_could_sign_in(make_visitor: Callable[..., Visitor]) -> None:
    documents = BrokenDocuments()
    visitor = make_visitor(engine=documents, name=None)
    documents.failure = StorageUnavailable("The database does not answer.")

    visitor.opens()

    assert visitor.labels == ["Español", "Try again"]


@pytest.mark.parametrize("name", ["maya", None])
def test_what_only_the_operator_can_mend_is_told_them_in_the_log_and_everybody_else_where_to_turn(
    make_visitor: Callable[..., Visitor], name: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    documents = BrokenDocuments()
    visitor = make_visitor(engine=documents, name=name)
    documents.failure = StorageUnusable("The file is gone.", remedy="Put /srv/secret.db back.")

    visitor.opens()

    assert "The file is gone. Please tell whoever runs Homeroom" in visitor.words
    assert "/srv" not in visitor.words
    assert "remedy=Put /srv/secret.db back." in caplog.text


@pytest.mark.parametrize("claims", [{"sub": None}, {"iss": ""}, {"sub": "  "}, {"sub": 7}])
def test_a_sign_in_that_names_nobody_is_refused_calmly(make_visitor: Callable[..., Visitor], claims: dict) -> None:
    visitor = make_visitor(claims=claims)

    page = visitor.opens()

    assert page.title[0].value == "Your sign-in service did not say who you are."
    assert visitor.labels == ["Sign out"]
    assert "tell whoever runs Homeroom" in visitor.words
    assert len(page.chat_input) == 0


@pytest.mark.parametrize(
    ("claims", "greeting"),
    [
        ({"name": " "}, "there."),
        ({"name": None, "email": "m.chen@campus.example"}, "m.chen."),
        ({"name": "", "email": None}, "there."),
        ({"name": "Maya Chen"}, "Maya."),
    ],
)
def test_everybody_is_greeted_whatever_the_provider_calls_them(
    make_visitor: Callable[..., Visitor], claims: dict, greeting: str
) -> None:
    page = make_visitor(claims={"sub": "somebody-new", **claims}).opens()

    assert not page.exception
    assert page.title[0].value.endswith(f", {greeting}")


@pytest.mark.parametrize(
    ("claims", "is_verified"), [({}, False), ({"email_verified": True}, True), ({"email_verified": "false"}, False)]
)
def test_an_address_counts_as_verified_only_when_the_provider_says_so(
    make_visitor: Callable[..., Visitor], claims: dict, is_verified: bool
) -> None:
    visitor = make_visitor(claims={"email": "m@campus.example", **claims})

    visitor.opens()

    (student,) = visitor.room.services.students.with_email("m@campus.example")
    assert student.is_email_verified is is_verified


def test_a_cookie_of_a_session_that_was_signed_out_opens_nothing(make_visitor: Callable[..., Visitor]) -> None:
    visitor = make_visitor(claims={"iat": 1_700_000_000})
    students = visitor.room.services.students
    students.end_session(visitor.student.id, 1_700_000_000)

    page = visitor.opens("settings")

    assert page.title[0].value == "You are signed out."
    assert visitor.labels == ["Sign in"]


def test_what_was_on_the_page_of_a_session_that_ended_elsewhere_changes_nothing_any_more(
    make_visitor: Callable[..., Visitor],
) -> None:
    model = FakeModel(calls(("board_pin", {"text": "Milk"})))
    maya = make_visitor(claims={"iat": 100}, model=model)
    maya.room.connect()
    chat, _ = maya.room.ask("Add milk")
    maya.opens(c=chat)
    (approve,) = [button for button in maya.page.button if button.label == "Approve"]
    asked = len(model.requests)
    maya.room.services.students.end_all_sessions(maya.student.id)

    approve.click().run()

    assert "You are signed out." in maya.words
    (waiting,) = maya.room.services.approvals.for_conversation(maya.student.id, chat).values()
    assert waiting.status is ApprovalStatus.PENDING
    assert len(model.requests) == asked


def test_a_session_that_ended_elsewhere_sends_no_message_and_keeps_its_words(
    make_visitor: Callable[..., Visitor],
) -> None:
    maya = make_visitor(claims={"iat": 100})
    maya.opens()
    maya.room.services.students.end_all_sessions(maya.student.id)

    maya.asks("Am I still here?")

    assert "You are signed out." in maya.words
    assert maya.room.model.requests == []
    assert maya.page.session_state["kept_message"] == "Am I still here?"
