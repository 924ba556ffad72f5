"""`Learning`: what each answer teaches about what its message needed; counters and ideas, never words."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from services.discovery.contexts import CONTEXT_NAMES, contexts_of
from services.errors import StorageError

if TYPE_CHECKING:
    from services.discovery.accounting import RequestFacts
    from services.discovery.profile import Profiles
    from services.discovery.retrieval_misses import RetrievalMisses
    from services.discovery.use import ServerUse
    from services.tools.tool import Tool

log = logging.getLogger(__name__)


class Learning:
    def __init__(self, profiles: Profiles, misses: RetrievalMisses, use: ServerUse) -> None:
        self._profiles = profiles
        self._misses = misses
        self._use = use

    def note(self, facts: RequestFacts, message: str, tools: Sequence[Tool], *, is_followup: bool = False) -> None:
        """After each model request. What cannot be kept is only logged, as the answer is there.

        message: the student's, of which only ideas are kept, and only when a tool that it needed had to be searched.
        tools: those of the request, by whose contexts the calls are told.
        """
        called = [tool for tool in tools if tool.name in facts.called]
        if not called:
            return
        try:
            self._keep(facts, called, message, is_followup)
        except StorageError:
            log.warning("use_not_counted turn=%s", facts.turn_id)

    def _keep(self, facts: RequestFacts, called: Sequence[Tool], message: str, is_followup: bool) -> None:
        found = frozenset(context.name for context in facts.contexts)
        used = frozenset(name for tool in called for name in contexts_of(tool)) & frozenset(CONTEXT_NAMES)
        # A tool of many contexts says little of which one was meant: the message's own do, where they agree.
        self._profiles.add(facts.student_id, used & found or used)
        for server in {tool.server for tool in called if tool.server}:
            self._use.add(server, found)
        missed = [tool for tool in called if tool.name in facts.found and found.isdisjoint(contexts_of(tool))]
        if missed:
            needed = frozenset(name for tool in missed for name in contexts_of(tool))
            self._misses.add(facts.student_id, message, found=found, needed=needed, is_followup=is_followup)
