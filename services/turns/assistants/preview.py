"""`AssistantPreview`: a draft as a student would have it: its system text, its tools, and answers that nobody keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from services.assistants.class_assistant import ClassAssistant
from services.errors import ModelError, ServiceUnavailable
from services.i18n import gettext
from services.identity.students import Student
from services.llm.messages import StoredMessage, text_block
from services.prompt.prompt_builder import PromptBuilder, context_text
from services.safety.consent_terms import ConsentTerms
from services.tools.availability import Exclusion
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import DelegatedAnswer, FailureKind, ToolResult
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox, Toolboxes
from services.turns.assistants.delegation import Delegation

WITHIN_S = 120.0
MOST_SAID = 20
"""Messages of a preview that the model is told; earlier ones are left out."""
NOT_DONE = (
    "This is an instructor's preview of you: nothing was changed and no card was made. A student would see a card with "
    "exactly this now, and decide there. Say in one sentence what the card would hold."
)


@dataclass(frozen=True, kw_only=True)
class PreviewText:
    """What the model would read and have for this person. lacking: each tool that it has not got, with the reason."""

    system: str = field(repr=False)
    tools: Sequence[Tool]
    lacking: Sequence[tuple[Tool, Exclusion]]


@dataclass(frozen=True, kw_only=True)
class PreviewMessage:
    """Message of a preview, kept by the page alone."""

    role: Literal["user", "assistant"]
    text: str = field(repr=False)


class AssistantPreview:
    """Answers with the system text and tools of a real turn; what changes something is not done, and not kept."""

    def __init__(
        self, *, delegation: Delegation, toolboxes: Toolboxes, prompts: PromptBuilder, terms: ConsentTerms
    ) -> None:
        self._delegation, self._toolboxes, self._prompts, self._terms = delegation, toolboxes, prompts, terms

    def text(self, student: Student, assistant: ClassAssistant) -> PreviewText:
        """The system text and the tools, with this person's own accounts."""
        toolbox = self._toolboxes.for_student(student, assistant)
        blocks = self._prompts.system(student, toolbox.resolution, assistant)
        reasons = [(tool, toolbox.resolution.reason(tool)) for tool in toolbox.root.tools()]
        return PreviewText(
            system="\n\n".join(str(block["text"]) for block in blocks),
            tools=toolbox.resolution.tools,
            lacking=[(tool, reason) for tool, reason in reasons if reason is not None],
        )

    def answer(self, student: Student, assistant: ClassAssistant, said: Sequence[PreviewMessage]) -> DelegatedAnswer:
        """Answer the last of these messages. Raises `ConsentRequired`, `ServiceUnavailable`, `BudgetUsedUp`."""
        self._terms.require_chat(student.consent)
        toolbox = _previewed(self._toolboxes.for_student(student, assistant))
        system = self._prompts.system(student, toolbox.resolution, assistant)
        messages = _messages(toolbox.context(), said[-MOST_SAID:])
        try:
            return self._delegation.converse(toolbox, assistant, system, messages, within_s=WITHIN_S)
        except ModelError as error:
            raise ServiceUnavailable(
                assistant.name, gettext("{name} could not answer: {error}", name=assistant.name, error=error)
            ) from error


def _messages(context: ToolExecutionContext, said: Sequence[PreviewMessage]) -> list[StoredMessage]:
    opening = text_block(context_text(context.now(), context.student.locale))
    return [
        StoredMessage(
            seq=seq,
            role=message.role,
            content=(opening, text_block(message.text)) if seq == len(said) else (text_block(message.text),),
            meta={"has_context": seq == len(said)},
        )
        for seq, message in enumerate(said, 1)
    ]


def _previewed(toolbox: Toolbox) -> Toolbox:
    """The same tools; those that only read run, and a call of any other tells what would happen."""
    return replace(toolbox, asking=_PreviewedToolsProvider(toolbox.asking, toolbox.reading))


class _PreviewedToolsProvider(WrappingToolsProvider):
    def __init__(self, wrapped: ToolsProvider, reading: ToolsProvider) -> None:
        super().__init__(wrapped)
        self._reading, self._names = reading, frozenset(tool.name for tool in reading.tools())

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        if name in self._names or (tool := self.tool(name)) is None:
            return self._reading.execute(name, arguments, context)
        tool.validate(arguments)
        return ToolResult(success=False, error=NOT_DONE, error_kind=FailureKind.NOT_ALLOWED)
