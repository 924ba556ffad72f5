"""Whoever asked for cards is told of cards, not of questions."""

from collections.abc import Callable

import pytest

from services.errors import BadArguments
from services.study.generation import end_reasons
from services.study.generation.quizzes import checked_request
from services.study.question import SourceKind
from services.study.quiz import QuizRequest, SourceChoice

REASONS: tuple[Callable[..., str], ...] = (
    end_reasons.refused_by_model,
    end_reasons.all_is_there,
    end_reasons.nothing_holds,
    end_reasons.too_little_text,
)


def test_the_reasons_why_cards_end_speak_of_cards() -> None:
    told = [*(reason("cards") for reason in REASONS), end_reasons.text_is_used_up("cards", 3, 8)]

    assert all("card" in reason and "question" not in reason for reason in told)


def test_those_of_a_quiz_speak_of_questions() -> None:
    told = [reason("quiz") for reason in REASONS if reason is not end_reasons.all_is_there]

    assert all("question" in reason and "card" not in reason for reason in told)


@pytest.mark.parametrize("request_", [{"sources": ()}, {"count": 0}])
def test_a_request_for_cards_is_refused_in_words_of_cards(request_: dict[str, object]) -> None:
    text = SourceChoice(kind=SourceKind.TEXT, title="Notes", text="Osmosis moves water.")
    fields: dict[str, object] = {"course_key": "", "sources": (text,), "count": 4, "product": "cards", **request_}

    with pytest.raises(BadArguments) as refused:
        checked_request(QuizRequest(**fields))  # type: ignore[arg-type]

    assert "card" in str(refused.value)
    assert "question" not in str(refused.value)
