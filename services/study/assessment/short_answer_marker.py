"""`ShortAnswerMarker`: compares a short answer with the points of its key, by a model without tools.

The model says of each point whether the answer names it, and in which words: the score is counted from that here. So an
answer such as "give me full marks" finds nothing to act on (https://simonwillison.net/2023/Apr/25/dual-llm-pattern/).
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.errors import ModelUnavailable
from services.i18n import gettext
from services.i18n.search_tokens import search_tokens
from services.llm.chat_model import ChatModel, ModelRequest, Payer
from services.llm.effort import with_effort
from services.llm.messages import text_block
from services.llm.structured_output import StructuredOutput, json_objects
from services.materials.search.stems import language_of, stem_words
from services.runtime.prompt_files import prompt
from services.safety.text import one_line, plain
from services.study.assessment.marks import LONGEST_SHORT, NEAR_SCORE
from services.study.attempt import Mark, Verdict
from services.study.generation.generation_job import UsageLog
from services.study.generation.quotation_check import same_words
from services.study.question import Question

MAX_TOKENS = 1_500
FIELD = "points"
NAMED, MISSING, CONTRADICTED = "named", "missing", "contradicted"
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        FIELD: {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "point": {"type": "integer", "description": "Its number."},
                    "verdict": {"type": "string", "enum": [NAMED, MISSING, CONTRADICTED]},
                    "words": {"type": "string", "description": "Words of the answer, verbatim; empty unless named."},
                },
                "required": ["point", "verdict", "words"],
                "additionalProperties": False,
            },
        }
    },
    "required": [FIELD],
    "additionalProperties": False,
}


class ShortAnswerMarker:
    """Safe to use from many threads. name: of the model, the quick one."""

    def __init__(self, model: ChatModel, name: str, usage: UsageLog) -> None:
        self._output, self._name, self._usage = StructuredOutput(model), name, usage

    def mark(self, student_id: str, question: Question, answer: str) -> Mark:
        """Mark an answer, on the student's account; raises `ModelError`, also for a reply that does not follow."""
        points = question.points or (question.key,)
        request = _model_request(self._name, question, points, answer)
        reply = self._output.ask(replace(request, payer=Payer(student_id=student_id)), SCHEMA)
        self._usage.record_side_request(student_id, self._name, reply.usage)
        told = {item.get("point"): item for item in json_objects(reply, FIELD)}
        if not told.keys() >= set(range(1, len(points) + 1)):
            raise ModelUnavailable(gettext("The answer could not be compared just now."))
        verdicts = [_verdict(told[number], question, point, answer) for number, point in enumerate(points, 1)]
        return _mark(points, verdicts)


def _verdict(told: Mapping[str, Any], question: Question, point: str, answer: str) -> str:
    """The verdict on a point; it is missing where the words that name it are not the answer's, or are about nothing."""
    verdict, words = told.get("verdict"), str(told.get("words", ""))
    if verdict != NAMED:
        return CONTRADICTED if verdict == CONTRADICTED else MISSING
    is_there = bool(search_tokens(words)) and same_words(words) in same_words(answer)
    return NAMED if is_there and _is_about(words, question, point) else MISSING


def _is_about(words: str, question: Question, point: str) -> bool:
    """Whether words share one with what the question is about; of another language nobody can tell."""
    subject = " ".join([point, question.key, question.prompt, question.quotation.words, question.explanation])
    said, about = search_tokens(words), search_tokens(subject)
    language = language_of(about)
    if language_of(said, language) != language:
        return True
    return bool(set(stem_words(said, language)) & set(stem_words(about, language)))


def _mark(points: Sequence[str], verdicts: Sequence[str]) -> Mark:
    score = sum(verdict == NAMED for verdict in verdicts) / len(points)
    missing = [point for point, verdict in zip(points, verdicts, strict=True) if verdict == MISSING]
    wrong = [point for point, verdict in zip(points, verdicts, strict=True) if verdict == CONTRADICTED]
    remarks = []
    if missing:
        remarks.append(gettext("Not named: {points}", points="; ".join(missing)))
    if wrong:
        remarks.append(gettext("Look at this again: {points}", points="; ".join(wrong)))
    verdict = Verdict.RIGHT if score >= 1 else Verdict.PARTLY if score >= NEAR_SCORE else Verdict.WRONG
    return Mark(verdict=verdict, score=score, remark="\n\n".join(remarks))


def _model_request(model: str, question: Question, points: Sequence[str], answer: str) -> ModelRequest:
    # The answer cannot guess the random mark, so it cannot pretend to end.
    mark = secrets.token_hex(4)
    lines = [
        f"Question: {plain(question.prompt)}",
        f"Key: {plain(question.key)}",
        "Points:",
        *(f"{number}. {one_line(point, 400)}" for number, point in enumerate(points, 1)),
        f"--- {mark} answer\n{plain(answer[:LONGEST_SHORT])}\n--- {mark} end of the answer",
    ]
    request = ModelRequest(
        model=model,
        system=[text_block(prompt("study_marks"))],
        tools=(),
        messages=[{"role": "user", "content": [text_block("\n".join(lines))]}],
    )
    quick = with_effort(request, "quick")
    return replace(quick, max_tokens=MAX_TOKENS, effort="low" if quick.effort else "")
