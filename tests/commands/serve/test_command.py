"""`manage.py serve`: what stops the start, in two lines, before anything runs."""

import socket
from pathlib import Path

import pytest

from commands.serve import haproxy
from commands.serve.command import address, listen, serving
from services import settings as configuration
from services.errors import SettingsError
from services.settings import Settings
from tests.test_manage import run


@pytest.fixture
def demo(tmp_path: Path) -> dict[str, str]:
    return {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), "HOMEROOM_WORKERS": "2", "MONGODB_URI": ""}


def alone(environment: dict[str, str]) -> Settings:
    """The settings of a deployment of one process."""
    return configuration.read({**environment, "HOMEROOM_WORKERS": ""})


def test_the_demo_listens_on_this_machine_only(demo: dict[str, str]) -> None:
    program, environment = serving(alone({**demo, "HOMEROOM_PORT": "8765"}), {"PATH": "/bin"})

    assert program[1:6] == ["-m", "streamlit", "run", "app.py", "--server.port"]
    assert program[6:] == ["8765", "--server.address", "localhost"]
    assert environment["PATH"] == "/bin"
    assert len(environment["STREAMLIT_SERVER_COOKIE_SECRET"]) >= 32


@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "4"}, "4")])
def test_numpy_computes_in_the_thread_that_asks_unless_the_operator_says_otherwise(
    demo: dict[str, str], given: dict[str, str], threads: str
) -> None:
    _, environment = serving(alone(demo), given)

    assert environment["OPENBLAS_NUM_THREADS"] == threads


def test_an_operator_may_open_the_demo_to_others(demo: dict[str, str]) -> None:
    program, environment = serving(alone(demo), {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"})

    assert "--server.address" not in program
    assert environment["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"


def test_two_starts_sign_cookies_with_the_same_secret(demo: dict[str, str]) -> None:
    secrets = {serving(alone(demo), {})[1]["STREAMLIT_SERVER_COOKIE_SECRET"] for _ in range(2)}

    assert len(secrets) == 1


def test_a_port_that_somebody_uses_is_named_with_what_to_do(demo: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = run("serve", {**demo, "HOMEROOM_PORT": str(other.getsockname()[1])})

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 2)
    assert done.stderr.startswith("HOMEROOM_PORT: ")
    assert "(Address already in use)" in done.stderr


def test_a_number_of_workers_that_is_none_is_named_with_what_to_do(demo: dict[str, str]) -> None:
    done = run("serve", {**demo, "HOMEROOM_WORKERS": "two"})

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 2)
    assert done.stderr.startswith("HOMEROOM_WORKERS: is not a number from 1 to 64.")


def test_a_machine_without_haproxy_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(haproxy, "PACKAGE", "a_package_that_nobody_has")

    with pytest.raises(SettingsError) as caught:
        haproxy.find_program({"PATH": ""})

    assert caught.value.name == "HOMEROOM_WORKERS"
    assert "requirements-workers.txt" in caught.value.next_step
    assert "docs/deploy.md" in caught.value.next_step


def test_haproxy_of_the_machine_serves_where_none_was_installed_with_us(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(haproxy, "PACKAGE", "a_package_that_nobody_has")
    program = tmp_path / "haproxy"
    program.touch(mode=0o755)

    assert haproxy.find_program({"PATH": str(tmp_path)}) == str(program)


def test_certificates_of_streamlit_are_refused_as_the_balancer_speaks_no_tls() -> None:
    with pytest.raises(SettingsError, match="STREAMLIT_SERVER_SSL_CERT_FILE"):
        haproxy.find_program({"STREAMLIT_SERVER_SSL_CERT_FILE": "/etc/tls/cert.pem"})


def test_workers_of_the_demo_are_reached_on_this_machine_only_unless_told_otherwise(demo: dict[str, str]) -> None:
    settings = configuration.read(demo)

    assert address(settings, {}) == "localhost"
    assert address(settings, {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"}) == "0.0.0.0"


def test_a_real_deployment_is_reached_over_both_families() -> None:
    with listen(0, "") as listener:
        port = listener.getsockname()[1]
        for host in ("127.0.0.1", "::1") if listener.family == socket.AF_INET6 else ("127.0.0.1",):
            socket.create_connection((host, port), timeout=5).close()
