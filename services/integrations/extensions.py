"""Extension loader: folders beside this file, and installed packages with the entry point `homeroom.integrations`.

Its module may have, each of them or not:
integration(extension) -> Integration | None   what a student can connect; None when it is not set up here; with a
                                               parameter `fetch` it gets the guarded way to addresses students name
TOOLS                                          tools that need no connection
capabilities(extension) -> frozenset[str]      what a deployment that is set up gives
REQUIRES                                       packages it imports, by the names it imports them under
CONFIGURATION                                  the settings it reads: `ConfigField`s
SETUP                                          what whoever runs Homeroom has to do, in a sentence or two
LABEL                                          what it is called; its id in words, when left out
GIVES                                          the capabilities that it gives when it is set up: a tool of another
                                               extension that needs one tells what to set
recipients(extension) -> Sequence[Recipient]   who outside receives words by its tools: students are told their names
`extension` are its settings, as `Settings.extension` gives them.
"""

import importlib
import inspect
import logging
import pkgutil
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import services.integrations
from services.errors import SettingsError
from services.i18n import gettext_noop
from services.integrations.base import ConfigField, Integration
from services.integrations.kit import config_fields
from services.integrations.kit.config_fields import env_lines
from services.safety.consent import Recipient
from services.safety.fetch import SafeFetch
from services.settings import Settings
from services.tools.availability import not_set_up, package_missing
from services.tools.tool import ExclusionKind, Obstacle, Tool

log = logging.getLogger(__name__)

