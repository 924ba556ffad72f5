"""Questions and cards of the demo model: made from sentences of passages by one general rule, which they quote."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

from sandbox.model.deferred_tools import blocks_of
from sandbox.model.reply import Reply, Text
from sandbox.model.structured_output.facts import WORD, Fact, facts_of, steps_of
from sandbox.model.structured_output.schema_check import output_schema

ASKS = re.compile(r"You write (questions of practice|flashcards) for a student")
PASSAGE = re.compile(
    r"^--- (?P<mark>\w+) passage \d+[^\n]*\n(?P<text>.*?)(?=\n--- (?P=mark) )", re.DOTALL | re.MULTILINE
)
COUNT = re.compile(r"^Write (\d+)\b", re.MULTILINE)
KINDS = re.compile(r"^Kinds: ([\w, ]+);", re.MULTILINE)
ASKED = re.compile(r"^Asked already:\n((?:- .*\n?)+)", re.MULTILINE)
SPANISH = re.compile(r"^Write .* in Spanish\b", re.MULTILINE)
GAP = "____"
EMPTY: Mapping[str, Any] = {"options": [], "correct": [], "accepted": [], "key": "", "points": [], "explanation": ""}

Item = dict[str, Any]


def written_questions(body: Mapping[str, Any]) -> Reply | None:
    """The questions or cards that are asked for, as JSON; None for any other request."""
    system = "\n".join(block.get("text", "") for block in blocks_of({"content": body.get("system") or []}))
    if (asks := ASKS.search(system)) is None:
        return None
    asked = "\n".join(block.get("text", "") for block in blocks_of(body["messages"][-1]))
    writer = _Writer(asked)
    schema = output_schema(body)
    item = schema["properties"]["items"]["items"] if schema else {}
    if asks[1] == "flashcards":
        items = writer.cards()
    else:
        named = KINDS.search(asked)
        kinds = item.get("properties", {}).get("kind", {}).get("enum") or (named[1].split(", ") if named else [])
        items = writer.questions(kinds)
    wanted = item.get("properties")
    written = [{name: value for name, value in each.items() if not wanted or name in wanted} for each in items]
    return Reply(blocks=(Text(text=json.dumps({"items": written}, ensure_ascii=False)),))


class _Writer:
    """Writer of one request."""

    def __init__(self, asked: str) -> None:
        count, known = COUNT.search(asked), ASKED.search(asked)
        self._count = int(count[1]) if count else 1
        self._known = [_words(line) for line in known[1].splitlines()] if known else []
        self._is_spanish = SPANISH.search(asked) is not None
        self._passages = [found["text"] for found in PASSAGE.finditer(asked)]
        self._facts = facts_of(self._passages)
        self._terms = list(dict.fromkeys(fact.term for fact in self._facts))

    def questions(self, kinds: Sequence[str]) -> list[Item]:
        """As many as asked for, as far as the passages hold; the kinds take turns."""
        makers: dict[str, Callable[[Fact], Item | None]] = {
            "single_choice": self._choice,
            "cloze": self._cloze,
            "true_false": self._true_false,
            "short_answer": self._short_answer,
            "multiple_choice": self._choices,
        }
        orderings = list(self._orderings()) if "ordering" in kinds else []
        items = [item for item in orderings if self._is_new(item["prompt"] + " ".join(item["options"]))]
        items = items[: self._count if list(kinds) == ["ordering"] else max(1, self._count // 6)]
        turns = [kind for kind in makers if kind in kinds]
        for fact in self._facts:
            if len(items) >= self._count or not turns:
                break
            if not self._is_new(fact.sentence):
                continue
            item, used = next(((made, kind) for kind in turns if (made := makers[kind](fact))), (None, ""))
            if item is not None:
                items.append(item)
                turns.append(turns.pop(turns.index(used)))
        return items[: self._count]

    def cards(self) -> list[Item]:
        items = []
        for fact in self._facts:
            if self._is_new(fact.sentence):
                front = self._what_is(fact.term) if fact.what else fact.with_term(GAP)
                items.append({**self._base(fact), "front": front, "back": fact.what or fact.term})
        return items[: self._count]

    def _is_new(self, sentence: str) -> bool:
        words = _words(sentence)
        if any(len(words & known) > 0.6 * min(len(words), len(known)) for known in self._known):
            return False
        self._known.append(words)
        return True

    def _base(self, fact: Fact) -> Item:
        return {"passage": fact.passage, "quotation": fact.sentence, "topic": fact.heading[:40] or fact.term}

    def _item(self, fact: Fact, kind: str, prompt: str, **rest: Any) -> Item:
        return {**EMPTY, **self._base(fact), "kind": kind, "prompt": prompt, "explanation": fact.sentence, **rest}

    def _what_is(self, term: str) -> str:
        plural = term.endswith("s") and not term.endswith(("ss", "is", "us"))
        if self._is_spanish:
            return f"¿Qué {'son' if plural else 'es'} {term}?"
        return f"What {'are' if plural else 'is'} {term}?"

    def _cloze(self, fact: Fact) -> Item:
        return self._item(fact, "cloze", fact.with_term(GAP), accepted=[fact.term])

    def _choice(self, fact: Fact) -> Item | None:
        others = self._others(fact, 3)
        if len(others) < 3:
            return None
        is_described = bool(fact.what) and not _has(fact.what, fact.term)
        described = "¿Qué término se describe aquí?" if self._is_spanish else "Which term is described here?"
        missing = "¿Qué falta en esta frase?" if self._is_spanish else "What is missing in this sentence?"
        prompt = f"{described} “{fact.what}”" if is_described else f"{missing} “{fact.with_term(GAP)}”"
        options, at = _placed(fact.term, others)
        return self._item(fact, "single_choice", prompt, options=options, correct=[at])

    def _choices(self, fact: Fact) -> Item | None:
        same = [other for other in self._facts if other.passage == fact.passage and other.is_sentence]
        same = [other for other in same if other.sentence != fact.sentence] if fact.is_sentence else []
        wrong = [each.with_term(others[0]) for each in same[1:3] if (others := self._others(each, 1))]
        if not wrong or not all(self._is_new(each.sentence) for each in same[:3]):
            return None
        options = [fact.sentence, *wrong, same[0].sentence]
        english, spanish = "Which statements are right? Several are.", "¿Qué afirmaciones son correctas? Son varias."
        prompt = spanish if self._is_spanish else english
        about = f"{fact.heading}: " if fact.heading else ""
        return self._item(fact, "multiple_choice", f"{about}{prompt}", options=options, correct=[0, len(options) - 1])

    def _true_false(self, fact: Fact) -> Item | None:
        if not fact.is_sentence:
            return None
        others = self._others(fact, 1)
        is_true = not others or crc32(fact.sentence.encode()) % 2 == 0
        return self._item(
            fact, "true_false", fact.sentence if is_true else fact.with_term(others[0]), correct=[0 if is_true else 1]
        )

    def _short_answer(self, fact: Fact) -> Item | None:
        if not fact.what:
            return None
        points = [part.strip() for part in re.split(r"[,;]\s+|\s+(?:that|which|que)\s+", fact.what) if len(part) > 8]
        return self._item(
            fact, "short_answer", self._what_is(fact.term), key=fact.sentence, points=points[:4] or [fact.what]
        )

    def _orderings(self) -> Iterator[Item]:
        for number, text in enumerate(self._passages, 1):
            for before, steps in steps_of(text):
                options = [re.split(r"(?<=\w)[.:;](?:\s|$)", step)[0][:90] for step in steps]
                if len(set(options)) < len(options):
                    continue
                asks = "Ordena estos pasos" if self._is_spanish else "Put these steps in order"
                fact = Fact(passage=number, sentence=steps[0], term=options[0], heading=before)
                prompt = f"{asks}: {before}" if before else f"{asks}."
                yield self._item(fact, "ordering", prompt, options=options, correct=list(range(len(options))))

    def _others(self, fact: Fact, count: int) -> list[str]:
        """Terms of other sentences that could stand in the term's place, the likest first."""
        fitting = [term for term in self._terms if not _has(fact.sentence, term) and _form(term) == _form(fact.term)]
        apart = [term for term in fitting if term[:5].lower() != fact.term[:5].lower()]
        return sorted(apart, key=lambda term: (term[-2:] != fact.term[-2:], abs(len(term) - len(fact.term))))[:count]


def _form(term: str) -> tuple[bool, bool, bool]:
    """What two words must share to change places: capitals, plural, and whether they are one word."""
    return term[0].isupper(), term.endswith("s") and not term.endswith(("ss", "is", "us")), " " in term


def _has(sentence: str, term: str) -> bool:
    return re.search(rf"\b{re.escape(term)}\b", sentence, re.IGNORECASE) is not None


def _placed(right: str, wrong: Sequence[str]) -> tuple[list[str], int]:
    at = crc32(right.encode()) % (len(wrong) + 1)
    return [*wrong[:at], right, *wrong[at:]], at


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in WORD.findall(text) if len(word) > 3)
