"""A demo's server gets nothing of a school's settings, and its folder goes away, however the demo ended."""

import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bench.load.app_server import free_port
from commands.demo import command
from commands.demo.environment import DemoAddress, demo_environment, has_real_key
from commands.demo.folder import LOCK, DemoFolder, remove_leftovers
from services import settings
from services.errors import SettingsError
from services.settings import ROOT
from tests.anthropic_server import AnthropicServer, Refusal

SCHOOL = {
    "MONGODB_URI": "mongodb://school",
    "CANVAS_BASE_URL": "https://canvas.school.edu",
    "OIDC_METADATA_URL": "https://id.school.edu",
    "HOMEROOM_PUBLIC_URL": "https://homeroom.school.edu",
    "HOMEROOM_WORKERS": "8",
    "SMTP_URL": "smtps://mail.school.edu",
    "ANTHROPIC_API_KEY": "sk-real",
}
ROOM = DemoAddress(host="192.168.1.23", port=8600)


@pytest.mark.parametrize("place", ["environment", "file"])
def test_a_schools_settings_do_not_reach_the_demo(tmp_path: Path, place: str) -> None:
    given, file = (SCHOOL, {}) if place == "environment" else ({}, SCHOOL)
    environment = demo_environment(given, file, address=ROOM, data_dir=tmp_path, is_model_real=False)

    read = settings.read({**file, **environment})

    assert read.mongodb_uri is None
    assert read.public_url == "http://192.168.1.23:8600"
    assert read.workers == 1
    assert read.anthropic_api_key == "demo"
    assert not [name for name, value in read.environment.items() if value in SCHOOL.values()]
    assert read.egress_allow == {"http://192.168.1.23:8600"}


def test_the_models_key_goes_along_only_where_it_is_wanted(tmp_path: Path) -> None:
    real = demo_environment(SCHOOL, {}, address=ROOM, data_dir=tmp_path, is_model_real=True)

    assert settings.read(real).anthropic_api_key == "sk-real"
    assert has_real_key(SCHOOL)
    assert not has_real_key({"ANTHROPIC_API_KEY": " "})


def test_a_taken_port_is_passed_over_unless_it_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        free = free_port()
        monkeypatch.setattr(command, "PORTS", (port, free))

        assert command.choose_place(room=False, address="", port=None).port == free
        with pytest.raises(SettingsError, match=f"{port} is not free"):
            command.choose_place(room=False, address="", port=port)


def test_a_refused_key_ends_the_demo_before_anything_is_made(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = AnthropicServer()
    server.script = [Refusal(401, "authentication_error")]
    given = {"ANTHROPIC_API_KEY": "sk-wrong", "ANTHROPIC_BASE_URL": server.url}
    monkeypatch.setattr(settings, "process_environment", lambda: given)
    monkeypatch.setattr(command.signal, "signal", lambda *_: None)

    with pytest.raises(SettingsError, match="refuses this key"):
        command.demo(room=False, address="", port=free_port(), students=1, demo_model=False, budget=5)

    server.stop()
    assert list(temporary.iterdir()) == []


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_removed_at_its_end(temporary: Path) -> None:
    with DemoFolder() as folder:
        (folder.path / "chats.sqlite").write_text("words")
        assert folder.path.stat().st_mode & 0o077 == 0

    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_demo_that_was_killed_is_removed_at_the_next_start(temporary: Path) -> None:
    program = "import os; from commands.demo.folder import DemoFolder; DemoFolder(); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env={"TMPDIR": str(temporary)}, check=False)
    (left,) = temporary.iterdir()

    assert (left / LOCK).exists()
    assert remove_leftovers() == 1
    assert list(temporary.iterdir()) == []


def test_what_is_not_left_over_stays(temporary: Path) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    (temporary / "homeroom-demo-link").symlink_to(elsewhere)
    (temporary / "homeroom-demo-new").mkdir()

    with DemoFolder() as running:
        assert remove_leftovers() == 0
        assert running.path.exists()

    assert elsewhere.exists()
    assert (temporary / "homeroom-demo-new").exists()
