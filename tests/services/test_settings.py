"""Settings: read from an environment that is passed in; a bad one names itself and the remedy."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from services.errors import SettingsError
from services.settings import _REQUIRED, ROOT, new_vault_key, read
from services.settings.demo_mode import secret_file

REAL = {
    "ANTHROPIC_API_KEY": "sk-ant-canary",
    "OIDC_METADATA_URL": "https://login.example.edu/.well-known/openid-configuration",
    "OIDC_CLIENT_ID": "homeroom",
    "OIDC_CLIENT_SECRET": "oidc-canary",
    "HOMEROOM_PUBLIC_URL": "https://homeroom.example.edu/",
    "HOMEROOM_COOKIE_SECRET": "cookie-canary-cookie-canary-cookie",
    "HOMEROOM_VAULT_KEYS": new_vault_key(),
}


def demo(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), **more}


def test_a_demo_needs_nothing_and_points_at_its_own_campus(tmp_path: Path) -> None:
    settings = read(demo(tmp_path, HOMEROOM_PORT="8777"))

    assert settings.public_url == "http://localhost:8777"
    assert settings.anthropic_base_url == "http://localhost:8777/sandbox/anthropic"
    assert settings.extension("canvas")["BASE_URL"] == "http://localhost:8777/sandbox/canvas"


def test_a_real_key_in_a_demo_uses_the_real_model(tmp_path: Path) -> None:
    settings = read(demo(tmp_path, ANTHROPIC_API_KEY="sk-ant-real"))

    assert settings.anthropic_api_key == "sk-ant-real"
    assert settings.anthropic_base_url is None


def test_another_address_of_the_model_is_honoured(tmp_path: Path) -> None:
    settings = read(demo(tmp_path, ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL="https://gateway.example.edu/"))

    assert settings.anthropic_base_url == "https://gateway.example.edu"


def test_an_origin_that_is_set_comes_beside_those_of_the_demos_campus(tmp_path: Path) -> None:
    own = "http://canvas.campus:8080"
    alone, more = read(demo(tmp_path)), read(demo(tmp_path, HOMEROOM_EGRESS_ALLOW=own))

    assert more.egress_allow == alone.egress_allow | {own}
    assert more.campus_origins == alone.egress_allow == {"http://localhost:8501", "http://127.0.0.1:8501"}


def test_what_is_set_is_never_replaced_by_the_demo(tmp_path: Path) -> None:
    settings = read(demo(tmp_path, CANVAS_BASE_URL="https://canvas.example.edu"))

    assert settings.extension("canvas")["BASE_URL"] == "https://canvas.example.edu"


def test_a_demo_keeps_its_secrets_over_a_restart_in_files_for_its_owner_only(tmp_path: Path) -> None:
    first, second = read(demo(tmp_path)), read(demo(tmp_path))

    assert (first.cookie_secret, first.vault_keys) == (second.cookie_secret, second.vault_keys)
    assert first.vault_file == tmp_path / "vault.keys"
    assert read(demo(tmp_path, HOMEROOM_VAULT_KEYS=new_vault_key())).vault_file is None
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_two_processes_that_start_together_agree_on_one_secret(tmp_path: Path) -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(secret_file(tmp_path / "s", lambda: f"secret-{n}")))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(found)) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_a_real_deployment_reads_everything(tmp_path: Path) -> None:
    settings = read({**REAL, "HOMEROOM_INSTRUCTORS": "a@x.edu, b@x.edu", "HOMEROOM_DATA_DIR": str(tmp_path)})

    assert not settings.demo
    assert settings.public_url == "https://homeroom.example.edu"
    assert settings.instructors == {"a@x.edu", "b@x.edu"}
    assert settings.campus_url is None


@pytest.mark.parametrize("name", sorted(_REQUIRED))
def test_without_demo_a_missing_setting_stops_the_start_with_its_name_and_the_remedy(name: str) -> None:
    environment = {key: value for key, value in REAL.items() if key != name}

    with pytest.raises(SettingsError) as caught:
        read(environment)

    assert caught.value.name == name
    assert caught.value.next_step == _REQUIRED[name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOMEROOM_DEMO", "perhaps"),
        ("HOMEROOM_PORT", "eighty"),
        ("HOMEROOM_PORT", "70000"),
        ("HOMEROOM_WORKERS", "0"),
        ("HOMEROOM_WORKERS", "-1"),
        ("HOMEROOM_WORKERS", "two"),
        ("HOMEROOM_WORKERS", "1000"),
        ("HOMEROOM_MATERIALS_GB", "0"),
        ("HOMEROOM_MATERIALS_GB", "2.5"),
        ("HOMEROOM_MATERIALS_GB", "1" * 5000),
        ("HOMEROOM_PUBLIC_URL", "homeroom.example.edu"),
        ("HOMEROOM_PUBLIC_URL", "ftp://homeroom.example.edu"),
        ("HOMEROOM_PUBLIC_URL", "https://homeroom.example.edu/school"),
        ("HOMEROOM_PUBLIC_URL", "https://homeroom.example.edu?x=1"),
        ("HOMEROOM_PUBLIC_URL", "https://homeroom.example.edu#x"),
        ("HOMEROOM_PUBLIC_URL", "https://homeroom example.edu"),
        ("HOMEROOM_PUBLIC_URL", "https://homeroom.example.edu\\@evil.example"),
        ("HOMEROOM_PUBLIC_URL", "https://me:canary@homeroom.example.edu"),
        ("HOMEROOM_PUBLIC_URL", "https://homeroom.example.edu:99999"),
        ("HOMEROOM_PUBLIC_URL", "http://[::1"),
        ("HOMEROOM_DATA_DIR", "~nobody-by-this-name/data"),
        ("HOMEROOM_EGRESS_ALLOW", "http://["),
        ("HOMEROOM_COOKIE_SECRET", "tiny"),
        ("HOMEROOM_EGRESS_ALLOW", "canvas.example.edu"),
        ("MONGODB_URI", "localhost:27017"),
        ("ANTHROPIC_BASE_URL", "gateway"),
        ("OIDC_METADATA_URL", "login.example.edu"),
        ("OIDC_METADATA_URL", "https://me:canary@login.example.edu/.well-known/openid-configuration"),
    ],
)
def test_a_bad_value_names_its_setting_and_never_shows_itself(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read({**REAL, name: value})

    assert caught.value.name == name
    assert value not in str(caught.value)


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(SettingsError) as caught:
        read(demo(tmp_path, HOMEROOM_DATA_DIR=str(tmp_path / "file" / "data")))

    assert caught.value.name == "HOMEROOM_DATA_DIR"


@pytest.mark.parametrize(
    "content", [b"\xff\xfe" * 20, None, b"", b"k1:c2hvcnQ="], ids=["not text", "a folder", "empty", "too short"]
)
@pytest.mark.parametrize("name", ["cookie.secret", "vault.keys"])
def test_a_secret_file_that_cannot_be_used_is_named_and_kept(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = tmp_path / name
    path.mkdir() if content is None else path.write_bytes(content)

    with pytest.raises(SettingsError, match=name) as caught:
        read(demo(tmp_path))

    assert caught.value.name == "HOMEROOM_DATA_DIR"
    assert content is None or path.read_bytes() == content


def test_no_secret_is_in_the_repr() -> None:
    text = repr(read({**REAL, "MONGODB_URI": "mongodb://user:mongo-canary@db/"}))

    assert "canary" not in text
    assert REAL["HOMEROOM_VAULT_KEYS"] not in text


def test_an_integration_gets_the_settings_of_its_first_word() -> None:
    settings = read({**REAL, "GOOGLE_CLIENT_ID": "g", "GOOGLE_CLIENT_SECRET": "", "CANVAS_CLIENT_ID": "c"})

    assert settings.extension("google_calendar") == {"CLIENT_ID": "g"}


def test_every_setting_is_explained_in_the_example_file() -> None:
    example = (ROOT / ".env.example").read_text()

    assert all(f"\n{name}=" in example for name in _REQUIRED)


@pytest.mark.parametrize(
    ("number", "told"), [(errno.ENOSPC, "on a disk that is full"), (errno.EROFS, "on a disk that can only be read")]
)
def test_a_disk_that_takes_nothing_is_named_and_not_the_file_that_met_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, told: str
) -> None:
    """The first file that is made is the cookie secret (R64)."""

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)

    with pytest.raises(SettingsError, match=told) as caught:
        read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path)})

    assert "cookie.secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("public_url", "allowed"),
    [
        ("http://localhost:8501", {"http://localhost:8501", "http://127.0.0.1:8501"}),
        ("http://127.0.0.1:9000", {"http://127.0.0.1:9000", "http://localhost:9000"}),
        ("https://demo.example.edu", {"https://demo.example.edu"}),
    ],
)
def test_a_demo_may_fetch_from_the_campus_under_both_names_of_this_machine(
    public_url: str, allowed: set[str], tmp_path: Path
) -> None:
    given = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), "HOMEROOM_PUBLIC_URL": public_url}

    assert read(given).egress_allow == allowed


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    """Also that of an integration; what other programs call so is none of ours."""
    for name in ("cookie", "canvas"):
        (tmp_path / name).write_text(f"{name * 8}\n")
    settings = read(
        {
            "HOMEROOM_DEMO": "1",
            "HOMEROOM_DATA_DIR": str(tmp_path / "data"),
            "HOMEROOM_COOKIE_SECRET_FILE": str(tmp_path / "cookie"),
            "CANVAS_CLIENT_SECRET_FILE": str(tmp_path / "canvas"),
            "AWS_WEB_IDENTITY_TOKEN_FILE": str(tmp_path / "not there"),
            "SSL_CERT_FILE": str(tmp_path / "not there"),
        }
    )

    assert settings.cookie_secret == "cookie" * 8
    assert settings.extension("canvas")["CLIENT_SECRET"] == "canvas" * 8


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"HOMEROOM_COOKIE_SECRET_FILE": "/nowhere/secret"}, "names /nowhere/secret, which cannot be read"),
        ({"HOMEROOM_COOKIE_SECRET_FILE": "/dev/null"}, "names /dev/null, which is empty"),
        ({"MONGODB_URI": "mongodb://db", "MONGODB_URI_FILE": "/dev/null"}, "is set, and so is MONGODB_URI"),
    ],
)
def test_a_file_that_holds_no_secret_is_named_with_its_setting(
    given: dict[str, str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=told):
        read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), **given})
