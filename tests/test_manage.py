"""The operator's commands say what is wrong and what to do, and never show a traceback or a key."""

import io
import json
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import manage
from bench.load.app_server import free_port
from services import settings as configuration
from services.assistants.registry import AssistantRegistry
from services.connections.vault import KeyRing, Vault
from services.identity.api_keys import ApiKeys
from services.identity.students import Students
from services.runtime.clock import utc_now
from services.settings import ROOT, new_vault_key
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store

IN_SOAK = tuple(pytest.param(command, marks=pytest.mark.soak) for command in ("rewrap", "verify"))
"""Each is a program that starts anew, and refuses by the same lines as `serve`."""

DEPLOYED = {
    "HOMEROOM_DEMO": "0",
    "ANTHROPIC_API_KEY": "key",
    "OIDC_METADATA_URL": "https://id.example.edu/.well-known/openid-configuration",
    "OIDC_CLIENT_ID": "homeroom",
    "OIDC_CLIENT_SECRET": "secret",
    "HOMEROOM_PUBLIC_URL": "https://homeroom.example.edu",
    "HOMEROOM_COOKIE_SECRET": "c" * 40,
    "HOMEROOM_VAULT_KEYS": new_vault_key(),
    "MONGODB_URI": "",
}
OLD_KEY, NEW_KEY = new_vault_key("old"), new_vault_key("new")


