"""Quiz as the browser shows it: questions without their keys, and, of what is answered, the mark with its source."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from api.live.blocks import Block, blocks_of
from services.i18n import gettext, ngettext
from services.llm.citations import shorten_quote
from services.navigation import with_passage
from services.study.assessment import progress
from services.study.assessment.option_order import option_order
from services.study.attempt import AnsweredQuestion, Attempt, GivenAnswer, Verdict
from services.study.question import GAP, Question, QuestionKind, Quotation, SourceKind
from services.study.quiz import Quiz, QuizState

Json = Mapping[str, Any]
_WORD = re.compile(r"\w+")
_REST = re.compile(re.escape(GAP))
_BEING_MADE = (QuizState.QUEUED, QuizState.WRITING)
MOST_RENDERED = 4_000
"""Texts that are kept as rendered."""


def quiz_json(quiz: Quiz) -> Json:
    """What a quiz is, and how far its making is."""
    made, wanted = len(quiz.question_ids), quiz.request.count
    return {
        "id": quiz.id,
        "title": quiz.request.title or gettext("Quiz"),
        "minutes": quiz.request.minutes,
        "count": made,
        "is_made": quiz.state not in _BEING_MADE,
        "is_failed": quiz.state in (QuizState.FAILED, QuizState.CANCELLED) and not made,
        "made": made,
        "wanted": max(wanted, made),
        "progress": _making(quiz, min(made + 1, wanted), wanted),
        "trouble": quiz.trouble,
        "about": _about(quiz, made),
    }


def _making(quiz: Quiz, number: int, wanted: int) -> str:
    if quiz.state is QuizState.QUEUED and not quiz.question_ids:
        return gettext("Your quiz is next to be written …")
    return gettext("Writing question {number} of {count} …", number=number, count=wanted)


def _about(quiz: Quiz, made: int) -> str:
    told = ngettext("{n} question", "{n} questions", made)
    if quiz.is_exam:
        minutes = ngettext("{n} minute", "{n} minutes", quiz.request.minutes)
        return gettext("Mock exam · {questions} · {minutes}", questions=told, minutes=minutes)
    return told


def attempt_json(attempt: Attempt, now: datetime) -> Json:
    """How far an attempt is. left_s: seconds until the clock of a mock exam is over; None without one."""
    number = progress.next_number(attempt)
    return {
        "id": attempt.id,
        "is_exam": attempt.is_exam,
        "is_finished": attempt.finished_at is not None,
        "number": number,
        "order": list(attempt.question_ids),
        "answered": len({answer.question_id for answer in attempt.answers}),
        "count": len(set(attempt.question_ids)),
        "left_s": (attempt.ends_at - now).total_seconds() if attempt.ends_at else None,
        "pending": len(progress.pending_numbers(attempt)),
    }


def question_json(attempt_id: str, question: Question) -> Json:
    """A question without its key: the browser learns the options' shown order alone."""
    return {
        "kind": str(question.kind),
        "prompt": _rendered(question.prompt, has_gap=question.kind is QuestionKind.CLOZE),
        "options": [_rendered(question.options[at]) for at in option_order(attempt_id, question)],
    }


def given_json(attempt_id: str, question: Question, given: GivenAnswer) -> Json:
    """An answer by the shown places of what was chosen."""
    return {"chosen": _shown(attempt_id, question, given.chosen), "text": given.text}


def stored_given(attempt_id: str, question: Question, chosen: Sequence[int], text: str) -> GivenAnswer:
    """An answer as it is stored, from the shown places; one that is not there stays what it is, and is refused."""
    order = option_order(attempt_id, question)
    places = tuple(order[place] if 0 <= place < len(order) else place for place in chosen)
    return GivenAnswer(chosen=places, text=text)


def feedback_json(attempt: Attempt, question: Question, answer: AnsweredQuestion | None) -> Json:
    """The mark of an answer with the key and its source, for what has been marked or handed in."""
    order, mark = option_order(attempt.id, question), answer.mark if answer else None
    is_ordering = question.kind is QuestionKind.ORDERING
    right = range(len(question.options)) if is_ordering else question.correct
    key, quoted = question.key, question.quotation.words
    # Below each other they stand once: often all three are the same sentence of the page.
    explanation = "" if _says((key, quoted), question.explanation) else question.explanation
    return {
        "question": question.id,
        "verdict": str(mark.verdict if mark else Verdict.SKIPPED),
        "is_own": bool(mark and mark.is_own),
        "remark": mark.remark if mark else "",
        "remarks": _rendered(mark.remark) if mark and mark.remark else [],
        "given": given_json(attempt.id, question, answer.given) if answer else None,
        "right": [order.index(at) for at in right] if order else list(question.correct),
        "accepted": [_rendered(words) for words in question.accepted],
        "key": _rendered(key) if key else [],
        "explanation": _rendered(explanation) if explanation else [],
        "source": {**_source(question.quotation), "words": "" if _says([key], quoted) else quoted},
        "is_disputed": bool(question.disputed),
    }


def result_json(attempt: Attempt, questions: Mapping[str, Question]) -> Json:
    """How an attempt came out: calm sentences, topics, and each question with its first answer."""
    result = progress.result_of(attempt, questions)
    right = result.verdicts[Verdict.RIGHT]
    firsts = {answer.question_id: answer for answer in reversed(attempt.answers)}
    ids = [id for id in dict.fromkeys(attempt.question_ids) if id in questions]
    return {
        "score": gettext("{right} of {count} right at once", right=right, count=result.count),
        "share": result.score / result.count if result.count else 0.0,
        "sentences": _sentences(result),
        "missed": len(result.missed),
        "topics": [
            {
                "topic": topic.topic,
                "right": topic.right,
                "count": topic.count,
                "words": gettext("{right} of {count}", right=topic.right, count=topic.count),
            }
            for topic in result.topics
            if topic.topic
        ],
        "review": [feedback_json(attempt, questions[id], firsts.get(id)) for id in ids],
    }


def _sentences(result: progress.AttemptResult) -> list[str]:
    told = []
    if partly := result.verdicts[Verdict.PARTLY]:
        told.append(ngettext("{n} was partly right.", "{n} were partly right.", partly))
    if result.mended:
        told.append(
            ngettext(
                "{n} more was right when it came again.", "{n} more were right when they came again.", result.mended
            )
        )
    if skipped := result.verdicts[Verdict.SKIPPED]:
        told.append(ngettext("{n} was left open.", "{n} were left open.", skipped))
    return told


def _says(texts: Sequence[str], words: str) -> bool:
    """Whether one of the texts has all of these words in a row."""
    plain = [" ".join(_WORD.findall(text.casefold())) for text in (words, *texts)]
    return any(f" {plain[0]} " in f" {text} " for text in plain[1:])


def _source(quotation: Quotation) -> Json:
    url = quotation.url
    if quotation.source is SourceKind.MATERIAL and "#" not in url:
        url = with_passage(url, shorten_quote(quotation.words)) if url else ""
    return {"words": quotation.words, "place": quotation.place, "url": url}


def _shown(attempt_id: str, question: Question, chosen: Sequence[int]) -> list[int]:
    order = option_order(attempt_id, question)
    return [order.index(at) for at in chosen if at in order] if order else list(chosen)


def _rendered(text: str, *, has_gap: bool = False) -> list[Block]:
    return list(_blocks(_REST.sub(r"\\_\\_\\_\\_", text) if has_gap else text))


@lru_cache(maxsize=MOST_RENDERED)
def _blocks(text: str) -> tuple[Block, ...]:
    return tuple(blocks_of(text, frozenset()))
