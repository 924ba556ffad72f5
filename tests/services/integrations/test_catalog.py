"""What the folders of integrations offer."""

import sys
from pathlib import Path

import pytest

from services import settings
from services.errors import SettingsError
from services.integrations import catalog, extensions, planner


def read(tmp_path: Path, **more: str) -> settings.Settings:
    return settings.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), **more})


def test_the_demo_offers_every_integration_in_a_stable_order(tmp_path: Path) -> None:
    found = catalog.load_catalog(read(tmp_path)).integrations

    assert list(found) == sorted(found)
    assert {"canvas", "google_calendar", "notion"} <= found.keys()
    assert all(id == extension.id and (extension.tools or extension.capabilities) for id, extension in found.items())


def test_all_words_for_the_model_belong_to_an_extension() -> None:
    named = {path.name.split(".")[0] for path in (settings.ROOT / "prompts" / "integrations").iterdir()}

    assert named <= {extension.id for extension in extensions.find_extensions()}


def test_every_folder_that_ships_offers_something(tmp_path: Path) -> None:
    found = catalog.load_catalog(read(tmp_path)).extensions

    assert [ext.id for ext in found if not (ext.integration or ext.tools or ext.capabilities or ext.obstacle)] == []


def test_what_a_folder_offers_is_complete_enough_for_its_card(tmp_path: Path) -> None:
    offered = catalog.load_catalog(read(tmp_path)).integrations

    assert offered
    for integration in offered.values():
        assert integration.label
        assert integration.icon.startswith(":material/")
        assert integration.summary
        assert integration.reads
        assert integration.origins
        assert integration.consent
        assert integration.oauth or integration.accepts_token or integration.begins
        assert bool(integration.token_help) >= integration.accepts_token
        assert all(tool.integration == integration.id for tool in integration.tools)


def test_an_integration_without_settings_is_left_out(tmp_path: Path) -> None:
    found = settings.read(
        {
            "ANTHROPIC_API_KEY": "k",
            "OIDC_METADATA_URL": "https://sign-in.example/.well-known/openid-configuration",
            "OIDC_CLIENT_ID": "id",
            "OIDC_CLIENT_SECRET": "secret",
            "HOMEROOM_PUBLIC_URL": "https://homeroom.example",
            "HOMEROOM_COOKIE_SECRET": "c" * 32,
            "HOMEROOM_VAULT_KEYS": settings.new_vault_key(),
            "HOMEROOM_DATA_DIR": str(tmp_path),
        }
    )

    assert "canvas" not in catalog.load_catalog(found).integrations


def test_wrong_settings_stop_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="CANVAS_BASE_URL"):
        catalog.load_catalog(read(tmp_path, CANVAS_BASE_URL="nonsense"))


def test_the_planner_needs_no_connection(tmp_path: Path) -> None:
    found = catalog.load_catalog(read(tmp_path))
    of_planner = [tool for tool in found.own_tools if tool.extension == "planner"]

    assert {"planner_create_task", "planner_list_tasks"} <= {tool.name for tool in of_planner}
    assert all(tool.integration is None for tool in of_planner)
    assert "planner" not in found.integrations


def test_whatever_ships_can_be_loaded_and_says_in_words_what_it_asks_for(tmp_path: Path) -> None:
    found = catalog.load_catalog(read(tmp_path))

    assert [extension.obstacle for extension in found.extensions if extension.obstacle is not None] == []
    assert len(found.tools(found.integrations)) == len({tool.name for tool in found.tools(found.integrations)})
    asked = {
        integration.id: set(integration.oauth.scopes)
        for integration in found.integrations.values()
        if integration.oauth
    }
    assert asked == {id: set(found.integrations[id].permissions) for id in asked}
    assert {"canvas", "google_calendar"} <= set(asked)


def test_a_folder_whose_package_is_missing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in [name for name in sys.modules if name.startswith("services.integrations.canvas")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "canvasapi", None)
    for name in [name for name in sys.modules if name.startswith("canvasapi.")]:
        monkeypatch.setitem(sys.modules, name, None)

    found = catalog.load_catalog(read(tmp_path)).integrations

    assert "canvas" not in found
    assert "google_calendar" in found
    assert "integration_package_missing integration=canvas package=canvasapi" in caplog.text


def test_every_integration_has_its_words(tmp_path: Path) -> None:
    offered = catalog.load_catalog(read(tmp_path)).integrations

    assert offered
    for id, integration in offered.items():
        words = catalog.load_prompts(id)
        assert words.connected
        assert words.missing or not integration.needs_account
        assert "{reason}" in words.reconnect


def test_words_that_are_not_there_are_empty(tmp_path: Path) -> None:
    (tmp_path / "new.missing.txt").write_text("It is not connected.\n")

    words = catalog.load_prompts("new", folder=tmp_path)

    assert (words.connected, words.missing, words.reconnect) == ("", "It is not connected.", "")


def test_a_deployment_gives_the_capabilities_that_its_folders_see_in_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        planner, "capabilities", lambda given: frozenset({"planner_key"} if "KEY" in given else ()), raising=False
    )

    without = catalog.load_catalog(read(tmp_path)).capabilities
    given = catalog.load_catalog(read(tmp_path, PLANNER_KEY="yes")).capabilities

    assert given - without == {"planner_key"}


def test_every_declared_setting_of_what_ships_is_in_the_example(tmp_path: Path) -> None:
    example = (settings.ROOT / ".env.example").read_text(encoding="utf-8")

    declared = [
        entry.env for extension in catalog.load_catalog(read(tmp_path)).extensions for entry in extension.configuration
    ]

    assert declared
    assert [name for name in declared if f"{name}=" not in example] == []
