"""`Toolboxes`: what one student can use at this moment, and the providers that every call of it goes through."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.connections.connection import Connection
from services.connections.connections import Connections
from services.connections.connector import Connector
from services.errors import ConsentRequired
from services.i18n import gettext
from services.identity.students import Student
from services.identity.tool_switches import ALL_ON, ToolSwitches
from services.navigation import CONNECTIONS_PAGE
from services.runtime.clock import Clock, utc_now
from services.runtime.rate_limiter import RateLimiter
from services.tools.activity import ActivityLog
from services.tools.context import ToolExecutionContext, ToolServices
from services.tools.dispatch import Dispatcher, NestedReadCalls
from services.tools.providers.approval_required import Proposals
from services.tools.providers.chain import ProviderChains, ToolView, ToolViewCache, Wrapper
from services.tools.providers.metrics import ToolUsage
from services.tools.providers.provider import ToolsProvider
from services.tools.providers.result_cache import ResultCache
from services.tools.resolution import Resolution, resolve
from services.tools.tool import ExclusionKind, Obstacle, Tool

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """Tools of one student with one assistant. asking, reading, acting, undoing: as in `ToolView`.

    root: every tool there is, whoever may use it.
    """

    student: Student
    assistant: Assistant | None = field(default=None, repr=False)
    connections: Mapping[str, Connection] = field(repr=False)
    resolution: Resolution
    asking: ToolsProvider = field(repr=False)
    reading: ToolsProvider = field(repr=False)
    acting: ToolsProvider = field(repr=False)
    undoing: ToolsProvider = field(repr=False)
    root: ToolsProvider = field(repr=False)
    container: ToolServices = field(repr=False)
    dispatcher: Dispatcher = field(repr=False)

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self.resolution.tools if tool.name == name), None)

    def require_consent(self, name: str) -> None:
        """Raise `ConsentRequired` when the tool of this name would read an account without the student's consent."""
        reason = self.resolution.excluded.get(name)
        if reason is None or reason.kind is not ExclusionKind.CONSENT_REQUIRED:
            return
        address = self.container.settings.public_url + CONNECTIONS_PAGE.path
        step = gettext("Agree at {address}, then try again.", address=address)
        raise ConsentRequired(reason.sentence, next_step=step, address=address)

    def context(self, **call: Any) -> ToolExecutionContext:
        """A call's context; `call` fills in what is particular to it."""
        return ToolExecutionContext(
            student=self.student,
            container=self.container,
            connections=self.connections,
            nested_calls=NestedReadCalls(self.reading, self.dispatcher),
            **{
                "chosen": self.assistant,
                "assistant_id": self.assistant.id if self.assistant else DEFAULT_ASSISTANT,
                **call,
            },
        )


