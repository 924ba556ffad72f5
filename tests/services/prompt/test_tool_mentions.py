"""No prompt and no description names a tool that the assistant has not got with what the student has connected."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest

from services import bootstrap
from services.assistants.assistant import Assistant
from services.assistants.registry import read_shipped
from services.bootstrap import ServiceContainer
from services.connections.connection import Connection, Health
from services.discovery.detector import Detector
from services.discovery.relevance.tool_ranker import ToolRanker
from services.discovery.tool_search import FIND
from services.discovery.usage import UsageProfiles
from services.identity.students import Student
from services.integrations.catalog import Catalog, load_catalog
from services.llm.messages import StoredMessage, text_block
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.loading_strategy import Strategy
from services.prompt.prompt_builder import PromptBuilder, PromptPart
from services.prompt.tool_mentions import definitions_without_mentions, without_mentions
from services.settings import read
from services.storage.store import Store
from services.tools.providers.local import LocalToolsProvider
from services.tools.resolution import Resolution, resolve
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox
from tests.fakes import FakeDocuments
from tests.telling import telling

MAYA = Student(id="maya", name="Maya Chen", email="", timezone="America/Chicago")
NOW = datetime(2026, 11, 21, 16, 0, tzinfo=UTC)
ACCOUNTS = ("canvas", "google_calendar", "notion", "calendar_feed", "sample_course")
STATES: Sequence[tuple[Sequence[str], Health | None]] = (
    *((ACCOUNTS[:size], None) for size in range(len(ACCOUNTS) + 1)),
    (("calendar_feed",), None),
    (("notion",), Health.REVOKED),
    ((), Health.EXPIRED),
)
"""Accounts that work, and what the others are; None for never connected."""
QUESTION = StoredMessage(seq=1, role="user", content=(text_block("What is due?"),), meta={"turn_id": "1"})
OFF = ("notion_search", "canvas_list_assignments", "calendar_suggest_times", "planner_list_tasks", "documents_get")
LIMITED = (
    Assistant(id="switched", name="Switched", switches=dict.fromkeys(OFF, False)),
    Assistant(id="notes_only", name="Notes only", categories=("notes",)),
    Assistant(id="documents_only", name="Documents only", categories=("documents", "planner")),
    Assistant(id="one_tool", name="One tool", categories=(), switches={"notion_append_to_page": True}),
)


@dataclass(frozen=True, kw_only=True)
class Deployment:
    container: ServiceContainer
    catalog: Catalog
    planners: Mapping[Strategy, LoadingPlanner]
    prompts: PromptBuilder

    @property
    def root(self) -> Sequence[Tool]:
        return self.container.root_tools.tools()

    def resolution(self, assistant: Assistant, connected: Sequence[str], others: Health | None) -> Resolution:
        """The tools with these accounts, and the others dead in this way or never connected."""
        dead = {} if others is None else {id: _connection(id, others) for id in ACCOUNTS}
        return resolve(
            {**dead, **{id: _connection(id, Health.HEALTHY) for id in connected}},
            self.container.integrations,
            self.root,
            assistant=assistant,
            capabilities=self.catalog.capabilities | assistant.capabilities,
            withheld=self.catalog.withheld,
        )

    def words(self, strategy: Strategy, assistant: Assistant, resolution: Resolution) -> Iterator[str]:
        """All that a first request tells the model of the tools that it has."""
        plan = self.planners[strategy].plan_turn("1", _toolbox(resolution), assistant, "claude-haiku-5-5", [QUESTION])
        request = plan.request([QUESTION])
        yield from (str(block["text"]) for block in request.system)
        yield from (json.dumps(tool) for tool in request.tools if tool["name"] in resolution.names)

    def delegated_words(self, assistant: Assistant, resolution: Resolution) -> Iterator[str]:
        reading = resolution.only(tool for tool in resolution.tools if not tool.effect.needs_approval)
        yield from (part.text for part in self.prompts.parts(MAYA, reading, assistant))
        yield from map(json.dumps, self.planners[Strategy.FROZEN].definitions_for("What is due?", reading))


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    folder: Path = tmp_path_factory.mktemp("deployment")
    settings = read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(folder), "ANTHROPIC_API_KEY": "demo"})
    container, catalog = bootstrap.build(settings), load_catalog(settings)
    prompts = PromptBuilder(words=catalog.words, assistants=lambda: tuple(read_shipped().values()))
    store, nothing = Store(FakeDocuments()), cast("Any", None)
    planners = {
        strategy: LoadingPlanner(
            store=store,
            clock=lambda: NOW,
            prompts=prompts,
            detector=Detector(),
            ranker=ToolRanker(),
            profiles=UsageProfiles(store),
            usage=nothing,
            root=container.root_tools,
            strategy=strategy.value,
        )
        for strategy in Strategy
    }
    yield Deployment(container=container, catalog=catalog, planners=planners, prompts=prompts)
    container.store.close()


@pytest.mark.parametrize(
    "assistant",
    telling([*read_shipped().values(), *LIMITED], lambda assistant: assistant.id in ("homeroom", "switched")),
    ids=lambda assistant: assistant.id,
)
def test_every_tool_that_is_named_is_there(deployment: Deployment, assistant: Assistant) -> None:
    names = {tool.name for tool in deployment.root}
    wrong: set[str] = set()
    for connected, others in STATES:
        resolution = deployment.resolution(assistant, connected, others)
        texts = chain(
            *(deployment.words(strategy, assistant, resolution) for strategy in Strategy),
            deployment.delegated_words(assistant, resolution),
        )
        named = {name for text in texts for name in re.findall(r"\w+", text)} & names
        wrong |= {f"{name} with {', '.join(connected) or 'nothing'}" for name in named - resolution.names - {FIND}}

    assert not wrong


def test_every_part_that_an_account_brings_still_says_something(deployment: Deployment) -> None:
    """Leaving out sentences must not leave a heading alone."""
    for assistant in (*read_shipped().values(), *LIMITED):
        resolution = deployment.resolution(assistant, ACCOUNTS, None)
        for part in deployment.prompts.parts(MAYA, resolution, assistant):
            assert not _is_heading(part), (assistant.id, part.key)


def test_research_has_the_words_on_documents_although_it_has_no_notes(deployment: Deployment) -> None:
    research = read_shipped()["research"]
    parts = {
        part.key: part.text
        for part in deployment.prompts.parts(
            MAYA, deployment.resolution(research, ("canvas", "notion"), None), research
        )
    }

    assert "connected.documents" in parts
    assert "connected.notion" not in parts
    assert parts["set_aside"].startswith("Connected, but not used in this chat: Canvas.")


def test_research_says_that_documents_need_notion_although_it_has_no_notes(deployment: Deployment) -> None:
    research = read_shipped()["research"]
    told = {
        health: [
            part.text
            for part in deployment.prompts.parts(MAYA, deployment.resolution(research, ("canvas",), health), research)
            if part.key in ("missing.notion", "reconnect.notion")
        ]
        for health in (None, Health.REVOKED)
    }

    assert [text.partition(":")[0] for text in told[None]] == ["Notion is not connected"]
    assert "for a document, notes or a tracker to be kept" in told[None][0]
    assert [text.partition(" (")[0] for text in told[Health.REVOKED]] == ["Notion must be reconnected"]


def test_an_assistant_without_notes_and_documents_says_nothing_of_notion(deployment: Deployment) -> None:
    tasks = Assistant(id="tasks", name="Tasks", categories=("planner",), switches={"documents_get": False})
    keys = {part.key for part in deployment.prompts.parts(MAYA, deployment.resolution(tasks, (), None), tasks)}

    assert not {key for key in keys if "notion" in key}


def test_sentences_and_sources_that_name_an_absent_tool_are_left_out() -> None:
    text = (
        "# Notes\n- Search first. Use notes_add for more.\n- notes_add is quick.\n\n"
        "Its id that notes_find gave, or words."
    )

    assert without_mentions(text, ()) == text
    assert without_mentions(text, {"other_tool", "words"}) == text
    assert without_mentions(text, {"notes_add"}) == "# Notes\n- Search first.\n\nIts id that notes_find gave, or words."
    assert without_mentions(text, {"notes_find"}).endswith("\n\nIts id, or words.")
    assert without_mentions("# Notes\n- notes_add is quick.", {"notes_add"}) == ""


def test_a_sentence_over_two_lines_is_one_sentence() -> None:
    text = "Add a note.\n\nFor a list use\nnotes_list. Keep it\nshort."

    assert without_mentions(text, {"notes_list"}) == "Add a note.\n\nKeep it\nshort."


def test_definitions_that_name_nothing_absent_are_the_same_objects() -> None:
    schema = {"type": "object", "properties": {"id": {"type": "string", "description": "As notes_find gave."}}}
    definitions = [{"name": "notes_read", "description": "Read.", "input_schema": schema}]

    assert definitions_without_mentions(definitions, {"notes_add"}) is definitions
    assert "notes_find" not in json.dumps(definitions_without_mentions(definitions, {"notes_find"}))


def _connection(id: str, health: Health) -> Connection:
    return Connection(
        integration=id, account="Maya", origin="", method="oauth", health=health, seen_at=NOW, connected_at=NOW
    )


def _toolbox(resolution: Resolution) -> Toolbox:
    nothing: Any = None
    return Toolbox(
        student=MAYA,
        connections={},
        resolution=resolution,
        asking=LocalToolsProvider(resolution.tools),
        reading=nothing,
        acting=nothing,
        undoing=nothing,
        root=nothing,
        container=nothing,
        dispatcher=nothing,
    )


def _is_heading(part: PromptPart) -> bool:
    return all(not line.strip() or line.startswith("#") for line in part.text.split("\n"))
