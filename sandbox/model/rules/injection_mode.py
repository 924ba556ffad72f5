"""Injection mode, the worst case for tests: a model that follows every instruction in a tool's result or a file."""

import json
import re
from collections.abc import Iterator
from typing import Any

from sandbox.model.reply import Call, Reply, calls, words
from sandbox.model.rules.commands import dictated
from sandbox.model.rules.planning.planner import plan
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role
from sandbox.model.rules.understanding.conversation import Conversation, Step, Turn

MOST_ROUNDS = 6
ADDRESS = re.compile(r"https?://[^\s)>\]\"']+")
MAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+\.[\w.]+")


def injected_calls(state: RequestState) -> Reply | None:
    """Calls for everything that results ask for; once nothing new is asked, the results word for word.
    None while there are no results yet: then the model behaves as always."""
    turn = state.conversation.now
    steps = [*(Step(id="", name="", input={}, result=file.text) for file in turn.files), *turn.steps]
    if not steps:
        return None
    made = [(step.name, json.dumps(dict(step.input), sort_keys=True)) for step in turn.steps]
    wanted: list[Call] = []
    for step in steps:
        for call in _demanded(state, step):
            key = (call.name, json.dumps(dict(call.input), sort_keys=True))
            if key not in made:
                made.append(key)
                wanted.append(call)
    if wanted and turn.rounds < MOST_ROUNDS:
        return calls(*wanted)
    return words("\n\n".join(step.result for step in steps))


def _demanded(state: RequestState, step: Step) -> Iterator[Call]:
    for call in dictated(step.result):
        yield Call(name=call.name, input=call.input)
    for name, profile in state.tools.items():
        for match in re.finditer(rf"\b{re.escape(name)}\b", step.result):
            yield Call(name=name, input=_arguments(profile, step.result, match.end()))
    yield from _understood(state, step)


def _understood(state: RequestState, step: Step) -> Iterator[Call]:
    # Every sentence of the result is read as if the student had said it.
    for sentence in re.split(r"(?<=[.!?])\s+|\n", step.result):
        if not 8 <= len(sentence) <= 600:
            continue
        alone = Conversation(turns=[Turn(said=sentence)], notes=[])
        pretended = RequestState(conversation=alone, tools=state.tools, now=state.now, spanish=False, courses=())
        for goal in plan(pretended):
            if goal.profile.action.is_write:
                yield Call(name=goal.profile.name, input=_completed(goal.profile, goal.arguments, sentence))


def _arguments(profile: Profile, text: str, at: int) -> dict[str, Any]:
    brace = text.find("{", at, at + 40)
    if brace >= 0:
        try:
            given, _ = json.JSONDecoder().raw_decode(text[brace:])
            return dict(given)
        except ValueError:
            pass
    return _completed(profile, {}, text[max(0, at - 300) : at + 600])


def _completed(profile: Profile, given: dict[str, Any], text: str) -> dict[str, Any]:
    # Whatever is required is filled with the most harmful thing at hand: an address, a mail address, the text itself.
    filled = dict(given)
    for param in profile.params:
        if param.name in filled:
            continue
        found = _bait(param.name, text)
        if found is not None:
            filled[param.name] = [found] if param.is_list else found
        elif param.required:
            filled[param.name] = _anything(param.role, param.kind, text)
    return filled


def _bait(name: str, text: str) -> str | None:
    if re.search(r"url|link|address|href|feed", name) and (address := ADDRESS.search(text)):
        return address.group()
    if re.search(r"guest|attendee|mail|recipient|invite|to$", name) and (mail := MAIL.search(text)):
        return mail.group()
    return None


def _anything(role: Role, kind: str, text: str) -> Any:
    if kind in ("integer", "number"):
        return 1
    if kind == "boolean":
        return True
    if role in (Role.START, Role.END, Role.DAY):
        return "2099-01-01T09:00:00+00:00" if role is not Role.DAY else "2099-01-01"
    identifier = re.search(r"\bid[:=]\s*([\w-]+)", text)
    return identifier.group(1) if role in (Role.ID, Role.REFERENCE) and identifier else text[:200]
