"""Executor of goals: the next step is a call of tools, a question to the student, or the answer."""

import re
from collections.abc import Sequence

from sandbox.model.reply import Call, Reply, calls, words
from sandbox.model.rules.dialogue.clarification import candidates, picked
from sandbox.model.rules.dialogue.references import id_for, needs_lookup, words_for
from sandbox.model.rules.dialogue.rephrasing import Rephrased, rephrase
from sandbox.model.rules.language.courses import without_subject
from sandbox.model.rules.language.translation import in_english, without_accents
from sandbox.model.rules.planning.deadline_conflicts import deadlines_in_events
from sandbox.model.rules.planning.entity_search import EntityMatch, find_entity, open_params
from sandbox.model.rules.planning.goal_expansion import (
    entries_of,
    events_from,
    is_for_it,
    name_after,
    read_source,
    search_first,
    source_tool,
)
from sandbox.model.rules.planning.goals import Goal
from sandbox.model.rules.planning.planner import plan, refilled
from sandbox.model.rules.planning.preparation import prepare
from sandbox.model.rules.planning.questions import offer, question
from sandbox.model.rules.planning.sessions import fewer_than_asked
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses import diagrams as drawing
from sandbox.model.rules.responses import small_talk as smalltalk
from sandbox.model.rules.responses.answers import answer, found_at, is_settled, not_there, nothing_fits, opening
from sandbox.model.rules.search.fallback_search import FallbackSearch
from sandbox.model.rules.slots.ability_slots import meant
from sandbox.model.rules.tools.schema import Action, Param, Role
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.intent import Intent

MOST_ROUNDS = 6
FOUND_NOTHING = re.compile(r"\s*(?:No|Nothing|None|0)\b")
Part = tuple[Step, Intent | None]


def decide(state: RequestState) -> Reply:
    """The reply to a request whose last message is the student's or brings results."""
    turn = state.conversation.now
    if not turn.steps and (smalltalk.refuses_work(turn.said) or smalltalk.is_talk(state)):
        return words(opening(state) + smalltalk.reply(state))
    if not turn.steps and drawing.is_asked(turn.said):
        return words(opening(state) + drawing.reply(state))
    told = rephrase(state)
    if told.call is not None and turn.rounds < MOST_ROUNDS:
        return calls(told.call)
    if told.says:
        return words(opening(state) + told.says)
    if (met := deadlines_in_events(state)) is not None:
        return met
    goals = plan(state)
    if not goals and not turn.steps:
        return words(opening(state) + smalltalk.reply(state))
    if not goals or turn.rounds >= MOST_ROUNDS:
        stopped = f"{state.say('stopped')}\n\n" if goals else ""
        return words(opening(state) + stopped + answer(state, [(step, None) for step in turn.steps]))
    return _Execution(state, goals, told).reply()