class Toolboxes:
    """Factory of toolboxes: resolves who may use what, and caches the result."""

    def __init__(
        self,
        *,
        container: Callable[[], ToolServices],
        root: ToolsProvider,
        integrations: Mapping[str, Connector],
        connections: Connections,
        approvals: Proposals,
        activity: ActivityLog,
        usage: ToolUsage,
        dispatcher: Dispatcher,
        limiter: RateLimiter,
        on_failure: Callable[[str, str, str], None] = lambda student_id, tool, kind: None,
        clock: Clock = utc_now,
        capabilities: Callable[[Assistant | None], frozenset[str]] = lambda assistant: frozenset(),
        own_capabilities: Callable[[str, Mapping[str, Connection]], frozenset[str]] = lambda id, connections: (
            frozenset()
        ),
        withheld: Mapping[str, Obstacle] = {},
        observe: Wrapper = lambda provider: provider,
        switches_of: Callable[[str], ToolSwitches] = lambda student_id: ALL_ON,
    ) -> None:
        """`container` is asked at each call, because it is complete only after this object is part of it.

        capabilities: what this deployment and an assistant give, whatever a student has connected. own_capabilities:
        what a student has beside these connections, such as uploads. withheld: what stands in the way of those that the
        deployment could give. on_failure, observe: as for `ProviderChains`. switches_of: what a student, of whom
        only the id is known, has switched off.
        """
        self._results = ResultCache(clock)
        self._chains = ProviderChains(
            root,
            integrations=integrations,
            connections=connections,
            approvals=approvals,
            activity=activity,
            usage=usage,
            results=self._results,
            limiter=limiter,
            on_failure=on_failure,
            observe=observe,
        )
        self._root = root
        self._container = container
        self._dispatcher = dispatcher
        self._integrations = integrations
        self._connections = connections
        self._capabilities, self._own_capabilities, self._withheld = capabilities, own_capabilities, withheld
        self._views, self._switches_of = ToolViewCache(), switches_of
        self._logged: set[tuple[str, str]] = set()

    def for_student(
        self,
        student: Student,
        assistant: Assistant | None = None,
        *,
        connections: Mapping[str, Connection] | None = None,
        by_hand: bool = False,
        is_decided: bool = False,
    ) -> Toolbox:
        """One store read, however many integrations; none when the caller has read the connections.

        assistant: whose switches bind too, if anybody's do. by_hand: nothing goes to a model or a program, so that
        accounts without a consent to that are offered, too. is_decided: the student has decided on the very call, which
        no switch of theirs then stops.
        """
        connections = self._connections.all(student.id) if connections is None else connections
        connections = connections if by_hand else self._connections.consents.for_model(connections)
        off = ALL_ON if is_decided else student.tools_off
        view = self._view(connections, assistant, student.id, off, by_hand=by_hand)
        return Toolbox(
            student=student,
            assistant=assistant,
            connections=connections,
            resolution=view.resolution,
            asking=view.asking,
            reading=view.reading,
            acting=view.acting,
            undoing=view.undoing,
            root=self._root,
            container=self._container(),
            dispatcher=self._dispatcher,
        )

    def mark_results_outdated(self, student: Student) -> None:
        """Mark the cached results of this student as outdated: they are only given while their service is down."""
        self._results.mark_outdated(student.id)

    def resolution_of(self, student_id: str, assistant: Assistant | None = None) -> Resolution:
        """What the student's model and programs have; one store read, or two where `own_capabilities` needs one."""
        connections = self._connections.consents.for_model(self._connections.all(student_id))
        return self._view(connections, assistant, student_id, self._switches_of(student_id)).resolution

    def resolution(
        self, connections: Mapping[str, Connection], assistant: Assistant | None = None, *, off: ToolSwitches = ALL_ON
    ) -> Resolution:
        """What a model and programs have with these connections alone. off: what the student has switched off."""
        return self._view(self._connections.consents.for_model(connections), assistant, off=off).resolution

    def _view(
        self,
        connections: Mapping[str, Connection],
        assistant: Assistant | None,
        student_id: str = "",
        off: ToolSwitches = ALL_ON,
        *,
        by_hand: bool = False,
    ) -> ToolView:
        tools, given = self._root.tools(), self._capabilities(assistant)
        if student_id:
            given |= self._own_capabilities(student_id, connections)
        # What is switched off by nobody is the same view by hand as for a model.
        switched = (off, by_hand) if off.are_set else (ALL_ON, False)
        return self._views.get(
            tools,
            connections,
            assistant,
            lambda: self._make(tools, connections, assistant, given, *switched),
            capabilities=given,
            switched=switched,
        )

    def _make(
        self,
        tools: Sequence[Tool],
        connections: Mapping[str, Connection],
        assistant: Assistant | None,
        given: frozenset[str],
        off: ToolSwitches,
        by_hand: bool,
    ) -> ToolView:
        resolution = resolve(
            connections,
            self._integrations,
            tools,
            assistant=assistant,
            capabilities=given,
            withheld=self._withheld,
            off=off,
            by_hand=by_hand,
        )
        self._log_unregistered(resolution, assistant)
        return self._chains.view(resolution, assistant)

    def _log_unregistered(self, resolution: Resolution, assistant: Assistant | None) -> None:
        """Log each tool name that an assistant wants and nobody offers, once in the life of this process."""
        for name in resolution.unregistered if assistant else ():
            if (key := (assistant.id if assistant else "", name)) not in self._logged:
                self._logged.add(key)
                log.warning("tool_not_in_registry tool=%.80r assistant=%s", name, key[0])
