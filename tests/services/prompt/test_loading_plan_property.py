"""A conversation under *append*: whatever comes and goes, what was answered before stands in front unchanged."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.model.blocks import check_messages
from sandbox.model.tool_changes import BY_REFERENCE, check_changes
from sandbox.model.tool_result_pairs import check_pairs
from services.assistants.assistant import Assistant
from services.discovery.contexts import FoundContext, filter_by_context
from services.discovery.usage import UsageProfiles
from services.identity.students import Student
from services.integrations.catalog import IntegrationPrompts
from services.llm.chat_model import ModelRequest
from services.llm.messages import StoredMessage, result_block, text_block
from services.prompt.loading_plan import LoadingPlan
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.prompt_builder import PromptBuilder
from services.prompt.request_messages import tool_reference
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.tools.availability import DisabledIntegration
from services.tools.providers.local import LocalToolsProvider
from services.tools.resolution import Resolution
from services.tools.result import ToolResult
from services.tools.tool import Effect, Tool
from services.tools.toolbox import Toolbox

MAYA = Student(id="maya", name="Maya Chen", email="", timezone="America/Chicago")
CONTEXTS = ("courses", "calendar", "notes")
MODEL = "claude-haiku-5-5"
NOW = datetime(2026, 11, 21, tzinfo=UTC)


def make(name: str, context: str) -> Tool:
    return Tool(
        name=name,
        description=f"{name} of {context}.",
        label=name,
        title=name,
        category=context,
        contexts=(context,),
        effect=Effect.READ,
        integration=context,
        schema={"type": "object", "properties": {}},
        validate=dict,
        function=lambda context: ToolResult(),
    )


ROOT = [make(f"{context}_{number}", context) for context in CONTEXTS for number in range(5)]


class SaidContexts:
    """A detector that finds the contexts which a message names."""

    def detect(self, message: str, history: Sequence[Any] = (), **_: Any) -> tuple[FoundContext, ...]:
        return tuple(FoundContext(name=name, confidence=0.9) for name in CONTEXTS if name in message)


class EveryTool:
    """A ranker for which a message needs every tool of its contexts."""

    def needed_tools(
        self,
        message: str,
        history: Any,
        tools: Sequence[Tool],
        contexts: Sequence[FoundContext],
        *,
        habits: Mapping[str, float],
    ) -> Sequence[Tool]:
        return filter_by_context(tools, [context.name for context in contexts])

    def implied_contexts(self, message: str, tools: Sequence[Tool]) -> tuple[FoundContext, ...]:
        return ()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(SqliteDocuments(tmp_path_factory.mktemp("talk") / "talk.sqlite", clock=lambda: NOW))


class Talk:
    """One conversation, its plan made anew for each turn as a process that knows nothing of the last one would."""

    def __init__(self, store: Store) -> None:
        self._root = LocalToolsProvider(ROOT)
        self._store = store
        self.messages: list[StoredMessage] = []
        self.requests: list[ModelRequest] = []
        self.connected = {"courses", "calendar"}
        self.words = "You are kind."

    def say(self, text: str, calls: Sequence[str] = (), found: Sequence[str] = (), *, fails: bool = False) -> None:
        turn = str(len(self.messages))
        self._keep("user", [text_block(text)], {"turn_id": turn})
        loading = self._begin(turn)
        self._ask(loading, fails=fails)
        if fails:
            return
        for name, content in ((c, [text_block("ok")]) for c in calls):
            self._step(loading, name, content)
        if found:
            self._step(loading, "find_tools", [tool_reference(name) for name in found])
        self._keep("assistant", [text_block("Done.")], {"turn_id": turn, "plan": loading.to_json(self.messages)})

    def _step(self, loading: LoadingPlan, name: str, content: list[Any]) -> None:
        id = f"c{len(self.messages)}"
        call = {"type": "tool_use", "id": id, "name": name, "input": {}}
        turn = {"turn_id": loading.turn_id}
        self._keep("assistant", [call], {**turn, "plan": loading.to_json(self.messages)})
        self._keep("user", [result_block(id, "", blocks=content)], {**turn, "results": {id: {}}})
        self._ask(loading)

    def _ask(self, loading: LoadingPlan, *, fails: bool = False) -> None:
        addition = loading.system_update(self.messages)
        sent = list(self.messages)
        if addition is not None:
            sent.append(StoredMessage(seq=99, role="system", content=addition.content, meta=addition.meta))
            if not fails:
                self._keep("system", addition.content, addition.meta)
        if not fails:
            self.requests.append(loading.request(sent))

    def _begin(self, turn: str) -> LoadingPlan:
        nothing: Any = None
        plans = LoadingPlanner(
            store=self._store,
            clock=lambda: NOW,
            prompts=PromptBuilder(
                words=lambda id: IntegrationPrompts(connected=f"{id} it is.", missing="", reconnect="")
            ),
            detector=SaidContexts(),  # type: ignore[arg-type]
            ranker=EveryTool(),  # type: ignore[arg-type]
            profiles=UsageProfiles(self._store),
            usage=nothing,
            root=self._root,
            strategy="append",
        )
        enabled = tuple(tool for tool in ROOT if tool.integration in self.connected)
        missing = [context for context in CONTEXTS if context not in self.connected]
        disabled = [
            DisabledIntegration(integration=tool, label=tool, kind="missing", reason="gone") for tool in missing
        ]
        resolution = Resolution(tools=enabled, connected=tuple(sorted(self.connected)), disabled=tuple(disabled))
        rest: Any = dict.fromkeys(("reading", "acting", "undoing", "container", "root", "dispatcher"))
        toolbox = Toolbox(student=MAYA, resolution=resolution, asking=self._root, connections={}, **rest)
        assistant = Assistant(id="kind", name="Kind", words=self.words)
        return plans.plan_turn(turn, toolbox, assistant, MODEL, self.messages)

    def _keep(self, role: Any, content: Sequence[Any], meta: Mapping[str, Any]) -> None:
        # As it comes back from a store.
        written = json.loads(json.dumps([list(content), dict(meta)]))
        seq = len(self.messages) + 1
        self.messages.append(StoredMessage(seq=seq, role=role, content=written[0], meta=written[1]))


def flat(request: ModelRequest) -> list[tuple[str, Any]]:
    return [(message["role"], block) for message in request.messages for block in message["content"]]


def body(request: ModelRequest) -> dict[str, Any]:
    return {"tools": list(request.tools), "messages": list(request.messages)}


names = st.sampled_from([tool.name for tool in ROOT])
events = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sets(st.sampled_from(CONTEXTS)), st.lists(names, max_size=2)),
        st.tuples(st.just("find"), st.lists(names, min_size=1, max_size=3, unique=True)),
        st.tuples(st.just("fail"), st.sampled_from(CONTEXTS)),
        st.tuples(st.just("connect"), st.sampled_from(CONTEXTS)),
        st.tuples(st.just("disconnect"), st.sampled_from(CONTEXTS)),
        st.tuples(st.just("words"), st.sampled_from(["You are kind.", "You are strict.", ""])),
    ),
    min_size=2,
    max_size=9,
)


@settings(max_examples=40)
@given(script=events)
def test_the_prefix_of_a_conversation_never_changes_and_the_strict_api_takes_it(
    store: Store, script: list[Any]
) -> None:
    talk = Talk(store)

    for kind, *what in script:
        match kind:
            case "say":
                talk.say(f"About {sorted(what[0])}.", calls=what[1])
            case "find":
                live = [name for name in what[0] if name.rpartition("_")[0] in talk.connected]
                talk.say("Something else.", found=live)
            case "fail":
                talk.say(f"About {what[0]}.", fails=True)
            case "connect":
                talk.connected.add(what[0])
            case "disconnect":
                talk.connected.discard(what[0])
            case "words":
                talk.words = what[0]
    talk.say("About courses, calendar, notes.")

    appended = [request for request in talk.requests if request.betas]
    for before, after in pairwise(appended):
        assert (after.tools, after.system) == (before.tools, before.system)
        assert flat(after)[: len(flat(before))] == flat(before)
    for request in appended:
        check_messages(list(request.messages))
        check_pairs(list(request.messages), has_tools=True)
        check_changes(body(request), {BY_REFERENCE})


def test_a_new_connection_adds_and_a_dead_one_removes_behind_the_same_beginning(store: Store) -> None:
    talk = Talk(store)
    talk.say("About courses.")
    talk.connected = {"notes"}
    talk.say("About notes and courses.")

    first, last = talk.requests
    told = last.messages[-1]
    assert (first.tools, first.system) == (last.tools, last.system)
    assert told["role"] == "system"
    changes = [(block["type"], block["tool"]["name"]) for block in told["content"] if "tool" in block]
    assert changes == [("tool_removal", f"courses_{n}") for n in range(5)] + [
        ("tool_addition", f"notes_{n}") for n in range(5)
    ]
    assert "notes it is." in told["content"][0]["text"]
    assert "courses is not connected" in told["content"][0]["text"]
    assert "- Notes: notes_0" in told["content"][0]["text"]


def test_other_words_of_the_assistant_are_told_once_and_the_first_ones_told_to_be_over(store: Store) -> None:
    talk = Talk(store)
    talk.say("Hi.")
    talk.words = "You are strict."
    talk.say("And now?")
    talk.say("And now?")
    talk.words = ""
    talk.say("And now?")

    told = [json.dumps(request.messages) for request in talk.requests]
    assert [text.count("You are strict.") for text in told] == [0, 1, 1, 1]
    assert ["do not hold any more" in text for text in told] == [False, False, False, True]
    assert len({json.dumps(request.system) for request in talk.requests}) == 1
