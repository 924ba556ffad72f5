"""Question to the student: the tool that asks one with choices, answered by a button or in their own words."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.integrations.planner.access import CATEGORY
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Example

OWN_WORDS = "or an answer in the student's own words"


def preview_question(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the question and its choices; raises `BadArguments` for two equal ones."""
    given = planner_ask_student.validate(arguments)
    _refuse_duplicates(given["choices"])
    choices = (
        PreviewRow(label=gettext("Choice {n}", n=n), value=choice) for n, choice in enumerate(given["choices"], 1)
    )
    return (PreviewRow(label=gettext_noop("Question"), value=given["question"]), *choices)


@tool(
    label=gettext_noop("Asking you"),
    title=gettext_noop("A question for you"),
    summary=gettext_noop("Ask you one question, with a few answers to choose from"),
    category=CATEGORY,
    contexts=("planner", "courses", "calendar", "notes", "documents"),
    preview=preview_question,
    asks_student=True,
    usage_hint="Asks the student one question, with a few answers to choose from.",
    when=("what is wanted cannot be told from the conversation, and a wrong guess would cost them something",),
    when_not=("the answer can be looked up", "any answer would do"),
    examples=(
        Example(
            description="Plan my weekend (but which course first?)",
            arguments={
                "question": "Which course should come first this weekend?",
                "choices": ["Biology", "Calculus", "History"],
            },
        ),
    ),
)
def planner_ask_student(
    context: ToolExecutionContext,
    *,
    question: Annotated[
        str, Field(min_length=1, max_length=500, description="One short question that the choices answer.")
    ],
    choices: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=100)]],
        Field(min_length=2, max_length=5, description="Short answers that differ."),
    ],
    allow_other: Annotated[bool, Field(description="Whether own words are welcome.")] = True,
) -> ToolResult:
    """Ask the student one question with two to five choices, shown as buttons; the answer is this tool's result.

    When something that matters is open and the choices are clear: which course, which day, which of several that
    fit. Never what a tool can look up, and never for permission to write.
    """
    _refuse_duplicates(choices)
    lines = [f"{number}. {choice}" for number, choice in enumerate(choices, 1)]
    own = f"\n({OWN_WORDS})" if allow_other else ""
    return ToolResult(
        output="\n".join([f"A question for the student, which is not answered yet: {question}", *lines]) + own,
        data={"question": question, "choices": choices, "allow_other": allow_other},
    )


def _refuse_duplicates(choices: list[str]) -> None:
    if len({" ".join(choice.casefold().split()) for choice in choices}) < len(choices):
        raise BadArguments(gettext("Two choices are the same."), field="choices")
