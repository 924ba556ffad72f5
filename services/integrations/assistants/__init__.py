"""Assistants integration: hands a question to another of Homeroom's assistants."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from services.assistants.registry import read_shipped
from services.i18n import gettext_noop
from services.i18n.english import clock, count
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Example

OTHERS = "other_assistants"
_TIMEOUT_S = 55.0


@tool(
    label=gettext_noop("Asking another assistant"),
    title=gettext_noop("Ask another assistant"),
    summary=gettext_noop("Hand a question to another assistant, which looks things up for you"),
    category="assistants",
    contexts=("courses", "search", "writing"),
    timeout_s=_TIMEOUT_S,
    is_optional=True,
    usage_hint="Another assistant has its own words, tools and sources.",
    when=(
        "another assistant is there for it, with tools that you lack",
        "the student asks what that assistant would say",
    ),
    when_not=(
        "your own tools can answer: asking takes longer",
        "something is to be changed: another assistant can only look things up",
    ),
    capabilities=(OTHERS,),
    produces=("answer", "citations"),
    rate=CallRate(calls=30, seconds=3600),
    examples=(
        Example(
            description="Ask the Course companion",
            arguments={"assistant": "course_companion", "question": "Which of this week's deadlines is worth most?"},
        ),
    ),
)
def ask_assistant(
    context: ToolExecutionContext,
    *,
    assistant: Annotated[str, Field(min_length=1, max_length=40, description="Its id, like course_companion.")],
    question: Annotated[
        str,
        Field(
            min_length=1,
            max_length=4000,
            description="The whole question: it sees nothing of this chat.",
        ),
    ],
) -> ToolResult:
    """Hand one question to another of Homeroom's assistants and get its answer, found with its own tools.

    It changes nothing: if its answer proposes a change, make it with your own tools.
    """
    answer = context.container.delegation.ask(context, assistant, question, within_s=_TIMEOUT_S - 5)
    looked = f" after {count(len(answer.steps), 'look-up')}" if answer.steps else ""
    lines = [
        f"{answer.assistant.name} answered{looked} (as of {clock(context.now())}).",
        declared(answer.text, Provenance.MODEL),
    ]
    if answer.is_partial:
        lines.append(f"Note: {answer.why_partial}")
    if answer.steps:
        lines.append(f"Looked up: {', '.join(step.line for step in answer.steps)}.")
    return ToolResult(
        output="\n".join(lines),
        data={
            "assistant": answer.assistant.id,
            "answer": answer.text,
            "steps": [{"tool": step.tool, "label": step.label, "success": step.success} for step in answer.steps],
            "tokens": answer.tokens,
        },
        sources=answer.sources,
        steps=tuple(step.line for step in answer.steps),
        is_partial=answer.is_partial,
    )


TOOLS = (ask_assistant,)


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """Capability to ask another assistant, where there is more than one."""
    return frozenset({OTHERS}) if len(read_shipped()) > 1 else frozenset()
