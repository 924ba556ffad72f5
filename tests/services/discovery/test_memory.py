"""What was said before a message: the student's last turns, the last answer, and what it offered."""

from services.discovery.features import PRIOR_LENGTH, prior_texts

HISTORY = [
    {"role": "user", "content": "what is due this week"},
    {"role": "assistant", "content": "Two essays."},
    {"role": "user", "content": "and my grades"},
    {"role": "assistant", "content": "You have a B. Shall I add the deadlines to your calendar?"},
]


def test_the_last_turns_and_what_was_offered_are_told_apart() -> None:
    before = prior_texts(HISTORY)

    assert before.before == "and my grades"
    assert before.earlier == ("what is due this week",)
    assert before.offer == "Shall I add the deadlines to your calendar?"


def test_an_answer_without_a_question_offers_nothing() -> None:
    assert prior_texts(HISTORY[:2]).offer == ""


def test_nothing_was_said_before_a_first_message() -> None:
    assert prior_texts([]).before == prior_texts([]).reply == ""


def test_long_answers_are_read_at_both_ends_alone() -> None:
    before = prior_texts(
        [{"role": "user", "content": "x " * 9_000}, {"role": "assistant", "content": "y. " * 9_000 + "Ok?"}]
    )

    assert len(before.before) <= PRIOR_LENGTH + 1
    assert len(before.reply) <= PRIOR_LENGTH + 1
    assert before.offer == "Ok?"
