"""Marks: what an answer to a question is worth by its key. Short answers are the model's to mark."""

from collections.abc import Sequence

from services.errors import BadArguments
from services.i18n import gettext, ngettext
from services.study.assessment.gap_comparison import WordLikeness, compare_words
from services.study.attempt import GivenAnswer, Mark, Verdict
from services.study.question import GAP, Question, QuestionKind

LONGEST_CLOZE, LONGEST_SHORT = 200, 4_000
"""Characters of an answer."""
NEAR_SCORE = 0.5


def is_marked_by_model(question: Question) -> bool:
    return question.kind is QuestionKind.SHORT_ANSWER


def is_empty(given: GivenAnswer) -> bool:
    """Whether the student passed the question over."""
    return not given.chosen and not given.text.strip()


def check_given(question: Question, given: GivenAnswer) -> None:
    """Check that an answer has the shape of its question's kind; raises `BadArguments`."""
    count = 2 if question.kind is QuestionKind.TRUE_FALSE else len(question.options)
    chosen = given.chosen
    is_ordering = question.kind is QuestionKind.ORDERING
    most = {QuestionKind.MULTIPLE_CHOICE: count, QuestionKind.ORDERING: count}.get(question.kind, 1)
    takes_text = question.kind in (QuestionKind.CLOZE, QuestionKind.SHORT_ANSWER)
    is_known = all(0 <= place < count for place in chosen) and len(set(chosen)) == len(chosen) <= most
    if is_empty(given):
        return
    is_text_fit = not chosen if takes_text else not given.text
    if not is_text_fit or not is_known or (is_ordering and len(chosen) != count):
        raise BadArguments(
            gettext("That answer does not fit the question."),
            field="chosen",
            next_step=gettext("Load the page again, and answer once more."),
        )
    longest = LONGEST_SHORT if question.kind is QuestionKind.SHORT_ANSWER else LONGEST_CLOZE
    if len(given.text) > longest:
        raise BadArguments(
            gettext("That answer is too long: {most} characters are the most.", most=longest),
            field="text",
            next_step=gettext("Say it in fewer words."),
        )


def mark_of(question: Question, given: GivenAnswer, others: str = "") -> Mark:
    """Mark an answer by the question's key. others: texts of the same quiz, whose words are no slips of the key's.

    Of a short answer it can only tell that there is none: the rest is pending.
    """
    if is_empty(given):
        return Mark(verdict=Verdict.SKIPPED)
    match question.kind:
        case QuestionKind.SINGLE_CHOICE | QuestionKind.TRUE_FALSE:
            return _mark(float(given.chosen == question.correct))
        case QuestionKind.MULTIPLE_CHOICE:
            return _several(question, given)
        case QuestionKind.ORDERING:
            return _ordering(question, given)
        case QuestionKind.CLOZE:
            return _cloze(question, given.text, others)
        case QuestionKind.SHORT_ANSWER:
            return Mark(verdict=Verdict.PENDING)


def _mark(score: float, remark: str = "") -> Mark:
    verdict = Verdict.RIGHT if score >= 1 else Verdict.PARTLY if score >= NEAR_SCORE else Verdict.WRONG
    return Mark(verdict=verdict, score=score if score >= NEAR_SCORE else 0.0, remark=remark)


def _several(question: Question, given: GivenAnswer) -> Mark:
    right, chosen = set(question.correct), set(given.chosen)
    hits, extra, missing = len(chosen & right), len(chosen - right), len(right - chosen)
    if not extra and not missing:
        return _mark(1.0)
    remarks = []
    if missing:
        remarks.append(ngettext("{n} right one is missing.", "{n} right ones are missing.", missing))
    if extra:
        remarks.append(ngettext("{n} does not belong.", "{n} do not belong.", extra))
    return _mark(max(0.0, (hits - extra) / len(right)), " ".join(remarks) if hits else "")


def _ordering(question: Question, given: GivenAnswer) -> Mark:
    """The share of the steps that need not be moved, but for the first of them."""
    ranks = _ranks([question.options[at] for at in given.chosen], question.options)
    kept, count = _longest_rising(ranks), len(ranks)
    if kept == count:
        return _mark(1.0)
    moved = count - kept
    score = (kept - 1) / (count - 1)
    remark = ngettext("{n} stands in the wrong place.", "{n} stand in the wrong place.", moved)
    return _mark(score, remark if score >= NEAR_SCORE else "")


def _ranks(texts: Sequence[str], right: Sequence[str]) -> list[int]:
    """Place of each text in the right order; those that read alike may stand for each other."""
    left = list(enumerate(right))
    ranks = []
    for text in texts:
        rank = next(rank for rank in left if rank[1] == text)
        left.remove(rank)
        ranks.append(rank[0])
    return ranks


def _longest_rising(ranks: Sequence[int]) -> int:
    best: list[int] = []
    for at, rank in enumerate(ranks):
        best.append(1 + max((best[before] for before in range(at) if ranks[before] < rank), default=0))
    return max(best, default=0)


def _cloze(question: Question, text: str, others: str) -> Mark:
    around = question.prompt.replace(GAP, " ")
    found = [
        (compare_words(text, words, locale=question.locale, around=around, others=others), words)
        for words in question.accepted
    ]
    likeness, words = max(found, key=lambda pair: pair[0], default=(WordLikeness.OTHER, ""))
    if likeness is WordLikeness.SAME:
        return _mark(1.0)
    if likeness is WordLikeness.SPELLING:
        return _mark(1.0, gettext("It is spelled “{words}”.", words=words))
    if likeness is WordLikeness.NEAR:
        return _mark(NEAR_SCORE, gettext("Very close. It is “{words}”.", words=words))
    return _mark(0.0)
