"""`QuestionWriter`: asks the model for questions or cards from passages, without tools and without student data.

An instruction in a passage finds nothing there to be carried out with, and what it makes the model write is checked:
the quarantined model of the dual model pattern (https://simonwillison.net/2023/Apr/25/dual-llm-pattern/).
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from babel import Locale

from services.llm.chat_model import ChatModel, ModelRequest, Payer, Usage
from services.llm.effort import with_effort
from services.llm.messages import text_block
from services.llm.structured_output import StructuredOutput, json_objects
from services.runtime.prompt_files import prompt
from services.safety.text import one_line, plain
from services.study.generation.drafts import FIELD, card_schema, question_schema
from services.study.generation.source_passage import SourcePassage
from services.study.question import QuestionKind
from services.study.quiz import QuizRequest

MAX_TOKENS = 8_000
MOST_NAMED = 40
"""Earlier questions that the model is told of, so that it asks for something else."""


@dataclass(frozen=True, kw_only=True)
class WritingOrder:
    """What one request asks for. asked: prompts of questions that there are already. count: how many to write."""

    request: QuizRequest
    payer: Payer
    passages: Sequence[SourcePassage] = field(repr=False)
    asked: Sequence[str] = field(default=(), repr=False)
    count: int = 8


@dataclass(frozen=True, kw_only=True)
class WrittenDrafts:
    """Answer of the model. is_refused: it wrote nothing on purpose. is_cut: it ended at `MAX_TOKENS`."""

    items: Sequence[Mapping[str, Any]] = field(repr=False)
    usage: Usage
    is_refused: bool = False
    is_cut: bool = False


class QuestionWriter:
    """Safe to use from many threads. name: of the model, the quick one."""

    def __init__(self, model: ChatModel, name: str) -> None:
        self.name = name
        self._output = StructuredOutput(model)

    def write(self, order: WritingOrder, is_wanted: Callable[[], bool] = lambda: True) -> WrittenDrafts:
        """Ask once; raises `ModelError`, and `AnswerUnwanted` once `is_wanted` says so."""
        is_cards = order.request.product == "cards"
        schema = card_schema() if is_cards else question_schema(order.request.kinds or tuple(QuestionKind))
        reply = self._output.ask(model_request(self.name, order), schema, lambda _: is_wanted())
        return WrittenDrafts(
            items=json_objects(reply, FIELD),
            usage=reply.usage,
            is_refused=reply.stop_reason == "refusal",
            is_cut=reply.stop_reason == "max_tokens",
        )


def model_request(model: str, order: WritingOrder) -> ModelRequest:
    instructions = prompt("study_cards" if order.request.product == "cards" else "study_questions")
    request = ModelRequest(
        model=model,
        system=[text_block(instructions)],
        tools=(),
        messages=[{"role": "user", "content": [text_block("\n".join(_lines(order)))]}],
        payer=order.payer,
    )
    quick = with_effort(request, "quick")
    return replace(quick, max_tokens=min(MAX_TOKENS, quick.max_tokens), effort="low" if quick.effort else "")


def _lines(order: WritingOrder) -> list[str]:
    # The passages cannot guess the random mark, so none can pretend to end.
    mark, request = secrets.token_hex(4), order.request
    language = Locale.parse(request.locale, sep="-").get_language_name("en")
    what = "cards" if request.product == "cards" else f"questions, difficulty {request.difficulty}"
    lines = [f"Write {order.count} {what}, in {language} ({request.locale})."]
    if request.product == "quiz":
        kinds = request.kinds or tuple(QuestionKind)
        lines.append(f"Kinds: {', '.join(map(str, kinds))}; {'a mixture of them' if len(kinds) > 1 else 'no other'}.")
    if request.topic:
        lines.append(f"About: {one_line(request.topic)}")
    if order.asked:
        lines.append("Asked already:")
        lines += [f"- {one_line(asked, 160)}" for asked in order.asked[-MOST_NAMED:]]
    for number, passage in enumerate(order.passages, 1):
        head = f" — {passage.label}" if passage.label else ""
        lines.append(f"--- {mark} passage {number}{one_line(head, 120)}\n{plain(passage.text)}")
    return [*lines, f"--- {mark} end of the passages"]
