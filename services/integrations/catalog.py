"""Which integrations this deployment offers, found by looking into the folders beside this file, and their words."""

import importlib
import logging
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import services.integrations
from services.integrations.base import Integration
from services.settings import ROOT, Settings
from services.tools.base import Tool

log = logging.getLogger(__name__)

_WORDS = ROOT / "prompts" / "integrations"


@dataclass(frozen=True, kw_only=True)
class Words:
    """What the model is told about an integration: while it works, while it is missing, and when it must be renewed."""

    connected: str
    missing: str
    reconnect: str


def discover(settings: Settings) -> dict[str, Integration]:
    """What students can connect here, by id, in the order of the folders' names.

    A folder offers `integration(extension)`, which returns None when the deployment has no settings for it. One whose
    package is not installed is left out and logged; one with wrong settings raises `SettingsError`.
    """
    made = ((id, module.integration(settings.extension(id))) for id, module in _folders())
    return {id: integration for id, integration in made if integration is not None}


def own_tools() -> tuple[Tool, ...]:
    """Tools that need no connection: what the folders list under `TOOLS`."""
    return tuple(tool for _, module in _folders() for tool in getattr(module, "TOOLS", ()))


def capabilities(settings: Settings) -> frozenset[str]:
    """What this deployment itself gives: each folder's `capabilities(extension)`, where it has one."""
    given = (
        module.capabilities(settings.extension(id)) for id, module in _folders() if hasattr(module, "capabilities")
    )
    return frozenset().union(*given)


def words(id: str, *, folder: Path = _WORDS) -> Words:
    """An integration's words from prompts/integrations; a file that is not there counts as empty."""
    return Words(
        connected=_text(folder / f"{id}.txt"),
        missing=_text(folder / f"{id}.missing.txt"),
        reconnect=_text(folder / f"{id}.reconnect.txt"),
    )


def _folders() -> Iterator[tuple[str, ModuleType]]:
    for found in sorted(pkgutil.iter_modules(services.integrations.__path__), key=lambda found: found.name):
        if not found.ispkg:
            continue
        try:
            yield found.name, importlib.import_module(f"{services.integrations.__name__}.{found.name}")
        except ModuleNotFoundError as error:
            if error.name is None or error.name.split(".")[0] == "services":
                raise
            log.warning("integration_package_missing integration=%s package=%s", found.name, error.name)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""
