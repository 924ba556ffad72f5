"""The tool that begins a document."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from services.i18n import gettext_noop
from services.integrations.notion.access import ID
from services.integrations.notion.making import NewPage, make, rows_of, undo_page
from services.integrations.notion.places import ParentReference
from services.integrations.notion.tools.page_creation import Content
from services.tools.base import Effect, Example, PreviewRow, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

CATEGORY = "documents"
CONTEXTS = ("documents", "writing")


def preview_document(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Every field that would be written, and where."""
    return rows_of(context, NewPage(**documents_create.validate(arguments)))


@tool(
    label=gettext_noop("Beginning a document"),
    title=gettext_noop("Create a document in Notion"),
    summary=gettext_noop("Begin a longer text of your own, such as a report or a letter"),
    told=Told.PRIVATE,
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_document,
    undo=undo_page,
    timeout_s=40.0,
    examples=(
        Example(
            description="Start a document for my open letter with the outline we made",
            arguments={"title": "Open letter: draft", "content": "## Claim\n\n## Evidence\n\n## What I ask for"},
        ),
    ),
)
def documents_create(
    context: ToolExecutionContext,
    *,
    title: Annotated[str, Field(min_length=1, max_length=300, description="The document's title.")],
    content: Content = "",
    parent: ParentReference = "",
) -> ToolResult:
    """Create a document for a longer text of the student's own: an essay, a report, a letter. It is a page in Notion.

    The student sees it and approves it first. Use it for texts that are worked on; for notes, plans and trackers use
    the notion tools. Put in what the student said or wrote; do not write their graded work for them.
    """
    return make(context, NewPage(title=title, parent=parent, content=content))