def run(command: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """One command in a process of its own, with this environment and nothing else."""
    program = [sys.executable, "manage.py", *command.split()]
    return subprocess.run(program, cwd=ROOT, env=dict(environment), capture_output=True, text=True, timeout=60)


@pytest.fixture
def demo(tmp_path: Path) -> dict[str, str]:
    stored = {"HOMEROOM_DATA_DIR": str(tmp_path), "MONGODB_URI": ""}
    return {"HOMEROOM_DEMO": "1", "HOMEROOM_VAULT_KEYS": OLD_KEY, **stored}


@pytest.fixture
def connected(demo: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A deployment with one connection, sealed under the old key."""
    engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
    sealed = Vault(KeyRing.parse([OLD_KEY])).seal("canary", student_id="maya", integration="canvas", field="grant")
    Store(engine).for_student("maya").insert("connections", {"id": "canvas", "version": 1, "sealed": {"grant": sealed}})
    engine.close()
    return demo


def test_a_missing_setting_is_named_with_what_to_do(tmp_path: Path) -> None:
    done = run("serve", {"HOMEROOM_DATA_DIR": str(tmp_path), "HOMEROOM_DEMO": "0", "ANTHROPIC_API_KEY": ""})

    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "ANTHROPIC_API_KEY: is not set.",
        "Create a key at console.anthropic.com and set it. For the demo, set HOMEROOM_DEMO=1 instead.",
    ]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"NOTION_API_BASE_URL": "nowhere"}, "NOTION_API_BASE_URL: is not an http(s) address."),
        pytest.param(
            {"CANVAS_BASE_URL": "http://["},
            "CANVAS_BASE_URL: holds something that is not an http(s) address.",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            {"MONGODB_URI": "mongodb://me:canary@ss@db/"},
            "MONGODB_URI: cannot be read as a MongoDB address.",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            {"MONGODB_URI": "mongodb://me:canary@db/?retryWrites=maybe"},
            "MONGODB_URI: has an option with a wrong value.",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_a_setting_that_only_the_served_app_reads_stops_the_start_too(
    demo: dict[str, str], wrong: dict[str, str], named: str
) -> None:
    done = run("serve", {**demo, "HOMEROOM_PORT": str(free_port()), **wrong})

    assert done.returncode == 2
    assert named in done.stderr
    assert not any(word in done.stderr for word in ("Traceback", "canary"))


@pytest.mark.parametrize("command", ["serve", *IN_SOAK])
def test_a_bad_vault_key_stops_the_command_without_showing_it(demo: dict[str, str], command: str) -> None:
    done = run(command, {**demo, "HOMEROOM_VAULT_KEYS": "k1:c2VjcmV0LWJ1dC1zaG9ydA=="})

    assert done.returncode == 2
    assert done.stderr.startswith("HOMEROOM_VAULT_KEYS: ")
    assert not any(word in done.stderr for word in ("Traceback", "c2VjcmV0"))


@pytest.mark.parametrize("command", ["serve", *IN_SOAK])
def test_a_database_file_that_cannot_be_used_is_named(demo: dict[str, str], tmp_path: Path, command: str) -> None:
    (tmp_path / "homeroom.sqlite").write_text("not a database " * 100)
    done = run(command, demo)

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 2)
    assert done.stderr.startswith("HOMEROOM_DATA_DIR: Homeroom's database file is damaged.")
    assert str(tmp_path / "homeroom.sqlite") in done.stderr
    assert (tmp_path / "homeroom.sqlite").read_text() == "not a database " * 100


@pytest.mark.parametrize("command", ["serve", *IN_SOAK[1:]])
def test_a_data_folder_that_cannot_be_made_stops_a_real_deployment_with_the_settings_name(
    tmp_path: Path, command: str
) -> None:
    (tmp_path / "a file").write_text("")
    folder = tmp_path / "a file" / "data"
    done = run(command, {**DEPLOYED, "HOMEROOM_DATA_DIR": str(folder)})

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 2)
    assert done.stderr.startswith("HOMEROOM_DATA_DIR: ")
    assert str(folder) in done.stderr


def test_a_port_that_somebody_uses_is_named_with_what_to_do(demo: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = run("serve", {**demo, "HOMEROOM_PORT": str(other.getsockname()[1])})

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 2)
    assert done.stderr.startswith("HOMEROOM_PORT: ")


def test_new_keys_and_secrets_fit_their_settings(demo: dict[str, str]) -> None:
    key, secret = (run(command, {}).stdout.strip() for command in ("new-vault-key", "new-secret"))

    settings = configuration.read({**demo, "HOMEROOM_VAULT_KEYS": f"{key},{OLD_KEY}", "HOMEROOM_COOKIE_SECRET": secret})
    assert KeyRing.parse(settings.vault_keys).newest == key.partition(":")[0]


def test_a_key_is_rotated_from_beginning_to_end(connected: dict[str, str]) -> None:
    both = {**connected, "HOMEROOM_VAULT_KEYS": f"{NEW_KEY},{OLD_KEY}"}

    assert run("verify", both).stdout == "1 sealed: 0 newest, 1 older, 0 resealed, 0 broken\n"
    assert run("rotate-keys", both).stdout.startswith(
        "1 of 1 sealed with new, 1 of these just now.\nNow take old out of"
    )
    after = run("verify", {**connected, "HOMEROOM_VAULT_KEYS": NEW_KEY})
    assert (after.returncode, after.stdout) == (0, "1 sealed: 1 newest, 0 older, 0 resealed, 0 broken\n")


@pytest.mark.parametrize("command", [IN_SOAK[1], "rewrap"])
def test_a_credential_that_does_not_open_is_counted_and_kept(connected: dict[str, str], command: str) -> None:
    done = run(command, {**connected, "HOMEROOM_VAULT_KEYS": NEW_KEY})

    assert done.returncode == 1
    assert done.stdout.startswith("1 sealed: 0 newest, 0 older, 0 resealed, 1 broken\nNothing was deleted.")
    assert "canary" not in done.stdout + done.stderr
    assert run("verify", connected).returncode == 0


@pytest.fixture
def signed_in(demo: dict[str, str], tmp_path: Path) -> Iterator[Store]:
    """A deployment in which Maya has signed in once."""
    store = Store(SqliteDocuments(tmp_path / "homeroom.sqlite"))
    Students(store, utc_now).sign_in(issuer="https://id.example", subject="1", name="Maya", email="maya@campus.example")
    yield store
    store.close()


def test_a_key_is_printed_once_and_works(demo: dict[str, str], signed_in: Store) -> None:
    done = run("create-key --email maya@campus.example --scope read --scope admin --days 30", demo)

    secret = done.stdout.strip()
    caller = ApiKeys(signed_in, utc_now).authenticate(secret)
    assert done.returncode == 0
    assert (caller.student.name, caller.key.scopes) == ("Maya", {"read", "admin"})
    assert secret not in json.dumps(signed_in.shared.find("keys", {}))


@pytest.mark.parametrize(
    ("given", "listed", "contexts"), [("--tools search", "search", ()), ("--context courses", "contexts", ("courses",))]
)
def test_a_key_lists_what_the_operator_says(
    demo: dict[str, str], signed_in: Store, given: str, listed: str, contexts: tuple[str, ...]
) -> None:
    done = run(f"create-key --email maya@campus.example --scope read {given}", demo)

    key = ApiKeys(signed_in, utc_now).authenticate(done.stdout.strip()).key
    assert (key.listed_tools, key.contexts) == (listed, contexts)


@pytest.mark.parametrize("email", ["diego@campus.example", "twice@campus.example"])
def test_a_key_is_made_for_exactly_one_student(demo: dict[str, str], signed_in: Store, email: str) -> None:
    for issuer in ("https://one.example", "https://two.example"):
        who = {"subject": "1", "name": "Twice", "email": "twice@campus.example"}
        Students(signed_in, utc_now).sign_in(issuer=issuer, **who)

    done = run(f"create-key --email {email} --scope read", demo)

    assert (done.returncode, len(done.stderr.splitlines())) == (1, 2)
    assert email in done.stderr
    assert signed_in.shared.find("keys", {}) == []


def test_a_student_is_exported_into_a_file_of_its_owners_and_then_deleted(
    demo: dict[str, str],
    signed_in: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in demo.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    out, who = tmp_path / "maya.zip", ["--email", "maya@campus.example"]

    codes = [
        manage.main(["export-user", *who, "--out", str(out)]),
        # It is never written over.
        manage.main(["export-user", *who, "--out", str(out)]),
        manage.main(["delete-user", *who]),
        len(signed_in.shared.find("students", {})),
        manage.main(["delete-user", *who, "--yes"]),
        manage.main(["delete-user", *who, "--yes"]),
    ]

    assert codes == [0, 1, 1, 1, 0, 1]
    assert out.stat().st_mode & 0o777 == 0o600
    assert "README.txt" in zipfile.ZipFile(out).namelist()
    assert signed_in.shared.find("students", {}) == []
    told = capsys.readouterr()
    assert "Nothing is deleted." in told.out
    assert "Everything is deleted." in told.out
    assert "Nobody has signed in with maya@campus.example yet." in told.err


def test_what_was_found_is_listed_with_its_lines_for_env(demo: dict[str, str]) -> None:
    result = run("extensions", demo)

    assert result.returncode == 0, result.stdout + result.stderr
    assert "planner: " in result.stdout
    assert "  # The secret of that developer key. (optional, secret)\n  CANVAS_CLIENT_SECRET=\n" in result.stdout
    for name in ("GOOGLE_CLIENT_SECRET", "NOTION_CLIENT_ID", "GITHUB_TOKEN", "SEARCH_PROVIDER", "FEEDS_URLS"):
        assert f"\n  {name}=\n" in result.stdout
    assert "homeroom-demo-secret" not in result.stdout
    assert "canvas: 14 tools, played by the demo's campus" in result.stdout
    assert "planner: 11 tools (" in result.stdout


def test_assistants_are_loaded_shown_and_taken_back_while_homeroom_runs(
    demo: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in demo.items():
        monkeypatch.setenv(name, value)
    file = tmp_path / "assistants.toml"
    running = AssistantRegistry(Store(SqliteDocuments(tmp_path / "homeroom.sqlite")))
    file.write_text('[club]\nname = "Chess club"\nconfirm = ["web_search"]\n')

    assert manage.main(["assistants", "load", str(file)]) == 0
    assert running.get("club").name == "Chess club"
    file.write_text('[club]\nname = "Chess club"\nconfirm = ["web_serch"]\n')
    codes = [
        manage.main(["assistants", "load", str(file)]),
        manage.main(["assistants", "load", str(tmp_path / "none.toml")]),
        manage.main(["assistants", "show", "club"]),
        manage.main(["assistants", "remove", "club"]),
        manage.main(["assistants", "show", "club"]),
        manage.main(["assistants", "remove", "nosuch"]),
    ]

    assert codes == [1, 1, 0, 0, 1, 1]
    told = capsys.readouterr()
    assert "There is no file" in told.err
    assert "assistants show` lists those" in told.err
    assert "club: new" in told.out
    assert "club: confirm: web_serch is not known here. Did you mean web_search?" in told.err
    assert '[club]\nname = "Chess club"\n' in told.out
    assert "Choose one of these: homeroom" in told.err


@pytest.mark.parametrize("wrong", ["--days 0", "--days -1", f"--days {'9' * 30}", "--days soon", "--scope root"])
def test_an_argument_that_cannot_be_is_refused(wrong: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        manage.main(f"create-key --email maya@campus.example --scope read {wrong}".split())
