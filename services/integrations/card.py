"""Whether an approval card still tells the truth when it is acted on."""

from services.tools.base import PreviewRow, ToolExecutionContext


def is_unlike_the_card(context: ToolExecutionContext, rows: tuple[PreviewRow, ...]) -> bool:
    """Whether what is there now (`rows`, as a new card would show it) differs from what the student approved.

    What counts is the state before the change; labels that only one of both cards has do not.
    """
    now = {row.label: row.before or row.value for row in rows}
    seen = {row.label: row.before or row.value for row in context.approved_rows}
    return any(seen[label] != now[label] for label in seen.keys() & now.keys())
