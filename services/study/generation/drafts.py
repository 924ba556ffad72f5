"""Drafts: questions and cards as the model writes them, and the schema that its answer must follow."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from services.study.question import QuestionKind

FIELD = "items"
_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}


class _Draft(BaseModel):
    """passage: number of the passage in the request that `quotation` stands in."""

    passage: int
    quotation: str = Field(repr=False)
    topic: str = Field(default="", repr=False)


class QuestionDraft(_Draft):
    """Question as written; its fields are those of `Question`."""

    kind: QuestionKind
    prompt: str = Field(repr=False)
    options: tuple[str, ...] = Field(default=(), repr=False)
    correct: tuple[int, ...] = Field(default=(), repr=False)
    accepted: tuple[str, ...] = Field(default=(), repr=False)
    key: str = Field(default="", repr=False)
    points: tuple[str, ...] = Field(default=(), repr=False)
    explanation: str = Field(default="", repr=False)


class CardDraft(_Draft):
    front: str = Field(repr=False)
    back: str = Field(repr=False)


DraftT = TypeVar("DraftT", bound=_Draft)


def question_schema(kinds: Sequence[QuestionKind]) -> Mapping[str, Any]:
    """JSON schema of an answer with questions of these kinds."""
    return _list_of(
        {
            "kind": {"enum": [str(kind) for kind in kinds]},
            "passage": {"type": "integer", "description": "Number of the passage."},
            "quotation": {**_TEXT, "description": "Words of that passage, verbatim, that show the answer."},
            "topic": {**_TEXT, "description": "What it is about, in one to four words."},
            "prompt": _TEXT,
            "options": {**_TEXTS, "description": "Of choices and orderings; else empty."},
            "correct": {"type": "array", "items": {"type": "integer"}, "description": "Positions, from 0."},
            "accepted": {**_TEXTS, "description": "Of a cloze; else empty."},
            "key": {**_TEXT, "description": "Of a short answer; else empty."},
            "points": {**_TEXTS, "description": "Of a short answer; else empty."},
            "explanation": _TEXT,
        }
    )


_CARD: Mapping[str, Any] = {
    "passage": {"type": "integer", "description": "Number of the passage."},
    "quotation": {**_TEXT, "description": "Words of that passage, verbatim, that show the answer."},
    "topic": {**_TEXT, "description": "What it is about, in one to four words."},
    "front": _TEXT,
    "back": _TEXT,
}


def card_schema() -> Mapping[str, Any]:
    """JSON schema of an answer with cards."""
    return _list_of(_CARD)


def read_drafts(objects: Sequence[Mapping[str, Any]], kind: type[DraftT]) -> list[DraftT]:
    """Read what follows the schema; what does not is left out."""
    drafts = []
    for each in objects:
        try:
            drafts.append(kind.model_validate(each))
        except ValidationError:
            continue
    return drafts


def _list_of(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    item = {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {FIELD: {"type": "array", "items": item}},
        "required": [FIELD],
        "additionalProperties": False,
    }
