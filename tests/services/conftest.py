"""Which tests of the services `make test` runs on both engines."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What stands above the store (`any_store`) is held on SQLite in `make test`, and on MongoDB too in `make soak`;
    of such a file, what tells whether replicas and engines agree (`each_store`) is held on both in `make test`.
    """
    for item in items:
        callspec = getattr(item, "callspec", None)
        is_on_mongo = callspec is not None and any(value == "mongo" for value in callspec.params.values())
        if is_on_mongo and item.get_closest_marker("any_store") and not item.get_closest_marker("each_store"):
            item.add_marker(pytest.mark.soak)