class _Execution:
    """Walks through the goals once and collects what is to be called, said and shown."""

    def __init__(self, state: RequestState, goals: Sequence[Goal], told: Rephrased) -> None:
        self._state = state
        self._goals = list(goals)
        self._remark = told.remark
        self._steps = [step for step in state.conversation.now.steps if step.id not in told.used]
        self._used: set[str] = set()
        self._parts: list[Part | str] = []
        self._calls: list[Call] = []

    def reply(self) -> Reply:
        """Calls as long as some are left to make; then the answer."""
        for goal in list(self._goals):
            self._advance(goal)
        if self._calls:
            return calls(*_distinct(self._calls))
        said = answer(self._state, self._parts)
        if (
            len(self._parts) == 1
            and not isinstance(self._parts[0], str)
            and self._goals
            and not self._goals[0].fallback
        ):
            said = "\n\n".join(filter(None, [said, offer(self._state, self._goals[0], self._parts[0][0])]))
        if self._remark:
            said = f"{self._remark}\n\n{said.removeprefix(self._state.say('lead'))}"
        return words(opening(self._state) + said)

    def _advance(self, goal: Goal) -> None:
        if goal.fallback is not None:
            self._search(goal.fallback)
            return
        if self._waits_for_one_before(goal) or self._takes_from_list(goal) or self._cites_finds(goal):
            return
        done = self._done(goal)
        if done is not None:
            self._tell(goal, done)
        elif self._prepares(goal):
            return
        elif asked := question(self._state, goal):
            self._parts.append(asked)
        else:
            self._call(goal)

    def _search(self, fallback: FallbackSearch) -> None:
        """Look at one place after the other until one has something."""
        failed: list[Part | str] = []
        hints: list[Part | str] = []
        for source in fallback.sources:
            made = [
                step for step in self._steps_of(source.profile.name) if source.arguments.items() <= step.input.items()
            ]
            if not made:
                self._calls.append(Call(name=source.profile.name, input=dict(source.arguments)))
                return
            self._used.add(made[0].id)
            if made[0].is_error:
                failed.append((made[0], None))
            elif proven := source.proven(made[0].items):
                self._parts.append(found_at(self._state, made[0], proven))
                return
            elif (hinted := source.hints(made[0].items)) and not hints:
                hints.append(found_at(self._state, made[0], hinted, is_hint=True))
        self._parts += [*failed, not_there(self._state, fallback), *hints]

    def _waits_for_one_before(self, goal: Goal) -> bool:
        """Whether a new event is for what an earlier part of the message looks up, and that is not there yet."""
        before = [other for other in self._goals[: self._goals.index(goal)] if not other.profile.action.is_write]
        if not is_for_it(goal) or not before:
            return False
        steps = self._steps_of(before[-1].profile.name)
        if not steps:
            return True
        self._parts += [asked] if (asked := name_after(self._state, goal, before[-1].profile, steps[-1])) else []
        return bool(asked)

    def _takes_from_list(self, goal: Goal) -> bool:
        """Whether the goal's time comes from a list; then that is read, and one goal for each thing takes its place."""
        tool = source_tool(self._state, goal)
        if tool is None:
            return False
        made = self._steps_of(tool.name)
        if not made:
            self._calls.append(read_source(self._state, goal, tool))
            return True
        events, left = events_from(self._state, goal, tool, made)
        self._used.update(step.id for step in made)
        self._goals += events
        for event in events:
            self._advance(event)
        self._parts += [left] if left and not self._calls else []
        if not events:
            self._parts.append((made[-1], None))
            self._parts.append(nothing_fits(self._state, tool, is_write=True))
        return True

    def _cites_finds(self, goal: Goal) -> bool:
        """Whether the goal's addresses come from a search; then one goal for each find takes its place."""
        found = search_first(self._state, goal)
        if found is None:
            return False
        made = self._steps_of(found[0].name)
        if not made:
            self._calls.append(found[1])
            return True
        self._used.update(step.id for step in made)
        entries = entries_of(goal, made[-1])
        self._goals = [*(other for other in self._goals if other is not goal), *entries]
        for entry in entries:
            self._advance(entry)
        if not entries:
            self._parts.append((made[-1], None))
        return True

    def _tell(self, goal: Goal, done: Step) -> None:
        """Show what a call found; where Spanish words found nothing, what the English ones do."""
        again = self._in_other_words(goal, done)
        if done.items or goal.profile.action.is_write or again == done.input or not FOUND_NOTHING.match(done.result):
            self._parts.append((done, goal.intent))
            self._parts += [fewer] if (fewer := fewer_than_asked(self._state, goal, done)) else []
            return
        made = next((step for step in self._steps_of(goal.profile.name) if step.input == again), None)
        if made is None:
            self._calls.append(Call(name=goal.profile.name, input=again))
        else:
            self._used.add(made.id)
            self._parts.append((made if made.items or candidates(made) else done, goal.intent))

    def _in_other_words(self, goal: Goal, done: Step) -> dict[str, object]:
        """What to look for when the student's own words find nothing: the English ones, or without the course."""
        words = {name: value for name, value in done.input.items() if isinstance(value, str)}
        retold = {name: in_english(value) or without_accents(value) for name, value in words.items()}
        if self._state.spanish and retold != words:
            return {**done.input, **retold}
        query = next((param.name for param in goal.profile.params if param.role is Role.QUERY), "")
        is_search = goal.profile.action is Action.SEARCH and not goal.intent.quoted
        fewer = without_subject(words.get(query, "")) if is_search else ""
        return {**done.input, query: fewer} if fewer else dict(done.input)

    def _prepares(self, goal: Goal) -> bool:
        """Whether something else comes instead of the goal's own call."""
        found = prepare(self._state, goal, self._steps)
        if found is None:
            return False
        self._used.update(found.used)
        self._calls += found.calls
        self._parts += [found.says] if found.says else []
        self._parts += [(found.failed, None)] if found.failed else []
        return bool(found.calls or found.says or found.failed)

    def _done(self, goal: Goal) -> Step | None:
        twins = [other for other in self._goals if other.profile.name == goal.profile.name]
        is_write = goal.profile.action.is_write
        for step in self._steps_of(goal.profile.name):
            # Several goals may use one tool: then the arguments tell which call was whose.
            is_its_own = all(step.input.get(name) == value for name, value in goal.arguments.items())
            if step.id not in self._used and (len(twins) == 1 or is_its_own or (is_write and is_settled(step))):
                self._used.add(step.id)
                return step
        return None

    def _call(self, goal: Goal) -> None:
        ids: dict[str, object] = {}
        for position, param in enumerate(open_params(goal)):
            found = self._id(goal, param)
            if found is None:
                return
            ids[param.name] = found.id
            if position == 0 and found.entity is not None:
                goal.entity = found.entity
        if goal.profile.action is Action.CHANGE and goal.entity is not None and not goal.profile.ability:
            goal.arguments = refilled(self._state, goal, goal.entity).arguments
            if not goal.arguments:
                self._parts.append(self._state.say("ask.change"))
                return
        self._calls.append(Call(name=goal.profile.name, input={**ids, **goal.arguments}))

    def _id(self, goal: Goal, param: Param) -> EntityMatch | None:
        """The id that a parameter wants; None when a look-up, a question or a refusal took its place."""
        if goal.entity is not None and (known := id_for(param, goal.entity)):
            return EntityMatch(id=known, entity=goal.entity)
        if needs_lookup(param, self._state.tools, goal.profile):
            found = find_entity(self._state, goal, param, self._steps)
            self._used.update(found.used)
        else:
            named = self._named(goal, param)
            title = goal.entity.title if goal.entity else ""
            found = EntityMatch(id=named or title, says="" if named or title else self._state.say("ask.thing"))
        if found.id:
            return found
        self._calls += found.calls
        self._parts += [found.says] if found.says else []
        self._parts += [(step, None) for step in found.failed]
        return None

    def _named(self, goal: Goal, param: Param) -> str:
        before = self._state.conversation.before
        if goal.answered and before and (chosen := picked(before[-1].steps, goal.answered)):
            return chosen
        if goal.profile.ability:
            return meant(param, goal.intent)
        return words_for(param, goal.intent, with_course=goal.profile.param(Role.COURSE) is None)

    def _steps_of(self, name: str) -> list[Step]:
        return [step for step in self._steps if step.name == name]


def _distinct(wanted: Sequence[Call]) -> list[Call]:
    kept: list[Call] = []
    for call in wanted:
        if not any(call.name == other.name and call.input == other.input for other in kept):
            kept.append(call)
    return kept
