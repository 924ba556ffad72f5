"""The live component's files are kept by browsers until one of them changes, and asked for before they are needed."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from api.assets import live_component
from api.assets.encoded_file import FOREVER
from api.assets.live_component import ENTRY, STREAMLIT_ADDRESS, folder, live_address, live_files, preloaded
from api.assets.manifest import manifest
from api.assets.routes import asset_routes
from api.middleware.static_files import StaticFiles

CLIENT = TestClient(Starlette(routes=list(asset_routes(manifest()))))


def test_every_file_of_the_package_is_kept() -> None:
    place = folder()
    assert place is not None
    names = {path.name for path in place.iterdir() if path.is_file()}

    assert set(live_files()) == names
    for name in names:
        answer = CLIENT.get(f"{live_address()}/{name}")
        assert (name, answer.content) == (name, (place / name).read_bytes())
        assert answer.headers["cache-control"] == FOREVER


def test_what_is_asked_for_beforehand_begins_with_the_entry_and_leaves_out_what_few_need() -> None:
    modules, styles = preloaded()

    assert modules[0] == ENTRY
    assert "composer.js" in modules
    assert not {"formulas.js", "diagrams.js"} & set(modules)
    assert styles == sorted(name for name in live_files() if name.endswith(".css"))


def test_streamlits_page_is_handed_on_to_the_kept_entry() -> None:
    client = TestClient(Starlette(middleware=[Middleware(StaticFiles)]))

    assert client.get(f"{STREAMLIT_ADDRESS}{ENTRY}").text == f'export{{default}}from"{live_address()}/{ENTRY}";\n'


def test_without_its_package_nothing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_component, "folder", lambda: None)

    assert preloaded() == ([], [])
    assert live_files() == {}
