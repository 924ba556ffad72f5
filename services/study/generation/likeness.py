"""Likeness of questions: whether two ask for the same, by the stems of their words."""

from collections.abc import Sequence
from dataclasses import dataclass, field

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


@dataclass(frozen=True, kw_only=True)
class KnownQuestion:
    """Question or card that there is. stems: of what it asks and of its answer."""

    prompt: str = field(repr=False)
    stems: frozenset[str] = field(repr=False)


class AskedQuestions:
    """Questions that there are already; a new one must be like none of them."""

    def __init__(self, known: Sequence[KnownQuestion]) -> None:
        self._known = list(known)

    def is_new(self, question: KnownQuestion) -> bool:
        """Whether a question is like none of those before; it then counts as one of them."""
        if any(_share(question.stems, known.stems) >= ALIKE for known in self._known):
            return False
        self._known.append(question)
        return True


def known_question(question: Question) -> KnownQuestion:
    """What a question asks for with its answer in place: a cloze filled in, a choice with its right options."""
    right = [question.options[at] for at in question.correct if at < len(question.options)]
    if question.kind is QuestionKind.CLOZE:
        words = question.prompt.replace(GAP, " ".join(question.accepted[:1]))
    else:
        words = " ".join([question.prompt, *right, question.key])
    return KnownQuestion(prompt=question.prompt, stems=content_stems(words) - _ASKING)


def known_card(front: str, back: str) -> KnownQuestion:
    return KnownQuestion(prompt=front, stems=content_stems(f"{front} {back}") - _ASKING)


def _share(stems: frozenset[str], others: frozenset[str]) -> float:
    return len(stems & others) / len(stems | others) if stems | others else 1.0
