"""The manifests of installed Streamlit components, read once for all tests of pages."""

from collections.abc import Iterator
from functools import cache

import pytest


@pytest.fixture(autouse=True, scope="session")
def component_manifests() -> Iterator[None]:
    """Each `AppTest` would read the notes of every installed package anew: two thirds of what a page's test cost."""
    from streamlit.components.v2 import manifest_scanner

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield
