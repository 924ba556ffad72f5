"""Decides the next step: call tools, ask the student, or answer."""

from collections.abc import Sequence

from sandbox.model.brain import memory, phrases, smalltalk
from sandbox.model.brain.answers import answer, list_of, opening
from sandbox.model.brain.conversation import Step
from sandbox.model.brain.intent import Action, Intent
from sandbox.model.brain.lookups import look_up, open_params
from sandbox.model.brain.memory import Thing, thing_of
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.offers import offer
from sandbox.model.brain.plan import Goal, plan, refilled
from sandbox.model.brain.questions import question
from sandbox.model.brain.resolve import by_words, id_for, is_place, lookup_tool, needs_lookup, words_for
from sandbox.model.brain.schema import Role
from sandbox.model.brain.sources import events_from, read_source, source_tool
from sandbox.model.reply import Call, Reply, calls, words

MOST_ROUNDS = 6


def decide(mind: Mind) -> Reply:
    """The reply to a request whose last message is the student's or brings results."""
    turn = mind.conversation.now
    if not turn.steps and smalltalk.refuses_work(turn.said):
        return words(opening(mind) + smalltalk.reply(mind))
    goals = plan(mind)
    if not goals:
        return words(opening(mind) + (smalltalk.reply(mind) if not turn.steps else answer(mind, _all(turn.steps))))
    if turn.rounds >= MOST_ROUNDS:
        return words(opening(mind) + mind.say(*phrases.STOPPED) + "\n\n" + answer(mind, _all(turn.steps)))
    return _Chain(mind, goals).reply()


class _Chain:
    def __init__(self, mind: Mind, goals: Sequence[Goal]) -> None:
        self._mind = mind
        self._goals = goals
        self._steps = list(mind.conversation.now.steps)
        self._used: set[str] = set()
        self._parts: list[tuple[Step, Intent | None]] = []
        self._said: list[str] = []
        self._calls: list[Call] = []

    def reply(self) -> Reply:
        """Calls as long as some are left to make; then the answer."""
        for goal in list(self._goals):
            self._advance(goal)
        if self._calls:
            return calls(*self._distinct_calls())
        text = answer(self._mind, self._parts)
        offered = offer(self._mind, self._goals[0], self._parts[0][0]) if len(self._parts) == 1 and not self._said else ""
        return words(opening(self._mind) + "\n\n".join(part for part in (text, *self._said, offered) if part))

    def _advance(self, goal: Goal) -> None:
        if self._takes_from_list(goal):
            return
        done = self._done(goal)
        if done is not None:
            self._parts.append((done, goal.intent))
            return
        if asked := question(self._mind, goal):
            self._said.append(asked)
            return
        arguments = self._with_ids(goal)
        if arguments is not None:
            self._calls.append(Call(name=goal.profile.name, input=arguments))

    def _takes_from_list(self, goal: Goal) -> bool:
        """Whether the goal's time comes from a list; then that is read, and one goal for each thing takes its place."""
        tool = source_tool(self._mind, goal)
        if tool is None:
            return False
        made = [step for step in self._steps if step.name == tool.name]
        if not made:
            self._calls.append(read_source(self._mind, goal, tool))
            return True
        events = events_from(self._mind, goal, tool, made)
        self._used.update(step.id for step in made)
        for event in events:
            self._goals = [*self._goals, event]
        for event in events:
            self._advance(event)
        if not events:
            self._parts.append((made[-1], None))
            self._said.append(self._mind.say(*phrases.NONE_FITS))
        return True

    def _done(self, goal: Goal) -> Step | None:
        for step in self._steps:
            if step.name == goal.profile.name and step.id not in self._used and _is_for(step, goal, self._goals):
                self._used.add(step.id)
                return step
        return None

    def _with_ids(self, goal: Goal) -> dict[str, object] | None:
        """The arguments with ids filled; None when a look-up, a question or a refusal took their place."""
        found: dict[str, object] = {}
        for param in open_params(goal):
            if goal.thing is not None and (known := id_for(param, goal.thing)):
                found[param.name] = known
                continue
            if not needs_lookup(param, self._mind.tools, goal.profile):
                name = words_for(param, goal.intent, with_course=goal.profile.param(Role.COURSE) is None) or (goal.thing.title if goal.thing else "")
                if not name:
                    self._said.append(self._mind.say(*phrases.ASK["thing"]))
                    return None
                found[param.name] = name
                continue
            thing = self._looked_up(goal, param)
            if thing is None:
                return None
            goal.thing = thing if param is open_params(goal)[0] else goal.thing
            found[param.name] = id_for(param, thing)
        if goal.thing is not None and goal.profile.action is Action.CHANGE:
            filled = refilled(self._mind, goal, goal.thing)
            goal.arguments = filled.arguments
            if not goal.arguments:
                self._said.append(self._mind.say(*phrases.ASK["change"]))
                return None
        return {**found, **goal.arguments}

    def _looked_up(self, goal: Goal, param) -> Thing | None:  # type: ignore[no-untyped-def]
        mind, tool = self._mind, lookup_tool(param, goal.profile, self._mind.tools)
        known = (
            memory.listed_things(mind.conversation.before[-3:], mind.tools, mind.now)
            if goal.profile.action.is_write
            else []
        )
        known = [thing for thing in known if any(thing.objects.get(name, 0) > 0.5 for name in goal.profile.objects)]
        earlier = by_words(goal.intent, known, extra=goal.answered)
        if earlier.thing is not None and not goal.intent.is_pronoun:
            return earlier.thing
        if tool is None:
            self._said.append(mind.say(*phrases.ASK["thing"]))
            return None
        made = [step for step in self._steps if step.name == tool.name]
        call = look_up(mind, goal, param, tool, attempt=len(made))
        if call is not None and not made:
            self._calls.append(call)
            return None
        self._used.update(step.id for step in made)
        return self._chosen(goal, param, tool, made, call)

    def _chosen(self, goal: Goal, param, tool, made: list[Step], again: Call | None) -> Thing | None:  # type: ignore[no-untyped-def]
        mind = self._mind
        failed = [step for step in made if step.is_error]
        if failed:
            self._parts.append((failed[-1], None))
            return None
        items = [item for step in made for item in step.items if item.ids]
        things = [thing_of(item, tool, mind.now) for item in items]
        choice = by_words(goal.intent, things, extra=f"{goal.answered} {words_for(param, goal.intent)}")
        if choice.thing is not None:
            return choice.thing
        has_name = bool(words_for(param, goal.intent)) or (goal.intent.located.is_said and not is_place(param))
        if len(things) == 1 and (not has_name or tool.action is Action.SEARCH):
            return things[0]
        if again is not None and len(made) < 2:
            self._calls.append(again)
            return None
        listed = [item for item in items if not choice.others or item.title in {thing.title for thing in choice.others}]
        self._said.append(self._which(goal, param, listed, is_choice=bool(choice.others) or not has_name))
        return None

    def _which(self, goal: Goal, param, items, *, is_choice: bool) -> str:  # type: ignore[no-untyped-def]
        mind = self._mind
        if not items or not (is_choice or is_place(param)):
            none = phrases.NONE_FITS if goal.profile.action.is_write else phrases.NONE_FOUND
            return mind.say(*none)
        asked = phrases.ASK["place"] if is_place(param) else phrases.SEVERAL
        return f"{list_of(items[:6])}\n\n{mind.say(*asked)}"

    def _distinct_calls(self) -> list[Call]:
        kept: list[Call] = []
        for call in self._calls:
            if not any(call.name == other.name and call.input == other.input for other in kept):
                kept.append(call)
        return kept


def _is_for(step: Step, goal: Goal, goals: Sequence[Goal]) -> bool:
    # Several goals may use one tool: then the arguments tell which call was whose.
    twins = [other for other in goals if other.profile.name == goal.profile.name]
    if len(twins) == 1:
        return True
    return all(step.input.get(name) == value for name, value in goal.arguments.items())


def _all(steps: Sequence[Step]) -> list[tuple[Step, Intent | None]]:
    return [(step, None) for step in steps]
