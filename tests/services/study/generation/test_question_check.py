"""What a drafted question must hold: a key that fits its quotation, and options that give nothing away (H1)."""

from typing import Any

import pytest

from services.study.generation.drafts import CardDraft, QuestionDraft
from services.study.generation.question_check import UnfitDraft, check_card, check_question
from services.study.generation.source_passage import SourcePassage
from services.study.question import GAP, SourceKind
from services.study.quiz import QuizRequest
from tests.fakes import FakeClock

TEXT = (
    "Osmosis is the net movement of water across a selectively permeable membrane. Active transport needs ATP, and "
    "passive transport needs none. The sodium pump moves 3 sodium ions out and 2 potassium ions in. "
    "Mitosis begins with prophase; then come metaphase, anaphase and telophase."
)
PASSAGE = SourcePassage(source=SourceKind.MATERIAL, source_id="m", page=3, place="Lecture 6, slide 3", text=TEXT)
OSMOSIS = "Osmosis is the net movement of water across a selectively permeable membrane."
PUMP = "The sodium pump moves 3 sodium ions out and 2 potassium ions in."
ENERGY = "Active transport needs ATP, and passive transport needs none."

CHOICE = {
    "kind": "single_choice",
    "passage": 1,
    "quotation": OSMOSIS,
    "prompt": "What is the net movement of water across a membrane called?",
    "options": ["Diffusion", "Osmosis", "Filtration", "Endocytosis"],
    "correct": [1],
}
SEVERAL = {
    "kind": "multiple_choice",
    "passage": 1,
    "quotation": ENERGY,
    "prompt": "Which statements about transport are right? Several are.",
    "options": ["Active transport needs ATP", "Passive transport needs none", "Passive transport needs ATP"],
    "correct": [0, 1],
}
TRUE = {
    "kind": "true_false",
    "passage": 1,
    "quotation": PUMP,
    "prompt": "The sodium pump moves 3 sodium ions out of the cell.",
    "correct": [0],
}
CLOZE = {
    "kind": "cloze",
    "passage": 1,
    "quotation": OSMOSIS,
    "prompt": f"{GAP} is the net movement of water across a membrane.",
    "accepted": ["Osmosis"],
}
SHORT = {
    "kind": "short_answer",
    "passage": 1,
    "quotation": OSMOSIS,
    "prompt": "What is osmosis?",
    "key": "The net movement of water across a selectively permeable membrane.",
    "points": ["movement of water", "across a selectively permeable membrane"],
}
ORDERING = {
    "kind": "ordering",
    "passage": 1,
    "quotation": "Mitosis begins with prophase; then come metaphase, anaphase and telophase.",
    "prompt": "Put the phases of mitosis in order.",
    "options": ["Prophase", "Metaphase", "Anaphase", "Telophase"],
}
REQUEST = QuizRequest(course_key="canvas-1")


def check(draft: dict[str, Any], **changes: Any) -> Any:
    return check_question(QuestionDraft.model_validate(draft | changes), [PASSAGE], REQUEST, FakeClock()())


@pytest.mark.parametrize("draft", [CHOICE, SEVERAL, TRUE, CLOZE, SHORT, ORDERING], ids=lambda draft: draft["kind"])
def test_a_question_of_each_kind_that_holds_is_kept(draft: dict[str, Any]) -> None:
    question = check(draft)

    assert (question.kind, question.prompt) == (draft["kind"], draft["prompt"])
    assert question.quotation.words == draft["quotation"]
    assert (question.quotation.source_id, question.quotation.page) == ("m", 3)
    assert question.correct == (tuple(range(4)) if draft is ORDERING else tuple(draft.get("correct", ())))


