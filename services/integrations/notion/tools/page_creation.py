"""The tool that creates a page."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from services.i18n import gettext_noop
from services.integrations.notion.access import ID
from services.integrations.notion.making import NewPage, make, rows_of, undo_page
from services.integrations.notion.places import ParentReference
from services.tools.base import Effect, Example, PreviewRow, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

Content = Annotated[
    str,
    Field(
        max_length=20_000,
        description="Markdown: headings, lists, to-dos, quotes, code, like “## Chapter 3\\n- [ ] Read pages 40–60”.",
    ),
]
Title = Annotated[str, Field(min_length=1, max_length=300, description="The page's title, like “Study plan: Biology”.")]


def preview_creation(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Every field that would be written, and where."""
    return rows_of(context, NewPage(**notion_create_page.validate(arguments)))


@tool(
    label=gettext_noop("Writing in Notion"),
    title=gettext_noop("Create a page in Notion"),
    summary=gettext_noop("Create a page where you want it"),
    told=Told.PRIVATE,
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_creation,
    undo=undo_page,
    timeout_s=40.0,
    examples=(
        Example(
            description="Make a page about osmosis under my biology page",
            arguments={"title": "Osmosis", "parent": "BIOL 201", "content": "Water moves towards more solute."},
        ),
    ),
)
def notion_create_page(
    context: ToolExecutionContext,
    *,
    title: Title,
    parent: ParentReference = "",
    content: Content = "",
) -> ToolResult:
    """Create a page in the student's Notion, under a page or as an entry of a database.

    The student sees it and approves it first. Use it for new notes and lists that the student wants to keep; study
    notes, study plans and assignment trackers have tools of their own. Do not repeat the title as a heading in the
    content. To add to a page that exists use notion_append_to_page.
    """
    return make(context, NewPage(title=title, parent=parent, content=content))
