"""What was found, in words for whoever runs Homeroom: each extension, what is in its way, and its lines for `.env`."""

from collections.abc import Iterator

from services.integrations.extensions import Extension
from services.integrations.kit.config_fields import env_lines
from services.tools.tool import ExclusionKind, Obstacle


def described(extension: Extension, *, played: frozenset[str] = frozenset()) -> Iterator[str]:
    """An extension's lines, those about it indented. played: the variables that a demo sets by itself."""
    tools = (*(extension.integration.tools if extension.integration else ()), *extension.tools)
    state = (
        _state(extension.obstacle) if extension.obstacle else f"{len(tools)} {'tool' if len(tools) == 1 else 'tools'}"
    )
    if not played.isdisjoint(field.env for field in extension.configuration):
        state += ", played by the demo's campus"
    yield f"{extension.id}: {state} ({extension.origin})"
    if extension.obstacle:
        yield f"  {extension.obstacle.sentence} {extension.obstacle.setup or extension.obstacle.step}"
    elif extension.setup:
        yield f"  {extension.setup}"
    yield from (f"  {line}" for line in env_lines(extension.configuration))


def _state(obstacle: Obstacle) -> str:
    return "not set up" if obstacle.kind is ExclusionKind.NOT_SET_UP else "not working"