@pytest.mark.parametrize(
    ("draft", "changes", "reason"),
    [
        (CHOICE, {"quotation": "Osmosis is the net movement of salt."}, "quotation_not_found"),
        (CHOICE, {"passage": 0}, "no_such_passage"),
        (CHOICE, {"passage": 2}, "no_such_passage"),
        (CHOICE, {"passage": -1}, "no_such_passage"),
        (CHOICE, {"prompt": "  "}, "no_question"),
        (CHOICE, {"prompt": "why " * 400}, "too_long"),
        (CHOICE, {"prompt": "Look at https://evil.example: what is it?"}, "address"),
        (CHOICE, {"explanation": "See [here](//evil.example)."}, "address"),
        (CHOICE, {"explanation": "![x](data:image/png;base64,AAAA)"}, "address"),
        (CHOICE, {"prompt": "<img src=x onerror=alert(1)> What is osmosis?"}, "address"),
        (CHOICE, {"correct": [4]}, "key_out_of_range"),
        (CHOICE, {"correct": [-1]}, "key_out_of_range"),
        (CHOICE, {"correct": []}, "key_out_of_range"),
        (CHOICE, {"correct": [0, 1]}, "number_of_keys"),
        (CHOICE, {"correct": [1, 1]}, "number_of_keys"),
        (CHOICE, {"options": ["Osmosis", "Diffusion"], "correct": [0]}, "number_of_options"),
        (CHOICE, {"options": ["Diffusion", "Osmosis", "diffusion", "Filtration"]}, "options_alike"),
        (CHOICE, {"options": ["Diffusion", "Osmosis", "Diffusion\u200b", "Filtration"]}, "options_alike"),
        (CHOICE, {"options": ["Diffusion", "Osmosis", "", "Filtration"]}, "options_alike"),
        (CHOICE, {"options": ["Diffusion", "Osmosis", "D\u0456ffusion", "Filtration"]}, "look_alike"),
        (CHOICE, {"options": ["Diffusion", "Osmosis", "None of the above", "Filtration"]}, "catch_all_option"),
        (CHOICE, {"options": ["Diffusion", "Osmosis", "Todas las anteriores", "Filtration"]}, "catch_all_option"),
        (CHOICE, {"options": ["Diffusion", "Osmosis", "Both A and B", "Filtration"]}, "catch_all_option"),
        (CHOICE, {"correct": [0]}, "key_not_supported"),
        (CHOICE, {"prompt": "Osmosis moves water: what is that called?"}, "gives_away"),
        (CHOICE, {"options": ["Salt", f"Osmosis, {OSMOSIS[15:]}", "Ion", "Fat"]}, "gives_away"),
        (SEVERAL, {"correct": [0, 1, 2]}, "number_of_keys"),
        (SEVERAL, {"correct": [0]}, "number_of_keys"),
        (TRUE, {"correct": [2]}, "key_out_of_range"),
        (TRUE, {"correct": []}, "key_out_of_range"),
        (TRUE, {"prompt": "The sodium pump moves 4 sodium ions out."}, "key_not_supported"),
        (TRUE, {"prompt": "Napoleon lost the battle at Waterloo."}, "key_not_supported"),
        (CLOZE, {"prompt": "Osmosis is the movement of water."}, "number_of_gaps"),
        (CLOZE, {"prompt": f"{GAP} is the movement of {GAP}."}, "number_of_gaps"),
        (CLOZE, {"accepted": []}, "no_key"),
        (CLOZE, {"accepted": ["…"]}, "no_key"),
        (CLOZE, {"accepted": ["Diffusion"]}, "key_not_supported"),
        (CLOZE, {"prompt": f"Osmosis, or {GAP}, is the movement of water."}, "gives_away"),
        (CLOZE, {"prompt": f"{GAP} is."}, "no_question"),
        (SHORT, {"key": ""}, "no_key"),
        (SHORT, {"points": [" "]}, "no_key"),
        (SHORT, {"key": "The battle at Waterloo."}, "key_not_supported"),
        (SHORT, {"key": "The net movement of 7 waters."}, "key_not_supported"),
        (ORDERING, {"options": ["Prophase", "Metaphase"]}, "number_of_options"),
        (ORDERING, {"options": ["Prophase", "Metaphase", "Prophase"]}, "options_alike"),
        (ORDERING, {"options": ["Prophase", "Metaphase", "Cytokinesis"]}, "key_not_supported"),
    ],
)
def test_what_does_not_hold_is_thrown_away(draft: dict[str, Any], changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnfitDraft, match=f"^{reason}$"):
        check(draft, **changes)


def test_a_question_in_another_language_than_its_page_is_checked_by_its_numbers() -> None:
    spanish = "¿Cómo se llama el movimiento neto de agua a través de una membrana que es selectiva?"
    options = ["La difusión de la célula", "La ósmosis de la célula", "La filtración de los iones", "Una endocitosis"]

    assert check(CHOICE, prompt=spanish, options=options).correct == (1,)
    with pytest.raises(UnfitDraft, match="key_not_supported"):
        check(TRUE, prompt="La bomba de sodio saca 5 iones de sodio de la célula y mete los de potasio.")


def test_brackets_of_formulas_are_no_addresses() -> None:
    formula = "A plot of 1/V against 1/[S]: a straight line, and f(x) = [a](x) is none."
    assert check(CLOZE, explanation="Plot 1/V against 1/[S]: a straight line.").explanation
    with pytest.raises(UnfitDraft, match="address"):
        check(CLOZE, explanation=f"{formula}\n[S]: https://evil.example")


def test_gaps_of_any_form_are_one() -> None:
    assert check(CLOZE, prompt="________ is the net movement of water.").prompt.startswith(GAP)
    assert check(CLOZE, prompt="[___] is the net movement of water.").prompt.startswith(GAP)


def test_invisible_signs_never_reach_a_student() -> None:
    question = check(CLOZE, prompt=f"{GAP} is the net\u202e movement of\u200b water.", topic="Os\u200bmosis\n\nnow")

    assert question.prompt == f"{GAP} is the net movement of water."
    assert question.topic == "Osmosis now"


def test_a_card_is_held_to_its_quotation_as_well() -> None:
    good = {"passage": 1, "quotation": OSMOSIS, "front": "What is osmosis?", "back": "The net movement of water."}
    front, back, _, quotation = check_card(CardDraft.model_validate(good), [PASSAGE])
    assert (front, back, quotation.page) == ("What is osmosis?", "The net movement of water.", 3)

    for changes in ({"quotation": "Osmosis is salt."}, {"back": "Napoleon."}, {"back": "osmosis"}, {"front": "?"}):
        with pytest.raises(UnfitDraft):
            check_card(CardDraft.model_validate(good | changes), [PASSAGE])
