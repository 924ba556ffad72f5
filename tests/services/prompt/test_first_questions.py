"""First questions of students, which nothing was trained or tuned on: what answers them stands in the first request.

`first_questions.jsonl`: `needs` holds sets of tools, of each of which one is enough. Keep it out of `training`.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench.plans import root_tools
from services.assistants.assistant import Assistant
from services.discovery.usage import ServerUsage
from services.identity.students import Student
from services.llm.messages import StoredMessage, text_block
from services.prompt.prompt_builder import PromptBuilder
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.tools.providers.local import LocalToolsProvider
from services.tools.resolution import Resolution
from services.tools.toolbox import Toolbox
from services.wiring.model_requests import discovery_parts
from training.dataset import DATA

FILE = Path(__file__).with_name("first_questions.jsonl")
QUESTIONS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
LEAST = {"en": 0.98, "es": 0.98}
MOST_LOADED = 4
"""Tools, at the median."""
MOST_KNOWN = 0.15
NOW = datetime(2026, 11, 22, 21, tzinfo=UTC)
MAYA = Student(id="maya", name="Maya Chen", email="", timezone="America/Chicago")
LoadedFor = Callable[[str], set[str]]


@pytest.fixture(scope="module")
def loaded_for(tmp_path_factory: pytest.TempPathFactory) -> LoadedFor:
    """Names of the tools in the first request of a chat of a student who has connected everything."""
    folder = tmp_path_factory.mktemp("first_questions")
    tools = tuple(tool for tool in root_tools(folder) if not tool.is_sample)
    root, store = LocalToolsProvider(tools), Store(SqliteDocuments(folder / "questions.sqlite", clock=lambda: NOW))
    parts = discovery_parts(
        store=store,
        clock=lambda: NOW,
        prompts=PromptBuilder(),
        root=root,
        use=ServerUsage(store, lambda: NOW),
        strategy="auto",
    )
    nothing: Any = None
    toolbox = Toolbox(
        student=MAYA,
        connections={},
        resolution=Resolution(tools=tools, connected=("canvas", "google_calendar", "notion"), disabled=()),
        asking=root,
        reading=nothing,
        acting=nothing,
        undoing=nothing,
        root=nothing,
        container=nothing,
        dispatcher=nothing,
    )

    def loaded(question: str) -> set[str]:
        asked = StoredMessage(seq=1, role="user", content=[text_block(question)], meta={"turn_id": "1"})
        plan = parts.plans.plan_turn("1", toolbox, Assistant(id="a", name="A"), "claude-haiku-5-5", [asked])
        update = plan.system_update([asked])
        told = [StoredMessage(seq=2, role="system", content=update.content, meta=update.meta)] if update else []
        return set(plan.loaded([asked, *told]))

    return loaded


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_plainest_questions_need_no_search_and_few_tools(loaded_for: LoadedFor, language: str) -> None:
    questions = [entry for entry in QUESTIONS if entry["language"] == language]

    loaded = [loaded_for(entry["question"]) for entry in questions]

    missed = [
        entry["question"]
        for entry, names in zip(questions, loaded, strict=True)
        if not all(names & set(need) for need in entry["needs"])
    ]
    assert len(questions) >= 200
    assert 1 - len(missed) / len(questions) >= LEAST[language], missed
    assert sorted(map(len, loaded))[len(loaded) // 2] <= MOST_LOADED


def test_hardly_a_question_is_among_the_training_data() -> None:
    """The plainest are everybody's; the rest must stay unseen."""
    texts = [path.read_text(encoding="utf-8") for path in DATA.parent.rglob("*") if path.suffix in (".jsonl", ".toml")]
    known = [entry["question"] for entry in QUESTIONS if any(f'"{entry["question"]}"' in text for text in texts)]

    assert len(known) / len(QUESTIONS) <= MOST_KNOWN, known
