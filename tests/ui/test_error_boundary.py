"""An unforeseen error shows a number; neither page nor log repeats its words."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from services.errors import ApprovalError, BadArguments, PermissionMissing

SECRET = "periwinkle"


def _unforeseen() -> None:
    from ui.error_boundary import show_unforeseen_error

    show_unforeseen_error(ValueError("periwinkle"))


def _foreseen(error: Exception) -> None:
    from ui.error_boundary import error_boundary

    with error_boundary():
        raise error


def _uncaught() -> None:
    import ui.error_boundary  # noqa: F401 - quietens Streamlit's own report

    raise ValueError("periwinkle")


def test_an_unforeseen_error_shows_the_number_that_is_in_the_log_and_no_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = AppTest.from_function(_unforeseen, default_timeout=10).run()

    number = re.search(r"the number (\w{6})", page.error[0].value)
    assert number is not None
    assert f"number={number[1]} kind=ValueError" in caplog.text
    assert SECRET not in caplog.text + page.error[0].value


def test_streamlits_own_report_of_an_error_keeps_its_words_to_itself(capfd: pytest.CaptureFixture[str]) -> None:
    AppTest.from_function(_uncaught, default_timeout=10).run()

    said = capfd.readouterr()
    assert SECRET not in said.out + said.err


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (PermissionMissing("Canvas", "Canvas does not let this account see this."), "error"),
        (ApprovalError("This is already done."), "info"),
    ],
)
def test_a_foreseen_error_is_one_calm_sentence_and_the_next_step(error: Exception, kind: str) -> None:
    page = AppTest.from_function(_foreseen, default_timeout=10, args=(error,)).run()

    [box] = page.get(kind)
    assert box.value == f"{error} {error.next_step}"
    assert not page.exception


def test_what_a_person_typed_wrongly_is_not_answered_with_words_for_the_model() -> None:
    page = AppTest.from_function(_foreseen, default_timeout=10, args=(BadArguments("This is not an address."),)).run()

    assert [box.value for box in page.info] == ["This is not an address."]
