"""What a student changed or refused is settled, and words for the model are not retold."""

import pytest

from sandbox.model.rules.responses.answers import SAID_TO_MODELS, is_settled
from sandbox.model.rules.understanding.conversation import read_conversation
from services.turns.tool_calls import REPEATED, TOO_MANY, TOO_MANY_WRITES


def heard(result: str):
    call = {"type": "tool_use", "id": "t1", "name": "planner_create_task", "input": {"title": "Read"}}
    messages = [
        {"role": "user", "content": "Add a task to read"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": result}]},
    ]
    return read_conversation({"messages": messages}).now.steps[0]


def test_a_changed_request_is_settled_and_its_json_is_not_part_of_the_result():
    told = 'The student changed the request before approving it, to {"title": "Read {5}."}.\nAdded the task “Read”.'
    step = heard(told)
    assert (step.result, step.is_changed, is_settled(step)) == ("Added the task “Read”.", True, True)


def test_a_request_approved_as_it_was_is_not_taken_for_a_changed_one():
    step = heard("Added the task “Read”.")
    assert (step.is_changed, is_settled(step)) == (False, False)


@pytest.mark.parametrize("refused", [REPEATED, TOO_MANY, TOO_MANY_WRITES])
def test_a_refusal_for_the_model_is_known_word_for_word(refused):
    assert SAID_TO_MODELS.match(refused)
    assert is_settled(heard(refused))
