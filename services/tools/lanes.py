"""Which bounded pool a call runs on: each outside service has its own, so that a hanging one starves no other."""

from services.tools.base import Tool, ToolExecutionContext


def lane(tool: Tool | None, context: ToolExecutionContext | None = None) -> str:
    """The pool's name; of a tool of a category, by the connections of this student that it may use."""
    if tool is None:
        return "tools-own"
    name = tool.integration or tool.server or (_connected(tool, context) if tool.capabilities else None)
    return f"tools-{name or 'own'}"


def _connected(tool: Tool, context: ToolExecutionContext | None) -> str:
    if context is None:
        return tool.category
    offered = context.container.integrations
    given = [id for id in context.connections if id in offered and offered[id].capabilities & {*tool.capabilities}]
    return "+".join(sorted(given)) or tool.category
