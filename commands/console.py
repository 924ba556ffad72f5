"""Console of commands: the store or all services, closed when the command ends, and yes-or-no questions."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from services import settings as configuration
from services.settings import Settings
from services.storage.engines import open_engine
from services.storage.store import Store

if TYPE_CHECKING:
    from services.wiring.container import ServiceContainer


@contextmanager
def store_of(settings: Settings | None = None) -> Iterator[Store]:
    """The store of these settings, or of this process's; raises `SettingsError`, `StorageUnusable`."""
    with closing(Store(open_engine(settings or configuration.from_process()))) as store:
        yield store


@contextmanager
def everything() -> "Iterator[ServiceContainer]":
    """All services of this process's settings, as the app has them."""
    # Loads what an agent is made of, which most commands need not wait for.
    from services import bootstrap

    services = bootstrap.build(configuration.from_process())
    with closing(services.store):
        yield services


def agrees(question: str) -> bool:
    """Whether the operator types y; no terminal is a no, and so is Ctrl+C."""
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        print()
        return False
