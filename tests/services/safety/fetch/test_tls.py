"""Over TLS the connection goes to the address that was checked, and the certificate must be that of the name."""

import datetime
import socket
import ssl
import threading
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from services.errors import ServiceUnavailable
from services.safety.fetch import SafeFetch, client
from tests.services.safety.fetch.raw_server import answer

NAME = "library.campus.example"


class TlsServer:
    """Shows a certificate for NAME; `asked_for` are the names that callers wanted, `requests` what they sent."""

    def __init__(self, folder: Path) -> None:
        self.certificate = folder / "certificate.pem"
        _write_certificate(self.certificate)
        self.asked_for: list[str | None] = []
        self.requests: list[str] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate)
        self._context.sni_callback = lambda _, name, __: self.asked_for.append(name)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        for _ in range(2):
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            try:
                with connection, self._context.wrap_socket(connection, server_side=True) as secure:
                    self.requests.append(secure.recv(65_536).decode())
                    secure.sendall(answer(b"hello"))
            except (ssl.SSLError, OSError):
                continue

    def close(self) -> None:
        self._listener.close()


def _write_certificate(path: Path) -> None:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TlsServer]:
    server = TlsServer(tmp_path)
    server.thread.start()
    yield server
    server.close()


def fetching(host: str, port: int) -> SafeFetch:
    return SafeFetch(allow=frozenset((f"https://{host}:{port}",)), resolve=lambda host, timeout_s: ("127.0.0.1",))


def trusting(server: TlsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.create_default_context(cafile=str(server.certificate))
    monkeypatch.setattr(client, "_tls", lambda: context)


def test_the_name_is_asked_for_and_proved_though_the_address_is_pinned(
    server: TlsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting(server, monkeypatch)

    page = fetching(NAME, server.port).get(f"https://{NAME}:{server.port}/x")

    assert (page.body, server.asked_for) == (b"hello", [NAME])
    assert f"host: {NAME}:{server.port}\r\n" in server.requests[0]
    assert str(ip_address("127.0.0.1")) not in server.requests[0]


def test_a_certificate_of_another_name_is_refused(server: TlsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    trusting(server, monkeypatch)

    with pytest.raises(ServiceUnavailable, match="could not prove who it is"):
        fetching("other.campus.example", server.port).get(f"https://other.campus.example:{server.port}/")

    assert server.requests == []


def test_a_certificate_that_nobody_vouches_for_is_refused(server: TlsServer) -> None:
    with pytest.raises(ServiceUnavailable, match="could not prove who it is"):
        fetching(NAME, server.port).get(f"https://{NAME}:{server.port}/")

    assert server.requests == []
