"""Fixtures that more than one room of tests uses."""

import gc
import os
import ssl
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from services.runtime import deadline
from services.storage import sqlite_pool
from tests.browser import (  # noqa: F401 - fixtures
    any_tab,
    browser,
    kept_tabs,
    pytest_collection_modifyitems,
    sinkhole,
    tab,
    tabs,
)
from tests.campus_server import CampusServer
from tests.later_fields import _stores_of_a_later_version  # noqa: F401 - fixture
from tests.mongo_server import mongo_client, mongo_server, mongo_uri  # noqa: F401 - fixtures

settings.register_profile(
    "homeroom",
    # Machines differ, and ours share two cores with two other tests: only what is asserted may fail.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # `make soak` asks for more.
    max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "25")),
    # All but Hypothesis's explanation of a failure, which takes minutes.
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink],
)
settings.load_profile("homeroom")


ROOT = Path(__file__).resolve().parent.parent
FIGURE = "figure"
"""Property of a test, by `record_property`, that is printed when the run is over."""
DURABLE = sqlite_pool.SYNCHRONOUS
"""How Homeroom's commits wait for the disk when no test hurries them."""
_ALLOCATIONS = 20_000
"""Objects between two looks for garbage; with Python's 700 that is a tenth of many tests."""


@pytest.fixture(autouse=True, scope="session")
def _no_needless_waiting() -> None:
    """Half of the time of the tests would be waiting: for disks, which only a power cut needs, and between tries.

    And each new client would read all certificates of the world anew. Processes that tests start and kill are as they
    are in use.
    """
    sqlite_pool.SYNCHRONOUS = "OFF"
    deadline.FIRST_PAUSE_S = 0.02
    ssl.create_default_context = cache(ssl.create_default_context)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: a quarter of a run with one more was waiting for servers, browsers and disks."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Nothing that comes in now goes again: looking for garbage meanwhile would be a fifth of the work."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Ten thousand tests stay until the end: no collection of garbage need look at them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted, under `FIGURE`: what they write themselves is lost in a worker."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, figure in getattr(report, "user_properties", ()):
                if name == FIGURE and getattr(report, "when", "") == "call":
                    terminalreporter.write_line(str(figure))


@pytest.fixture(scope="session")
def running_campus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampusServer]:
    """One campus for the whole run; take `campus` instead."""
    server = CampusServer(tmp_path_factory.mktemp("campus") / "campus.sqlite")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def campus(running_campus: CampusServer) -> CampusServer:
    """The demo campus over real HTTP, as new."""
    running_campus.reset()
    return running_campus
