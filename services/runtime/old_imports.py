"""Import finder for modules that have moved: their old names work for one version, with a `DeprecationWarning`."""

import importlib
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import MappingProxyType, ModuleType
from typing import Any

MOVED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "services.agent": (),
        "services.agent.service": ("services.turns.agent_loop",),
        "services.integrations.wording": ("services.i18n.english", "services.safety.text"),
        "services.tools.base": ("services.tools.result", "services.tools.context", "services.tools.tool"),
    }
)
"""Each old module with those that have its names now; none for a package of which only modules are known."""
RENAMED: Mapping[str, str] = MappingProxyType(
    {
        "services.tools.base.RatePer": "services.tools.tool.CallRate",
        "services.tools.base.Told": "services.safety.provenance.Provenance",
    }
)


class OldModules(MetaPathFinder, Loader):
    """Finder and loader of the modules in `MOVED`; each looks its names up in the new ones."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        is_package = any(module.startswith(f"{fullname}.") for module in MOVED)
        return ModuleSpec(fullname, self, is_package=is_package) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        def look_up(name: str) -> Any:
            return _moved(module.__name__, name)

        vars(module)["__getattr__"] = look_up


def install() -> None:
    """Add the finder behind all others, once."""
    if not any(isinstance(finder, OldModules) for finder in sys.meta_path):
        sys.meta_path.append(OldModules())


def _moved(module: str, name: str) -> Any:
    new_module, _, new_name = RENAMED.get(f"{module}.{name}", "").rpartition(".")
    candidates = () if name.startswith("__") else (new_module,) if new_module else MOVED[module]
    for candidate in candidates:
        found = getattr(importlib.import_module(candidate), new_name or name, None)
        if found is not None:
            message = f"{module}.{name} is now {candidate}.{new_name or name}."
            # The import statement stands behind this function and the module's look-up.
            warnings.warn(message, DeprecationWarning, stacklevel=3)
            return found
    raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