GROUP = "homeroom.integrations"
SHARED_FOLDER = "kit"
"""Folder of what several integrations share; no extension."""
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, kw_only=True)
class Extension:
    """Loaded extension. origin: where it was found, for a person. obstacle: why it offers nothing that works; None when
    all is well.

    tools: those that need no connection, marked with the obstacle, and those of an integration that is not set up.
    withheld: what it would give if it were set up, by capability or integration. folder: where its own words may be.
    recipients: who outside receives words by its tools.
    """

    id: str
    origin: str
    folder: Path | None = None
    setup: str = ""
    configuration: tuple[ConfigField, ...] = ()
    integration: Integration | None = field(default=None, repr=False)
    tools: tuple[Tool, ...] = field(default=(), repr=False)
    capabilities: frozenset[str] = frozenset()
    withheld: Mapping[str, Obstacle] = field(default_factory=dict, repr=False)
    obstacle: Obstacle | None = None
    recipients: tuple[Recipient, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FoundExtension:
    """Extension that has not been imported yet."""

    id: str
    origin: str
    load: Callable[[], ModuleType] = field(repr=False)


def find_extensions() -> list[FoundExtension]:
    """Find the folders in the order of their names, then the packages; raises `SettingsError` when two have one id."""
    everything = [*_folders(), *_packages()]
    by_id: dict[str, FoundExtension] = {}
    for other in everything:
        if (first := by_id.setdefault(other.id, other)) is not other:
            problem = f"is an integration of {first.origin} and of {other.origin}."
            raise SettingsError(other.id, problem, next_step="Remove one of them, or give it another name.")
    return everything


def load_extension(found: FoundExtension, settings: Settings) -> Extension:
    """Import an extension and ask what it offers. An error inside costs only its
    own tools; wrong settings stop the start.

    Raises `SettingsError`.
    """
    try:
        return _inspected(found, found.load(), settings)
    except SettingsError:
        raise
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if not package or package == "services":
            return _broken_extension(found, error)
        log.warning("integration_package_missing integration=%s package=%s", found.id, package)
        return Extension(id=found.id, origin=found.origin, obstacle=package_missing(_readable(found.id), package))
    except Exception as error:
        # Error boundary: code that is not ours, read at start. Its fault must not keep students from everything else.
        return _broken_extension(found, error)


def _inspected(found: FoundExtension, module: ModuleType, settings: Settings) -> Extension:
    own = {name: getattr(module, name, ()) for name in ("TOOLS", "REQUIRES", "CONFIGURATION", "GIVES")}
    configuration, setup = tuple(own["CONFIGURATION"]), getattr(module, "SETUP", "")
    _check_names(found, configuration)
    lacking = config_fields.missing_variables(configuration, settings.environment)
    package = next((name for name in own["REQUIRES"] if find_spec(name) is None), None)
    unset = not_set_up(getattr(module, "LABEL", "") or _readable(found.id), setup)
    obstacle = package_missing(_readable(found.id), package) if package else unset if lacking else None
    if package:
        log.warning("integration_package_missing integration=%s package=%s", found.id, package)
    given = settings.extension(found.id)
    integration = _integration(module, settings, given) if obstacle is None else None
    capabilities = module.capabilities(given) if obstacle is None and hasattr(module, "capabilities") else frozenset()
    gives = capabilities | (integration.capabilities | {found.id} if integration else frozenset())
    wanted = {*own["GIVES"], *(tool.integration for tool in own["TOOLS"] if tool.integration == found.id)}
    return Extension(
        id=found.id,
        origin=found.origin,
        folder=Path(module.__file__).parent if module.__file__ else None,
        setup=setup,
        configuration=configuration,
        integration=integration,
        # Those of its own integration are offered by that, when it is set up here.
        tools=tuple(tool for tool in own["TOOLS"] if integration is None or tool.integration != found.id),
        capabilities=capabilities,
        withheld=dict.fromkeys(sorted(wanted - gives), obstacle or unset),
        obstacle=obstacle,
        recipients=tuple(module.recipients(given)) if obstacle is None and hasattr(module, "recipients") else (),
    )


def _integration(module: ModuleType, settings: Settings, given: Mapping[str, str]) -> Integration | None:
    if not hasattr(module, "integration"):
        return None
    wants_fetch = "fetch" in inspect.signature(module.integration).parameters
    more = {"fetch": SafeFetch(allow=settings.egress_allow)} if wants_fetch else {}
    made: Integration | None = module.integration(given, **more)
    return made


def _check_names(found: FoundExtension, configuration: tuple[ConfigField, ...]) -> None:
    """An extension is given only the settings whose names begin with the first word of its id."""
    prefix = found.id.split("_")[0].upper() + "_"
    for entry in configuration:
        if not entry.env.startswith(prefix):
            raise ValueError(f"{entry.env} does not begin with {prefix}")


def _folders() -> Iterator[FoundExtension]:
    package = services.integrations
    for entry in sorted(pkgutil.iter_modules(package.__path__), key=lambda entry: entry.name):
        if entry.ispkg and entry.name != SHARED_FOLDER:
            name = f"{package.__name__}.{entry.name}"
            yield FoundExtension(id=entry.name, origin=f"the folder {entry.name}", load=partial(_import, name))


def _import(name: str) -> ModuleType:
    return importlib.import_module(name)


def _packages() -> Iterator[FoundExtension]:
    for point in _entry_points(tuple(sys.path)):
        origin = f"the package {point.dist.name} {point.dist.version}" if point.dist else f"the package {point.value}"
        if not _ID.fullmatch(point.name):
            log.warning("integration_name_refused name=%.80r", point.name)
            continue
        yield FoundExtension(id=point.name, origin=origin, load=partial(_module, point))


@cache
def _entry_points(search_path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Our entry points, by name. The notes of every installed package are read for them: once for each search path."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


def _module(point: EntryPoint) -> ModuleType:
    loaded = point.load()
    if not isinstance(loaded, ModuleType):
        raise TypeError(f"{point.value} is not a module")
    return loaded


def _broken_extension(found: FoundExtension, error: Exception) -> Extension:
    place = traceback.extract_tb(error.__traceback__)[-1]
    log.error(
        "integration_broken integration=%s kind=%s at=%s:%s",
        found.id,
        type(error).__name__,
        place.filename,
        place.lineno,
    )
    obstacle = Obstacle(
        kind=ExclusionKind.UNUSABLE,
        reason=gettext_noop("{id} does not work here: it could not be loaded."),
        next_step=gettext_noop("Whoever runs Homeroom finds the reason in the log, under integration_broken."),
        names={"id": _readable(found.id)},
    )
    return Extension(id=found.id, origin=found.origin, obstacle=obstacle)


def _readable(id: str) -> str:
    return id.replace("_", " ").capitalize()


def describe_lines(extension: Extension, *, played: frozenset[str] = frozenset()) -> Iterator[str]:
    """Lines on an extension for the operator: its state, and what `.env` takes. played: variables that a demo sets."""
    tools = (*(extension.integration.tools if extension.integration else ()), *extension.tools)
    state = (
        _state_text(extension.obstacle)
        if extension.obstacle
        else f"{len(tools)} {'tool' if len(tools) == 1 else 'tools'}"
    )
    if not played.isdisjoint(field.env for field in extension.configuration):
        state += ", played by the demo's campus"
    yield f"{extension.id}: {state} ({extension.origin})"
    if extension.obstacle:
        yield f"  {extension.obstacle.sentence} {extension.obstacle.setup or extension.obstacle.step}"
    elif extension.setup:
        yield f"  {extension.setup}"
    yield from (f"  {line}" for line in env_lines(extension.configuration))


def _state_text(obstacle: Obstacle) -> str:
    return "not set up" if obstacle.kind is ExclusionKind.NOT_SET_UP else "not working"
