"""The components' files are kept by browsers until one of them changes, and asked for before they are needed."""

import json
import re
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from api.assets.component_assets import COMPONENTS, ENTRY, LIVE_CHAT, WEEK_CALENDAR, ComponentAssets
from api.assets.manifest import manifest
from api.assets.routes import asset_routes
from api.assets.static_file import FOREVER
from api.middleware.static_files import StaticFiles
from services.settings import ROOT

CLIENT = TestClient(Starlette(routes=list(asset_routes(manifest()))))
each_component = pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.name)


@each_component
def test_every_file_of_the_package_is_kept(component: ComponentAssets) -> None:
    place = component.folder
    assert place is not None
    names = {path.name for path in place.iterdir() if path.is_file()}

    assert set(component.files()) == names
    for name in names:
        answer = CLIENT.get(f"{component.address}/{name}")
        assert (name, answer.content) == (name, (place / name).read_bytes())
        assert answer.headers["cache-control"] == FOREVER


def test_what_is_asked_for_beforehand_begins_with_the_entry_and_leaves_out_what_few_need() -> None:
    modules, styles = LIVE_CHAT.preloaded()

    assert modules[0] == ENTRY
    assert "composer.js" in modules
    assert not {"formulas.js", "diagrams.js"} & set(modules)
    styles_of_all = sorted(name for name in LIVE_CHAT.files() if name.endswith(".css"))
    assert styles == [name for name in styles_of_all if name not in ("quiz.css", "reader.css", "review.css")]


@each_component
def test_streamlits_page_is_handed_on_to_the_kept_entry(component: ComponentAssets) -> None:
    client = TestClient(Starlette(middleware=[Middleware(StaticFiles)]))

    entry = client.get(f"{component.streamlit_address}{ENTRY}").text

    assert entry == f'export{{default}}from"{component.address}/{ENTRY}";\n'


def test_without_its_package_nothing_is_asked_for() -> None:
    missing = replace(LIVE_CHAT, package="homeroom_missing")

    assert missing.preloaded() == ([], [])
    assert missing.files() == {}


def test_the_calendar_is_of_the_versions_that_are_pinned_and_hashed() -> None:
    """`make assets` joins it anew: its begin names what it was made of, the lock file has each one's hash."""
    assert WEEK_CALENDAR.folder is not None
    begin = (WEEK_CALENDAR.folder / "fullcalendar.js").read_text(encoding="utf-8")[:2_000]
    packages = json.loads((ROOT / "commands" / "page_assets" / "package-lock.json").read_text())["packages"]

    made_of = dict(re.findall(r"^([\w-]+) (\d[\d.]*) \(MIT\) Copyright", begin, re.MULTILINE))

    locked = {name: packages[f"node_modules/{name}"] for name in ("fullcalendar", "preact", "temporal-polyfill")}
    assert made_of == {name: package["version"] for name, package in locked.items()}
    assert all(package["integrity"].startswith("sha512-") for package in locked.values())
