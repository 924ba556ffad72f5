"""`PromptPrefix`: system text and tool definitions before a conversation's messages, the same for its whole life."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import lru_cache
from typing import Any

from services.discovery.tool_search import FIND, find_tools
from services.errors import DuplicateDocument
from services.llm.messages import StoredMessage
from services.prompt.loading_strategy import Strategy
from services.prompt.optional_tools import hinted_definition
from services.prompt.prompt_builder import PromptPart, system_blocks
from services.prompt.tool_mentions import definitions_without_mentions
from services.runtime.clock import Clock, moment, stamp
from services.runtime.identity_cache import IdentityCache
from services.storage.store import Store
from services.tools.tool import Tool

COLLECTION = "prompts"
KEPT = timedelta(days=30)
"""From its last use; a conversation that goes on later gets a new prefix."""
RENEW_EVERY = timedelta(days=1)
"""How often a use is written to the store."""
MAX_CACHED = 200
"""Prefixes in the memory of one process."""
MOST_TEXTS = 64
"""System texts whose ids are remembered: as many as assistants and connections make."""
Definition = Mapping[str, Any]


class PromptStore:
    """Content-addressed store of prefixes, with an LRU cache in memory; each is stored once, however many
    conversations share it. Nothing in it may be a student's own.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._cached: OrderedDict[str, Any] = OrderedDict()
        self._id_and_text = IdentityCache(_id_and_text)

    def keep(self, content: Any) -> str:
        """Store plain JSON; its id."""
        return self._keep(content, *_id_and_text(content))

    def keep_same(self, content: Sequence[Any]) -> str:
        """As `keep`, for a list whose objects are the same as before: its id is cached by their identity."""
        return self._keep(content, *self._id_and_text(content))

    def keep_texts(self, texts: tuple[tuple[str, str], ...]) -> str:
        """As `keep`, for pairs that are the same for many students: the id is cached by what they say."""
        return self._keep([list(pair) for pair in texts], *_id_of_texts(texts))

    def _keep(self, content: Any, id: str, written: str) -> str:
        if self.get(id) is None:
            document = {"id": id, "content": written, "expires_at": self._until()}
            try:
                self._store.shared.insert(COLLECTION, document)
            except DuplicateDocument:
                self._store.shared.compare_and_set(COLLECTION, id, {}, {"expires_at": document["expires_at"]})
            self._cache(id, content)
        return id

    def get(self, id: str) -> Any | None:
        """Load what was stored, or None when nobody has used it for long."""
        with self._lock:
            if id in self._cached:
                until, content = self._cached[id]
                if until > stamp(self._clock() + KEPT - RENEW_EVERY):
                    self._cached.move_to_end(id)
                    return content
        found = self._store.shared.get(COLLECTION, id)
        if found is None or found["expires_at"] <= stamp(self._clock()):
            return None
        if moment(found["expires_at"]) <= self._clock() + KEPT - RENEW_EVERY:
            self._store.shared.compare_and_set(COLLECTION, id, {}, {"expires_at": self._until()})
        content = json.loads(found["content"])
        self._cache(id, content)
        return content

    def _cache(self, id: str, content: Any) -> None:
        with self._lock:
            self._cached[id] = (self._until(), content)
            while len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)

    def _until(self) -> str:
        return stamp(self._clock() + KEPT)


@dataclass(frozen=True, kw_only=True)
class PromptPrefix:
    """Prefix of a request. parts: of the system text. definitions: of the tools; with *append* the search comes first.

    prompt_id, tools_id: under which the shared parts and the definitions are kept; empty where none are.
    """

    strategy: Strategy
    model: str
    parts: Sequence[PromptPart] = field(repr=False)
    definitions: Sequence[Definition] = field(repr=False)
    prompt_id: str
    tools_id: str

    @property
    def declared(self) -> frozenset[str]:
        return _names(self.definitions)

    @property
    def system(self) -> list[dict[str, Any]]:
        return system_blocks(self.parts)

    @property
    def tools(self) -> list[Definition]:
        """Definitions as they stand in the request: with *append* all but the search are deferred."""
        return _deferred(self.definitions) if self.strategy is Strategy.APPEND else list(self.definitions)

    @property
    def own(self) -> dict[str, str]:
        """Personal values of the student, which are stored with their messages and nowhere else."""
        return {part.key: part.text for part in self.parts if part.is_own}

    def epoch(self, first_seq: int) -> str:
        """Hash that changes when the API would refuse an answer's thoughts behind this prefix.

        Deferred tools that are declared later do not change it: they stay out of the prompt until something names them.
        """
        tools = "" if self.strategy is Strategy.APPEND else self.tools_id
        written = json.dumps([self.strategy, self.model, self.prompt_id, self.own, tools, first_seq], sort_keys=True)
        return hashlib.sha256(written.encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        """Serialize what an answer's `plan` keeps of it."""
        return {"id": self.prompt_id, "tools": self.tools_id, "own": self.own}


class PromptPrefixes:
    def __init__(self, store: PromptStore) -> None:
        self._store = store

    def create(
        self,
        strategy: Strategy,
        model: str,
        parts: Sequence[PromptPart],
        *,
        enabled: Sequence[Tool],
        root: Sequence[Tool],
        absent: Collection[str] = (),
    ) -> PromptPrefix:
        """Create a prefix. With *append* every tool of the root is declared, so that a connection made later changes
        nothing in front of the conversation; a tool that is deferred and never named costs nothing. absent: tools that
        no description may name.
        """
        shared = tuple((part.key, part.text) for part in parts if not part.is_own)
        definitions = definitions_without_mentions(_definitions(strategy, enabled, root), absent)
        return PromptPrefix(
            strategy=strategy,
            model=model,
            parts=parts,
            definitions=definitions,
            prompt_id=self._store.keep_texts(shared),
            tools_id=self._store.keep_same(definitions) if definitions else "",
        )

    def restore(
        self, messages: Sequence[StoredMessage], strategy: Strategy, model: str, enabled: Sequence[Tool]
    ) -> PromptPrefix | None:
        """Restore the prefix of earlier answers; None when it is not stored any more or does not fit now.

        A tool that is enabled and was not known then is declared behind the others, where it can be deferred. Where all
        stand in front of the conversation, other tools need a new prefix: a dead account offers no tool.
        """
        plan = last_plan(messages, strategy, model)
        if not plan:
            return None
        written = plan["prompt"]
        shared = self._store.get(written["id"])
        definitions = self._store.get(written["tools"]) if written["tools"] else []
        if shared is None or definitions is None:
            return None
        parts = [PromptPart(key=key, text=text) for key, text in shared]
        parts += [PromptPart(key=key, text=text, is_own=True) for key, text in written["own"].items()]
        known = {definition["name"] for definition in definitions}
        missing = [tool for tool in enabled if tool.name not in known]
        found = PromptPrefix(
            strategy=strategy,
            model=model,
            parts=parts,
            definitions=definitions,
            prompt_id=written["id"],
            tools_id=written["tools"],
        )
        if strategy is Strategy.FROZEN:
            return found if known == {tool.name for tool in enabled} else None
        if not missing or strategy is Strategy.PER_MESSAGE:
            return found
        more = [*definitions, *(hinted_definition(tool) for tool in missing)]
        return replace(found, definitions=more, tools_id=self._store.keep(more))


def last_plan(
    messages: Sequence[StoredMessage], strategy: Strategy | None = None, model: str | None = None
) -> Mapping[str, Any]:
    """Find the plan of the latest answer that has one, of this strategy and model when given; else an empty one."""
    for message in reversed(messages):
        plan: Mapping[str, Any] = message.meta.get("plan", {})
        if plan and strategy in (None, plan["strategy"]) and model in (None, plan["model"]):
            return plan
    return {}


def _definitions(strategy: Strategy, enabled: Sequence[Tool], root: Sequence[Tool]) -> list[Definition]:
    if strategy is Strategy.PER_MESSAGE:
        return []
    return _enabled_definitions(enabled) if strategy is Strategy.FROZEN else _root_definitions(root)


@IdentityCache
def _enabled_definitions(enabled: Sequence[Tool]) -> list[Definition]:
    return [tool.definition() for tool in enabled]


@IdentityCache
def _root_definitions(root: Sequence[Tool]) -> list[Definition]:
    # An integration that is not set up stays so for the life of this process: the model need not know of it.
    possible = [tool for tool in root if tool.name != FIND and not (tool.obstacle and tool.obstacle.lasts)]
    return [find_tools.definition(), *(hinted_definition(tool) for tool in possible)]


@IdentityCache
def _deferred(definitions: Sequence[Definition]) -> list[Definition]:
    return [
        definition if definition["name"] == FIND else {**definition, "defer_loading": True}
        for definition in definitions
    ]


@IdentityCache
def _names(definitions: Sequence[Definition]) -> frozenset[str]:
    return frozenset(str(definition["name"]) for definition in definitions)


@lru_cache(maxsize=MOST_TEXTS)
def _id_of_texts(texts: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    return _id_and_text(texts)


def _id_and_text(content: Any) -> tuple[str, str]:
    """Id of plain JSON, and its text."""
    written = json.dumps(content, ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()[:32], written
