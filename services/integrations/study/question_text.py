"""Questions and marks of practice, written for the model, who tells them to the student."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.i18n.english import count
from services.integrations.study.given_answers import option_letter
from services.llm.citations import Source
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.study.assessment.option_order import option_order
from services.study.assessment.progress import next_number
from services.study.attempt import Attempt, Mark, Verdict
from services.study.question import Question, QuestionKind

_HOW = {
    QuestionKind.SINGLE_CHOICE: "one option",
    QuestionKind.MULTIPLE_CHOICE: "all options that are right",
    QuestionKind.TRUE_FALSE: "true or false",
    QuestionKind.CLOZE: "the words for the gap",
    QuestionKind.SHORT_ANSWER: "a sentence or two",
    QuestionKind.ORDERING: "the options in the right order",
}
_VERDICTS = {
    Verdict.RIGHT: "Right.",
    Verdict.PARTLY: "Partly right.",
    Verdict.WRONG: "Not right.",
    Verdict.SKIPPED: "Skipped.",
    Verdict.PENDING: "Noted; it is marked later.",
}


def asked_lines(attempt: Attempt, question: Question) -> list[str]:
    """The question that is asked now, without its key."""
    _declare(question)
    number = (next_number(attempt) or 0) + 1
    order = option_order(attempt.id, question)
    lines = [
        f"Question {number} of {len(attempt.question_ids)} (answered by {_HOW[question.kind]}):",
        f"> {one_line(question.prompt, 900)}",
    ]
    return lines + [f"> {option_letter(n)}) {one_line(question.options[at], 300)}" for n, at in enumerate(order)]


def asked_data(attempt: Attempt, question: Question) -> dict[str, Any]:
    order = option_order(attempt.id, question)
    return {
        "number": (next_number(attempt) or 0) + 1,
        "of": len(attempt.question_ids),
        "kind": str(question.kind),
        "prompt": question.prompt,
        "options": [{"letter": option_letter(n), "text": question.options[at]} for n, at in enumerate(order)],
        "topic": question.topic,
    }


def marked_lines(attempt: Attempt, question: Question, mark: Mark) -> list[str]:
    """What came of an answer, with the key and the words of the source. Nothing of the key in a mock exam that runs."""
    if attempt.is_exam and attempt.finished_at is None:
        return ["Noted. In a mock exam the marks come at the end."]
    _declare(question)
    quotation = question.quotation
    place = one_line(quotation.place, 200)
    lines = [" ".join(filter(None, (_VERDICTS[mark.verdict], one_line(mark.remark, 500))))]
    lines.append(f"The answer: {key_of(attempt, question)}")
    if question.explanation:
        lines.append(f"Why: {one_line(question.explanation, 900)}")
    lines.append(f"- [{place}]({quotation.url})" if quotation.url else f"From {place}:")
    return [*lines, f"> {one_line(quotation.words, 600)}"]


def mark_data(attempt: Attempt, question: Question, mark: Mark) -> dict[str, Any] | None:
    if attempt.is_exam and attempt.finished_at is None:
        return None
    quotation = question.quotation
    return {
        "verdict": str(mark.verdict),
        "score": mark.score,
        "remark": mark.remark,
        "answer": key_of(attempt, question),
        "explanation": question.explanation,
        "quotation": quotation.words,
        "place": quotation.place,
        "url": quotation.url,
    }


def sources_of(questions: Sequence[Question]) -> tuple[Source, ...]:
    """Pages that questions are from, each once."""
    found = {q.quotation.url: Source(title=q.quotation.place, url=q.quotation.url) for q in questions}
    return tuple(source for url, source in found.items() if url)


def key_of(attempt: Attempt, question: Question) -> str:
    """The right answer, with the letters of this attempt."""
    if question.kind is QuestionKind.TRUE_FALSE:
        return "true" if question.correct == (0,) else "false"
    if question.kind is QuestionKind.CLOZE:
        return " or ".join(question.accepted)
    if question.kind is QuestionKind.SHORT_ANSWER:
        return question.key
    letters = {at: option_letter(n) for n, at in enumerate(option_order(attempt.id, question))}
    right = range(len(question.options)) if question.kind is QuestionKind.ORDERING else question.correct
    return "; ".join(f"{letters[at]}) {one_line(question.options[at], 300)}" for at in right)


def result_line(counted: int, score: float, verdicts: Mapping[Verdict, int]) -> str:
    """How an attempt came out."""
    waiting = f" {count(verdicts[Verdict.PENDING], 'answer')} not marked yet." if verdicts.get(Verdict.PENDING) else ""
    return f"It is finished: {score:g} of {count(counted, 'point')}.{waiting}"


def _declare(question: Question) -> None:
    """Who may have written what is told: a model from anybody's pages, and the words of a page themselves."""
    declared([question.prompt, *question.options, question.explanation, question.key], Provenance.MODEL)
    declared([question.quotation.words, question.quotation.place], Provenance.STRANGERS)
    declared(question.quotation.url, Provenance.SERVICE)
