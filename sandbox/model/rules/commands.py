"""Commands that dictate what the model does, for tests and demonstrations: /call, /loop, /say, /say-long."""

import json
import re
from dataclasses import dataclass
from typing import Any

from sandbox.model.reply import Call, Reply, calls, words
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import quoted_result

CALL = re.compile(r"^[ \t]*/(?P<verb>call|loop)[ \t]+(?P<name>\S+)[ \t]*", re.MULTILINE)
SAY = re.compile(r"^\s*/say(?:[ \t]|\n)(?P<text>.*)\Z", re.DOTALL)
SAY_LONG = re.compile(r"^\s*/say-long\s+(?P<count>\d{1,6})\s*\Z")
MOST_LOOPS = 200


@dataclass(frozen=True)
class Dictated:
    """One /call line: the tool's name and its arguments, or why they are not JSON."""

    name: str
    input: dict[str, Any]
    problem: str = ""


def is_dictated(state: RequestState) -> bool:
    """Whether the student's message names the calls itself."""
    return re.match(r"^\s*/(?:call|loop)\s", state.conversation.now.said) is not None


def command_reply(state: RequestState) -> Reply | None:
    """The reply to a command; None when the student's message is none."""
    said = state.conversation.now.said
    if long := SAY_LONG.match(said):
        return words(" ".join(f"word{number}" for number in range(1, int(long["count"]) + 1)))
    if echoed := SAY.match(said):
        return words(echoed["text"])
    if is_dictated(state):
        return _called(state, said)
    return None


def dictated(text: str) -> list[Dictated]:
    """Every /call in a text, with the JSON object behind it (it may span lines; none means {})."""
    return [_dictated(text, match) for match in CALL.finditer(text)]


def _called(state: RequestState, said: str) -> Reply:
    turn, wanted = state.conversation.now, dictated(said)
    wrong = [call for call in wanted if call.problem]
    if wrong:
        return words(state.say("bad_call").format(name=wrong[0].name, problem=wrong[0].problem))
    goes_on = said.lstrip().startswith("/loop") and turn.rounds < MOST_LOOPS
    if (turn.steps or turn.searches) and not goes_on:
        return words(quoted_result(state, [*turn.steps, *turn.searches]))
    return calls(*(Call(name=call.name, input=call.input) for call in wanted))


def _dictated(text: str, match: re.Match[str]) -> Dictated:
    rest = text[match.end() :]
    if not rest.startswith("{"):
        leftover = rest.partition("\n")[0].strip()
        return Dictated(match["name"], {}, "expected an object" if leftover else "")
    try:
        value, end = json.JSONDecoder().raw_decode(rest)
    except ValueError as error:
        return Dictated(match["name"], {}, str(error))
    leftover = rest[end:].partition("\n")[0].strip()
    return Dictated(match["name"], value, f"unexpected text after it: {leftover[:40]}" if leftover else "")
