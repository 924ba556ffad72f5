"""Option order: in which order an attempt shows the options of a question, the same at every look."""

import random

from services.study.question import Question, QuestionKind

_SHUFFLED = (QuestionKind.SINGLE_CHOICE, QuestionKind.MULTIPLE_CHOICE, QuestionKind.ORDERING)


def option_order(attempt_id: str, question: Question) -> tuple[int, ...]:
    """Positions in the stored options, in the order in which they are shown; of an ordering never the right one.

    Who sees the shown places alone cannot tell the key from them.
    """
    places = list(range(len(question.options)))
    if question.kind not in _SHUFFLED:
        return tuple(places)
    order = random.Random(f"{attempt_id}/{question.id}")
    order.shuffle(places)
    texts = question.options
    if question.kind is QuestionKind.ORDERING and len(set(texts)) > 1:
        while [texts[at] for at in places] == list(texts):
            order.shuffle(places)
    return tuple(places)
