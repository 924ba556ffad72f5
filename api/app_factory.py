"""App factory: routes, middleware, lifespan and the sign-in client, from the settings."""

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from api.auth import SignInCookie
from api.graceful_shutdown import current_server, graceful_shutdown
from api.idle_connections import IdleConnections
from api.locale import language_routes
from api.middleware.compression import UncompressedSecrets
from api.middleware.host import CanonicalHost, KnownHost, SameOrigin
from api.middleware.load_shedding import LoadShedding
from api.middleware.return_to import ReturnToPage
from api.middleware.security_headers import SecurityHeaders
from api.middleware.sign_in import SignInErrors, SignOutNotice
from api.middleware.static_files import StaticFiles
from api.middleware.streamlit_guard import StreamlitGuard, require_safe_options
from api.middleware.upload_quota import HeldBytes
from api.routes import routes
from api.streamlit_page import UnknownPage, page_routes
from services import bootstrap
from services.connections.key_rotation import SealCheck
from services.connections.vault import KeyRing, Vault
from services.errors import SettingsError, StorageError, StorageUnavailable, StorageUnusable
from services.runtime.capacity import Capacity, process_capacity
from services.runtime.metrics_registry import QUEUED
from services.runtime.priority_limiter import CPU_SLOTS
from services.runtime.replica_secrets import HEARTBEAT_S, ReplicaSecrets
from services.settings import Settings, demo_mode
from services.storage.store import Store
from services.wiring.model_requests import import_model_client

log = logging.getLogger(__name__)

SETTLED_S = 10.0
"""Seconds after the start by which background imports are done."""
GARBAGE = 5_000
"""Allocations before a young collection (Python's default is 700)."""
VERIFY_EVERY_S = 6 * 3600.0
"""A file of a gigabyte is read in some seconds, on a thread that does not hold the interpreter."""
DRAIN_S = 20.0
"""Seconds that running turns may take to finish at a shutdown; most hosts grant 30 s in all."""
BUDGETS_S = 3.0


@dataclass(frozen=True, kw_only=True)
class AppArguments:
    """Arguments of `st.App`, apart from the script."""

    routes: list[BaseRoute]
    middleware: list[Middleware]
    lifespan: Callable[[Any], AbstractAsyncContextManager[dict[str, Any]]]
    secrets: dict[str, Any] = field(repr=False)


def create_app_or_exit(
    *, campus: Callable[..., ASGIApp], option: Callable[[str], Any], held: HeldBytes
) -> AppArguments:
    """Call `create_app`; for an unusable setting or store print which and what to do, and exit with 2.

    option: what Streamlit goes by, by the option's name. held: bytes that it holds for a tab, by the session's id.
    """
    try:
        require_safe_options(option)
        return create_app(campus=campus, held=held)
    except StorageUnusable as error:
        _leave(f"{error.setting}: {error}", error.remedy, code=2)
    except StorageUnavailable as error:
        _leave(str(error), error.remedy or error.next_step, code=1)
    except (SettingsError, StorageError) as error:
        _leave(str(error), error.next_step, code=2 if isinstance(error, SettingsError) else 1)


def _leave(problem: str, next_step: str, *, code: int) -> NoReturn:
    sys.stderr.write(f"{problem}\n{next_step}\n")
    sys.exit(code)


def create_app(*, campus: Callable[..., ASGIApp], held: HeldBytes) -> AppArguments:
    """Build the app arguments of this process; `campus` makes the demo campus and is called in demo mode only."""
    container = bootstrap.container()
    settings = container.settings
    replicas = ReplicaSecrets(
        container.store.shared, container.clock, cookie_secret=settings.cookie_secret, vault_keys=settings.vault_keys
    )
    seals = SealCheck(container.store, Vault(KeyRing.parse(settings.vault_keys)))
    capacity = process_capacity()
    capacity.watch(container.registry)
    container.registry.watch(QUEUED, lambda: CPU_SLOTS.waiting)
    return AppArguments(
        routes=[
            *routes(container, replicas=replicas, seals=seals, capacity=capacity),
            *page_routes(integration.icon for integration in container.integrations.values()),
            *language_routes(),
            *(_campus(campus, settings) if settings.demo else []),
            UnknownPage(),
        ],
        middleware=_middleware(settings, capacity, held),
        lifespan=partial(_lifespan, replicas, seals, capacity),
        secrets={"auth": sign_in_client(settings)},
    )


