"""Likeness of questions: whether two ask for the same, by the stems of their words."""

from collections.abc import Sequence

from services.i18n.search_tokens import search_tokens
from services.materials.search.stems import language_of, stem_words
from services.study.question import GAP, Question, QuestionKind

ALIKE = 0.7
"""Share of stems in common from which on two questions count as one."""
_ASKING = frozenset(
    {"answer", "best", "choose", "complete", "correct", "fill", "follow", "gap", "order", "statement", "true", "false"}
)


def content_stems(text: str) -> frozenset[str]:
    """Stems of a text's words in its own language, without stop words."""
    words = search_tokens(text)
    return frozenset(stem_words(words, language_of(words)))


class AskedQuestions:
    """Questions that there are already; a new one must be like none of them."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._known = [_asked(question) for question in questions]

    def is_new(self, question: Question) -> bool:
        """Whether a question is like none of those before; it then counts as one of them."""
        asked = _asked(question)
        if any(_share(asked, known) >= ALIKE for known in self._known):
            return False
        self._known.append(asked)
        return True


def asked_words(question: Question) -> str:
    """What a question asks for with its answer in place: a cloze filled in, a choice with its right options."""
    right = [question.options[at] for at in question.correct if at < len(question.options)]
    if question.kind is QuestionKind.CLOZE:
        return question.prompt.replace(GAP, " ".join(question.accepted[:1]))
    if question.kind is QuestionKind.ORDERING:
        right = list(question.options)
    return " ".join([question.prompt, *right, question.key])


def _asked(question: Question) -> frozenset[str]:
    return content_stems(asked_words(question)) - _ASKING


def _share(stems: frozenset[str], others: frozenset[str]) -> float:
    return len(stems & others) / len(stems | others) if stems | others else 1.0
