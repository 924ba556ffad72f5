"""Which tests of the services `make test` runs on both engines."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What stands above the store (`any_store`) is held on SQLite in `make test`, and on MongoDB too in `make soak`."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec and callspec.params.get("engine") == "mongo" and item.get_closest_marker("any_store"):
            item.add_marker(pytest.mark.soak)
