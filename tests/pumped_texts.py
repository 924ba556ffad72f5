"""Pumped texts, derived from the regular expressions of the code: what makes a search slow, if anything does."""

import ast
import importlib
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

_FUNCTIONS = ("compile", "sub", "subn", "split", "match", "search", "fullmatch", "finditer", "findall")
_SIGNS = "a1 \n-.[](){}<>\"'`*_#|:/@\\,;=&$~!?^+%Aé\t"
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
MANY = 30
NOISE_S = 0.05


def patterns_of(path: Path, root: Path) -> list[re.Pattern[Any]]:
    """The patterns that a file of the code names, as far as they can be told without running its functions."""
    return [pattern for _, pattern in calls_of(path, root)]


def calls_of(path: Path, root: Path) -> list[tuple[str, re.Pattern[Any]]]:
    """(function of `re`, pattern) of each of its calls, in a file's own order."""
    module = importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"))
    calls = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
    return [
        (call.func.attr, pattern)
        for call in calls
        if isinstance(call.func, ast.Attribute) and _is_of_re(call.func)
        if (pattern := _pattern(call, module)) is not None
    ]


def _is_of_re(called: ast.expr) -> bool:
    return (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Name)
        and called.value.id == "re"
        and called.attr in _FUNCTIONS
    )


def _pattern(call: ast.Call, module: ModuleType) -> re.Pattern[Any] | None:
    flags = [word.value for word in call.keywords if word.arg == "flags"]
    flags += [each for each in call.args[1:] if isinstance(each, ast.Attribute | ast.BinOp)]
    try:
        pattern, *given = (eval(ast.unparse(each), vars(module)) for each in [call.args[0], *flags])
    except NameError:
        return None
    flag = 0
    for each in given:
        flag |= each if isinstance(each, re.RegexFlag) else 0
    return re.compile(pattern, flag) if isinstance(pattern, str) else None


def pumps(pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    """(beginning, what is repeated) of the texts that may make the pattern slow."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    found = {("", sample) for sample in _samples(tree) if sample}
    for head, body in _repeats(tree, [""]):
        units = ((head, body), ("", head), ("", head + body), ("", body + "\n"), ("", f" {head}"))
        found |= {(begin, unit) for begin, unit in units if unit}
    return found


def is_linear(read: Callable[[str], object], begin: str, unit: str, length: int) -> bool:
    """Whether four times the length costs at most six times the CPU, the best of three; below `NOISE_S` it counts as
    nothing."""

    def cost(size: int) -> float:
        text = begin + unit * (size // len(unit) + 1) + "\n\0"
        start = time.process_time()
        read(text)
        return time.process_time() - start

    if cost(length) < NOISE_S:
        return True
    return min(cost(length) for _ in range(3)) <= 6 * max(cost(length // 4) for _ in range(3))


def _class_samples(items: Sequence[Any]) -> list[str]:
    return [sign for sign in _SIGNS if _is_in(items, sign)] or [chr(_first(items))]


def _first(items: Sequence[Any]) -> int:
    code, value = next(item for item in items if item[0] in (codes.LITERAL, codes.RANGE))
    return int(value if code is codes.LITERAL else value[0])


def _is_in(items: Sequence[Any], sign: str) -> bool:
    is_negated = bool(items) and items[0][0] is codes.NEGATE
    for code, value in items:
        if code is codes.LITERAL and ord(sign) == value:
            return not is_negated
        if code is codes.RANGE and value[0] <= ord(sign) <= value[1]:
            return not is_negated
        if code is codes.CATEGORY:
            name = str(value).rpartition("_")[2]
            is_member = re.match({"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name], sign) is not None
            if is_member != ("NOT" in str(value)):
                return not is_negated
    return is_negated


def _samples(tree: Any) -> list[str]:
    found = [""]
    for code, value in tree:
        found = [before + sample for before in found for sample in _samples_of(code, value)][:4]
    return found


def _samples_of(code: Any, value: Any) -> list[str]:
    if code is codes.LITERAL:
        return [chr(value)]
    if code is codes.NOT_LITERAL:
        return [next(sign for sign in _SIGNS if ord(sign) != value)]
    if code is codes.IN:
        return _class_samples(value)[:3]
    if code is codes.BRANCH:
        return [sample for branch in value[1] for sample in _samples(branch)[:2]][:6]
    if code in _REPEATS:
        least, _, body = value
        return [sample * max(least, 1) for sample in _samples(body)[:3]] + ([""] if least == 0 else [])
    if code is codes.SUBPATTERN:
        return _samples(value[3])
    if code is codes.ATOMIC_GROUP:
        return _samples(value)
    return ["a"] if code is codes.ANY else [""]


def _repeats(tree: Any, heads: list[str]) -> Iterator[tuple[str, str]]:
    """(what comes before, what is repeated) of each repetition without a bound."""
    for code, value in tree:
        if code in _REPEATS:
            _, most, body = value
            if most == codes.MAXREPEAT or most > MANY:
                is_class = len(body) == 1 and body[0][0] is codes.IN
                bodies = _class_samples(body[0][1])[:4] if is_class else _samples(body)
                yield from ((head, each) for head in heads for each in bodies if each)
            yield from _repeats(body, heads)
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, heads)
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            yield from _repeats(value[3] if code is codes.SUBPATTERN else value, heads)
        heads = [head + sample for head in heads for sample in _samples_of(code, value)][:3]
