"""Show the assistants that students can pick, load changed or new ones from a file, or take that back."""

from pathlib import Path
from typing import TYPE_CHECKING

from commands.console import everything, store_of
from services.assistants import toml_file
from services.assistants.registry import AssistantRegistry
from services.errors import BadArguments

if TYPE_CHECKING:
    from services.integrations.extensions import Extension
    from services.wiring.container import ServiceContainer


def show(id: str | None) -> int:
    """Print the assistants, or one, as a TOML file that `assistants load` takes."""
    with store_of() as store:
        registry = AssistantRegistry(store)
        print(toml_file.dump_assistants([registry.get(id)] if id else registry.all()), end="")
    return 0


def load(file: Path) -> int:
    """Keep every assistant of a TOML file in place of what there was under its id, or none when anything is wrong."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadArguments(f"There is no file {file}.", next_step="Give the path of a TOML file.") from None
    except (OSError, UnicodeDecodeError):
        raise BadArguments(f"{file} cannot be read as text.", next_step="Give the path of a TOML file.") from None
    with everything() as services:
        done = toml_file.load_assistants(text, services.assistants, known_in(services))
    print("\n".join(f"{id}: {what}" for id, what in done.items()))
    print("Running processes go by it from the next message on.")
    return 0


def remove(id: str) -> int:
    """Take back what was loaded for an assistant: one that ships is as it ships again, one of your own is gone."""
    with store_of() as store:
        left = AssistantRegistry(store).remove(id)
    print(f"{id} is as it ships again." if left else f"{id} is gone; its chats go on with the first assistant.")
    return 0


def known_in(services: "ServiceContainer") -> toml_file.KnownNames:
    """Names that assistants may use in this deployment, set up or not."""
    tools, servers = services.root_tools.tools(), services.settings.mcp_servers
    return toml_file.KnownNames(
        tools=[tool.name for tool in tools],
        categories={*(tool.category for tool in tools), *(server.category for server in servers.values())},
        servers=servers,
        calendars=[extension.id for extension in services.extensions if _is_calendar(extension)],
    )


def _is_calendar(extension: "Extension") -> bool:
    """Whether it brings a calendar, or would if it were set up."""
    # Loads the services' client libraries, which the other commands need not wait for.
    from services.integrations.calendar.provider import READ

    given = extension.integration.capabilities if extension.integration else frozenset[str]()
    return READ in given or READ in extension.withheld
