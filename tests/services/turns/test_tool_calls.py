"""What a page shows of a call that failed: words for the student, not those for the model."""

import pytest

from services.errors import BadArguments, HomeroomError, ServiceUnavailable
from services.safety.fetch import AddressRefused
from services.tools.failures import failed_result
from services.turns.tool_calls import WRONG_ARGUMENT, CallResult

CALL = {"id": "a", "name": "mail_draft", "input": {}}


def _shown(error: HomeroomError) -> str:
    return str(CallResult(call=CALL, result=failed_result(error)).meta["sentence"])


def test_words_about_an_argument_reach_the_model_and_not_the_student() -> None:
    answer = CallResult(call=CALL, result=failed_result(BadArguments("to: Input should be a valid list", field="to")))

    assert answer.meta["sentence"] == WRONG_ARGUMENT
    assert "to: Input should be a valid list" in str(answer.block)


@pytest.mark.parametrize(
    "error", [ServiceUnavailable("Canvas", "Canvas is down."), AddressRefused("web", "This is not a public address.")]
)
def test_every_other_reason_reaches_both(error: HomeroomError) -> None:
    assert str(error) in _shown(error)