def _middleware(settings: Settings, capacity: Capacity, held: HeldBytes) -> list[Middleware]:
    """Middleware stack, outermost first."""
    cookie = SignInCookie(settings.cookie_secret)
    return [
        Middleware(SecurityHeaders, public_url=settings.public_url),
        Middleware(KnownHost, public_url=settings.public_url),
        Middleware(LoadShedding, capacity=capacity, cookie=cookie),
        Middleware(CanonicalHost, public_url=settings.public_url),
        Middleware(SameOrigin, public_url=settings.public_url),
        Middleware(StreamlitGuard, cookie=cookie, held=held),
        Middleware(StaticFiles),
        Middleware(UncompressedSecrets),
        Middleware(SignOutNotice),
        Middleware(ReturnToPage),
        Middleware(SignInErrors),
    ]


def _campus(campus: Callable[..., ASGIApp], settings: Settings) -> list[BaseRoute]:
    is_mail_played = settings.environment.get("SMTP_URL") == demo_mode.mail_server(settings.port)
    mail_port = settings.mail_server.port if settings.mail_server and is_mail_played else None
    app = campus(origin=settings.public_url, database=settings.data_dir / "campus.sqlite", mail_port=mail_port)
    # A mount answers only below its path; without this line Streamlit would answer the path itself.
    return [Route("/sandbox", RedirectResponse("/sandbox/")), Mount("/sandbox", app)]


def _freeze_garbage() -> None:
    """Freeze the objects loaded at the start: else each full collection visits them all, 0.3 s at a time.

    After it, pages make and drop tens of thousands of objects a second that are in no cycle.
    """
    gc.freeze()
    gc.set_threshold(GARBAGE)


@asynccontextmanager
async def _lifespan(
    replicas: ReplicaSecrets, seals: SealCheck, capacity: Capacity, _app: Any
) -> AsyncIterator[dict[str, Any]]:
    container = bootstrap.container()
    container.jobs.start()
    container.reminder_loop.start()
    container.material_reading.start()
    container.quiz_making.start()
    container.published_metrics.start()
    beside = [
        asyncio.create_task(work) for work in (_announce(replicas), _check_seals(seals), _verify(container.store))
    ]
    if (server := current_server()) is not None:
        beside.append(asyncio.create_task(IdleConnections(server, capacity).run()))
    if container.mcp is not None:
        # On a thread, for nobody waits for it: a store that is slow to answer delays no start.
        asyncio.get_running_loop().run_in_executor(None, container.mcp.prepare)
    asyncio.get_running_loop().run_in_executor(None, import_model_client)
    asyncio.get_running_loop().call_later(SETTLED_S, _freeze_garbage)
    stopping = None
    try:
        with graceful_shutdown(lambda: container.turns.drain(DRAIN_S)) as stopping:
            yield {}
    finally:
        for task in beside:
            task.cancel()
        await asyncio.to_thread(container.reminder_loop.stop)
        await asyncio.to_thread(container.quiz_making.stop)
        await asyncio.to_thread(container.material_reading.stop)
        await asyncio.to_thread(container.jobs.stop)
        has_drained = stopping is not None and stopping.has_begun
        await asyncio.to_thread(container.turns.drain, 0.0 if has_drained else DRAIN_S)
        # What the last answers have cost is not forgotten.
        await asyncio.to_thread(container.budgets.flush, BUDGETS_S)
        await asyncio.to_thread(container.published_metrics.stop)
        if container.mcp is not None:
            await asyncio.to_thread(container.mcp.close)
        with suppress(StorageError):
            await asyncio.to_thread(replicas.withdraw)


async def _announce(replicas: ReplicaSecrets) -> None:
    """Announce this replica until it stops; an unavailable store is tried again at the next beat."""
    while True:
        with suppress(StorageError):
            await asyncio.to_thread(replicas.announce)
        await asyncio.sleep(HEARTBEAT_S)


async def _check_seals(seals: SealCheck) -> None:
    """Look whether the vault keys open what was sealed; again and again only while they do not."""
    while True:
        with suppress(StorageError):
            if await asyncio.to_thread(seals.run):
                return
        await asyncio.sleep(HEARTBEAT_S)


async def _verify(store: Store) -> None:
    """Look for damage in the store's files while the app runs: `/ready` tells it before a student meets it."""
    await asyncio.sleep(SETTLED_S)
    while True:
        try:
            await asyncio.to_thread(store.verify)
        except StorageUnusable as error:
            log.error("store_damaged %s %s", error, error.remedy)
        except StorageError:
            log.warning("store_not_verified")
        await asyncio.sleep(VERIFY_EVERY_S)


def sign_in_client(settings: Settings) -> dict[str, Any]:
    """Configuration of the sign-in provider for Streamlit; requests to it ignore proxies of the environment."""
    return {
        "redirect_uri": f"{settings.public_url}/oauth2callback",
        "cookie_secret": settings.cookie_secret,
        "client_id": settings.oidc_client_id,
        "client_secret": settings.oidc_client_secret,
        "server_metadata_url": settings.oidc_metadata_url,
        "client_kwargs": {"trust_env": False},
    }
