"""Where a token may go and where it never goes (T16, R24), and addresses that do not answer."""

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest
from requests.adapters import HTTPAdapter

from services.errors import ServiceUnavailable
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.transport import CanvasSession
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.conftest import HASTY, client_at

COURSES = "/api/v1/courses"


class Listener:
    """A socket that counts who comes; it answers nothing."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._socket.settimeout(0.2)

    def was_reached(self) -> bool:
        try:
            connection, _ = self._socket.accept()
        except TimeoutError:
            return False
        connection.close()
        return True

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def elsewhere() -> Iterator[Listener]:
    with closing(Listener()) as listener:
        yield listener


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_is_not_followed(
    campus: CampusServer, client: CanvasClient, elsewhere: Listener, status: int
) -> None:
    headers = {"location": f"{elsewhere.address}/canvas/api/v1/courses"}
    campus.fault(service="canvas", fault="status", path=COURSES, times=0, status=status, headers=headers)

    with pytest.raises(ServiceUnavailable, match="another address"):
        client.courses()

    assert not elsewhere.was_reached()


@pytest.mark.parametrize(
    "form",
    ["{elsewhere}/api/v1/courses?page=2", "http://{host}@{elsewhere_host}/", "{origin}.evil.example/api", "/api/v1/x"],
)
def test_a_next_page_on_another_host_gets_no_token(
    campus: CampusServer, client: CanvasClient, elsewhere: Listener, form: str
) -> None:
    host, elsewhere_host = campus.url.split("/")[2], elsewhere.address.split("/")[2]
    address = form.format(
        elsewhere=elsewhere.address, host=host, elsewhere_host=elsewhere_host, origin=f"{campus.url}/canvas"
    )
    headers = {"link": f'<{address}>; rel="next"'}
    campus.fault(service="canvas", fault="status", path=COURSES, times=0, status=200, body=[{"id": 1}], headers=headers)

    with pytest.raises(ServiceUnavailable, match="another address"):
        client.courses()

    assert not elsewhere.was_reached()


def test_a_name_that_does_not_exist_is_told() -> None:
    client = client_at("http://canvas.does-not-exist.invalid")

    with pytest.raises(ServiceUnavailable, match=r"canvas\.does-not-exist\.invalid was not found \(DNS\)"):
        client.courses()


def test_a_closed_port_is_told() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as unused:
        address = f"127.0.0.1:{unused.getsockname()[1]}"

    with pytest.raises(ServiceUnavailable, match=f"Canvas at {address} cannot be reached"):
        client_at(f"http://{address}").courses()


def test_a_server_that_does_not_speak_tls_gets_nothing(campus: CampusServer) -> None:
    address = campus.url.replace("http://", "https://")

    with pytest.raises(ServiceUnavailable, match="could not prove that it is Canvas"):
        client_at(f"{address}/canvas").courses()


def test_cookies_of_canvas_are_not_kept(campus: CampusServer) -> None:
    origin, headers = f"{campus.url}/canvas", {"set-cookie": "_csrf_token=abc; Path=/"}
    campus.fault(service="canvas", fault="status", path=COURSES, status=200, body=[], headers=headers)
    session = CanvasSession(origin, timeouts=HASTY, adapter=HTTPAdapter())

    session.get(f"{origin}{COURSES}")

    assert list(session.cookies) == []


def test_proxies_of_the_environment_are_not_used(
    campus: CampusServer, client: CanvasClient, elsewhere: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", elsewhere.address)
    monkeypatch.setenv("NO_PROXY", "")

    assert len(client.courses()) == 5
    assert not elsewhere.was_reached()
