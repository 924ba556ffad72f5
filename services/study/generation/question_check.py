"""Question check: what a drafted question must hold to be asked, its quotation and its key above all."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from services.i18n.search_tokens import search_tokens
from services.materials.search.stems import both_stems, language_of
from services.safety.text import one_line, plain
from services.study.generation.drafts import CardDraft, QuestionDraft
from services.study.generation.likeness import content_stems
from services.study.generation.quotation_check import find_quotation, same_words
from services.study.generation.source_passage import SourcePassage
from services.study.question import GAP, Question, QuestionKind, Quotation
from services.study.quiz import QuizRequest
from services.study.store.quiz_repository import new_question_id

LONGEST_PROMPT, LONGEST_OPTION, LONGEST_EXPLANATION = 900, 300, 900
MOST_OPTIONS = {QuestionKind.SINGLE_CHOICE: 6, QuestionKind.MULTIPLE_CHOICE: 7, QuestionKind.ORDERING: 8}
MOST_ACCEPTED, MOST_POINTS = 8, 6
_GAPS = re.compile(r"_{3,}|\[_+\]|\(_+\)")
_LINKS = re.compile(
    r"!?\[[^\]]*\]\s*\(|^\s*\[[^\]]+\]:|https?:|www\.|mailto:|javascript:|<\s*+/?\s*+[a-z!][^>]*>",
    re.IGNORECASE | re.MULTILINE,
)
_LOOK_ALIKE = re.compile("[A-Za-z][Ѐ-ӿΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ]|[Ѐ-ӿΑΒΕΖΗΙΚΜΝΟΡΤΥΧον][A-Za-z]")
"""Latin letters beside those of another alphabet that look like them; α-helix and ΔG are none."""
_CATCH_ALL = re.compile(
    r"\b(?:all|none|both|any|neither)\b.{0,12}\b(?:above|these|those|of them|options|answers|choices)\b"
    r"|\b(?:tod[ao]s?|ningun[ao]?|amb[ao]s?)\b.{0,12}\b(?:anteriores|opciones|respuestas|ell[ao]s|est[ao]s)\b"
    r"|^(?:both |tanto )?\W?[a-h]\W? (?:and|y|or|o|&) \W?[a-h]\W?$"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class UnfitDraft(Exception):
    """Reason why a draft is thrown away, one word for the log."""


def check_question(
    draft: QuestionDraft, passages: Sequence[SourcePassage], request: QuizRequest, now: datetime
) -> Question:
    """Make a draft a question; raises `UnfitDraft` for one whose quotation does not stand in the passage that it names,
    whose key does not fit its kind or its quotation, whose options give the answer away, or that holds an address.
    """
    passage, words = quoted(draft.passage, draft.quotation, passages)
    question = Question(
        id=new_question_id(),
        kind=draft.kind,
        prompt=text_of(
            _GAPS.sub(GAP, draft.prompt) if draft.kind is QuestionKind.CLOZE else draft.prompt, LONGEST_PROMPT
        ),
        course_key=request.course_key,
        topic=one_line(text_of(draft.topic, 300), 60),
        options=tuple(text_of(option, LONGEST_OPTION) for option in _options(draft)),
        correct=tuple(draft.correct),
        accepted=tuple(text_of(word, 80) for word in draft.accepted if word.strip())[:MOST_ACCEPTED],
        key=text_of(draft.key, LONGEST_PROMPT),
        points=tuple(text_of(point, LONGEST_OPTION) for point in draft.points if point.strip())[:MOST_POINTS],
        explanation=text_of(draft.explanation, LONGEST_EXPLANATION),
        quotation=passage.quotation(words),
        difficulty=request.difficulty,
        locale=request.locale,
        made_at=now,
    )
    _require(len(search_tokens(question.prompt)) >= 2, "no_question")
    return _CHECKS[draft.kind](question, passage)


def check_card(draft: CardDraft, passages: Sequence[SourcePassage]) -> tuple[str, str, str, Quotation]:
    """Front, back, topic and quotation of a drafted card; raises `UnfitDraft`, as `check_question` does."""
    passage, words = quoted(draft.passage, draft.quotation, passages)
    front, back = text_of(draft.front, LONGEST_PROMPT), text_of(draft.back, LONGEST_PROMPT)
    _require(len(search_tokens(front)) >= 2 and bool(back), "no_question")
    _require(same_words(back) not in same_words(front), "gives_away")
    _require(is_supported(back, words), "key_not_supported")
    return front, back, one_line(text_of(draft.topic, 300), 60), passage.quotation(words)


def quoted(number: int, words: str, passages: Sequence[SourcePassage]) -> tuple[SourcePassage, str]:
    """The passage that a draft names, and the words of it that it quotes; raises `UnfitDraft`."""
    _require(1 <= number <= len(passages), "no_such_passage")
    passage = passages[number - 1]
    found = find_quotation(words, passage.text)
    _require(bool(found), "quotation_not_found")
    return passage, found


def text_of(words: str, limit: int) -> str:
    """Words of the model as they may be shown; raises `UnfitDraft` for what is too long or holds an address."""
    clean = plain(words).strip()
    _require(len(clean) <= limit, "too_long")
    _require(not _LINKS.search(clean), "address")
    _require(not _LOOK_ALIKE.search(clean), "look_alike")
    return clean


def is_supported(answer: str, quotation: str) -> bool:
    """Whether an answer says something that its quotation says: a word in common, and no number that is not there.

    Of an answer in another language than the quotation's, only the numbers are compared.
    """
    if not set(_NUMBER.findall(answer)) <= set(_NUMBER.findall(quotation)):
        return False
    said, there = search_tokens(answer), search_tokens(quotation)
    mine, other = language_of(said, language_of(there)), language_of(there)
    if mine != other:
        return True
    stems = {form for word in there for form in both_stems(word)}
    wanted = content_stems(answer)
    return not wanted or any(stem in stems for stem in wanted) or same_words(answer) in same_words(quotation)


def _options(draft: QuestionDraft) -> Sequence[str]:
    return draft.options if draft.kind in MOST_OPTIONS else ()


def _check_options(question: Question, fewest: int) -> None:
    options = question.options
    _require(fewest <= len(options) <= MOST_OPTIONS[question.kind], "number_of_options")
    forms = [same_words(option) for option in options]
    _require(all(forms) and len(set(forms)) == len(forms), "options_alike")
    stems = [frozenset(search_tokens(option)) for option in options]
    _require(len(set(stems) - {frozenset()}) == len([each for each in stems if each]), "options_alike")
    _require(not any(_CATCH_ALL.search(option.lower().strip(" .")) for option in options), "catch_all_option")


def _choice(question: Question, passage: SourcePassage) -> Question:
    is_single = question.kind is QuestionKind.SINGLE_CHOICE
    _check_options(question, 3)
    options, correct = question.options, sorted(set(question.correct))
    _require(bool(correct) and correct[0] >= 0 and correct[-1] < len(options), "key_out_of_range")
    _require(len(correct) == 1 if is_single else 1 < len(correct) < len(options), "number_of_keys")
    _require(len(question.correct) == len(correct), "number_of_keys")
    right = [options[at] for at in correct]
    wrong = [option for at, option in enumerate(options) if at not in correct]
    support = f"{question.quotation.words} {question.prompt}"
    source = support if is_single else f"{support} {passage.text}"
    _require(all(is_supported(option, source) for option in right), "key_not_supported")
    _require(not _gives_away(question.prompt, right, wrong), "gives_away")
    return question


def _gives_away(prompt: str, right: Sequence[str], wrong: Sequence[str]) -> bool:
    """Whether the right options can be told without knowing: they alone stand in the question, or are far longer."""
    asked = same_words(prompt)
    if any(same_words(option) in asked for option in right if len(option) > 3):
        return not all(same_words(option) in asked for option in wrong)
    longest = max(len(option) for option in wrong)
    return min(len(option) for option in right) > max(2 * longest, longest + 40)


def _true_false(question: Question, passage: SourcePassage) -> Question:
    _require(question.correct in ((0,), (1,)), "key_out_of_range")
    _require(is_supported(question.prompt, f"{question.quotation.words} {passage.text}"), "key_not_supported")
    shared = content_stems(question.prompt) & content_stems(question.quotation.words)
    is_same_language = language_of(search_tokens(question.prompt)) == language_of(
        search_tokens(question.quotation.words)
    )
    _require(not is_same_language or len(shared) >= 2, "key_not_supported")
    if question.correct == (0,):
        _require(set(_NUMBER.findall(question.prompt)) <= set(_NUMBER.findall(passage.text)), "key_not_supported")
    return question


def _cloze(question: Question, passage: SourcePassage) -> Question:
    _require(question.prompt.count(GAP) == 1, "number_of_gaps")
    _require(bool(question.accepted), "no_key")
    answer = question.accepted[0]
    words = search_tokens(question.quotation.words)
    _require(bool(search_tokens(answer)), "no_key")
    _require(
        _contains(words, search_tokens(answer)) or same_words(answer) in same_words(question.quotation.words),
        "key_not_supported",
    )
    around = search_tokens(question.prompt.replace(GAP, " "))
    _require(len(around) >= 3, "no_question")
    _require(not any(_contains(around, search_tokens(word)) for word in question.accepted), "gives_away")
    return question


def _short_answer(question: Question, passage: SourcePassage) -> Question:
    _require(len(search_tokens(question.key)) >= 1 and bool(question.points), "no_key")
    _require(is_supported(question.key, question.quotation.words), "key_not_supported")
    _require(same_words(question.key) not in same_words(question.prompt), "gives_away")
    return question


def _ordering(question: Question, passage: SourcePassage) -> Question:
    _check_options(question, 3)
    supported = [option for option in question.options if is_supported(option, passage.text)]
    _require(len(supported) == len(question.options), "key_not_supported")
    return replace(question, correct=tuple(range(len(question.options))))


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether words stand in a row among others."""
    return any(list(words[at : at + len(part)]) == list(part) for at in range(len(words) - len(part) + 1))


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise UnfitDraft(reason)


_CHECKS: Mapping[QuestionKind, Callable[[Question, SourcePassage], Question]] = {
    QuestionKind.SINGLE_CHOICE: _choice,
    QuestionKind.MULTIPLE_CHOICE: _choice,
    QuestionKind.TRUE_FALSE: _true_false,
    QuestionKind.CLOZE: _cloze,
    QuestionKind.SHORT_ANSWER: _short_answer,
    QuestionKind.ORDERING: _ordering,
}
