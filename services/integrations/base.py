"""`Integration`: a connector with its tools; `ConfigField`: a setting that it reads; the service's label for people."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from services.connections.connector import Connector
from services.i18n import gettext
from services.materials.source import MaterialSource
from services.study.generation.open_quizzes import OpenQuiz
from services.tools.tool import Tool


@dataclass(frozen=True, kw_only=True)
class Integration(Connector):
    """Connector of a service, and the tools that use it. materials: makes the source of course materials of a client;
    None where the service has none. open_quizzes: lists what is open for a grade now, of a course by its key or of all
    ("") with a client; None where nobody takes quizzes there.
    """

    tools: tuple[Tool, ...]
    materials: Callable[[Any], MaterialSource] | None = None
    open_quizzes: Callable[[Any, str], Sequence[OpenQuiz]] | None = None


Integrations = Mapping[str, Integration]


@dataclass(frozen=True, kw_only=True)
class ConfigField:
    """Setting that an integration reads through `settings.extension(id)`.

    env: its whole name, which begins with the first word of the integration's id. description: what to set, and how.
    required: without it the integration is off. needs: other settings without which this one is of no use, such as the
    secret that belongs to a client's id. options: the values it may have, when there are only a few.
    kind: "address" is one http(s) address, "addresses" are several with spaces or commas between, "number" is a whole
    number, "switch" is 1 or 0.
    """

    env: str
    description: str
    is_secret: bool = False
    required: bool = False
    needs: tuple[str, ...] = ()
    options: tuple[str, ...] = field(default=())
    kind: Literal["text", "address", "addresses", "number", "switch"] = "text"


def service_label(name: str, integrations: Mapping[str, Integration]) -> str:
    """Service that a tool of this name calls: "Canvas" for canvas_grades; "" for our own."""
    server, _, rest = name.partition("__")
    if rest:
        return server.replace("_", " ").capitalize()
    fitting = [
        integration
        for integration in integrations.values()
        if name.startswith(f"{integration.id}_") or any(tool.name == name for tool in integration.tools)
    ]
    return gettext(max(fitting, key=lambda integration: len(integration.id)).label) if fitting else ""
