"""`Catalog`: every extension of this deployment, with its integrations, tools, capabilities and prompt texts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from services.assistants.assistant import ASSISTANT_CAPABILITIES
from services.errors import SettingsError
from services.integrations import extensions
from services.integrations.base import Integration
from services.integrations.extensions import Extension
from services.safety.consent import Recipient
from services.settings import ROOT, Settings
from services.tools.tool import Obstacle, Tool

_WORDS = ROOT / "prompts" / "integrations"


@dataclass(frozen=True, kw_only=True)
class IntegrationPrompts:
    """Prompt texts of an integration: while it works, while it is missing, and when it must be renewed."""

    connected: str
    missing: str
    reconnect: str


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Extensions found at start, in a stable order: the folders by name, then the packages by name."""

    extensions: tuple[Extension, ...]

    @property
    def integrations(self) -> dict[str, Integration]:
        """Integrations that students can connect here, by id."""
        return {
            extension.id: extension.integration for extension in self.extensions if extension.integration is not None
        }

    @property
    def capabilities(self) -> frozenset[str]:
        """Capabilities of the deployment itself, whatever a student has connected."""
        return frozenset().union(*(extension.capabilities for extension in self.extensions))

    @property
    def withheld(self) -> dict[str, Obstacle]:
        """Obstacle of each integration and capability that would be there if it were set up."""
        return {name: obstacle for extension in self.extensions for name, obstacle in extension.withheld.items()}

    @property
    def recipients(self) -> tuple[Recipient, ...]:
        """Who outside receives words by the tools of this deployment, besides the services that students connect."""
        return tuple(recipient for extension in self.extensions for recipient in extension.recipients)

    @property
    def own_tools(self) -> tuple[Tool, ...]:
        """Tools that no integration offers here, each marked with its obstacle."""
        return tuple(tool for extension in self.extensions for tool in _with_origin(extension.tools, extension))

    def tools(self, integrations: Mapping[str, Integration]) -> tuple[Tool, ...]:
        """All tools there are with these integrations; raises `SettingsError` that names both of two with one name."""
        by_id = {extension.id: extension for extension in self.extensions}
        of_integrations = [
            tool if integration.needs_account else replace(tool, is_sample=True)
            for integration in integrations.values()
            for tool in _with_origin(integration.tools, by_id.get(integration.id))
        ]
        together = (*of_integrations, *self.own_tools)
        _refuse_duplicate_names(together, by_id)
        given = ASSISTANT_CAPABILITIES.union(
            integrations, *(integration.capabilities for integration in integrations.values())
        )
        withheld = {name: obstacle for name, obstacle in self.withheld.items() if name not in given}
        return tuple(_with_missing_part(tool, withheld) for tool in together)

    def words(self, id: str) -> IntegrationPrompts:
        """An extension's words from prompts/integrations, or those that its package brings beside its code."""
        ours = load_prompts(id)
        folder = next((extension.folder for extension in self.extensions if extension.id == id), None)
        return ours if folder is None or ours != _NO_PROMPTS else load_prompts(id, folder=folder)


def load_catalog(settings: Settings) -> Catalog:
    """Find and load every extension; raises `SettingsError` for wrong settings and for two with one id."""
    return Catalog(
        extensions=tuple(extensions.load_extension(found, settings) for found in extensions.find_extensions())
    )


def load_prompts(id: str, *, folder: Path = _WORDS) -> IntegrationPrompts:
    """An integration's words from a folder; a file that is not there counts as empty."""
    return IntegrationPrompts(
        connected=_text(folder / f"{id}.txt"),
        missing=_text(folder / f"{id}.missing.txt"),
        reconnect=_text(folder / f"{id}.reconnect.txt"),
    )


_NO_PROMPTS = IntegrationPrompts(connected="", missing="", reconnect="")


def _with_origin(tools: Iterable[Tool], extension: Extension | None) -> list[Tool]:
    if extension is None:
        return list(tools)
    return [replace(tool, extension=extension.id, obstacle=tool.obstacle or extension.obstacle) for tool in tools]


def _with_missing_part(tool: Tool, withheld: Mapping[str, Obstacle]) -> Tool:
    """A tool that needs what another extension would give, marked with the obstacle of that one."""
    needed = next((name for name in (tool.integration, *tool.capabilities) if name in withheld), None)
    return replace(tool, obstacle=withheld[needed]) if needed and tool.obstacle is None else tool


def _refuse_duplicate_names(tools: Iterable[Tool], extensions: Mapping[str, Extension]) -> None:
    by_name: dict[str, Tool] = {}
    for tool in tools:
        first = by_name.setdefault(tool.name, tool)
        if first is not tool:
            here, there = (_origin(each, extensions) for each in (first, tool))
            problem = f"is a tool of {here} and of {there}."
            raise SettingsError(tool.name, problem, next_step="Remove one of them, or give its tool another name.")


def _origin(tool: Tool, extensions: Mapping[str, Extension]) -> str:
    known = extensions.get(tool.extension)
    return known.origin if known else f"the integration {tool.integration or tool.category}"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""
