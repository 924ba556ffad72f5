"""`deploy/haproxy.cfg`, read by HAProxy itself: TLS, who comes and how, and a browser that stays or is moved."""

import datetime
import http.server
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bench.load.app_server import free_port
from services.settings import ROOT
from tests.commands.serve.deployment import wait_until
from tests.deploy.proxy import OF_PACKAGE, HaProxy

CERTIFICATE = "/etc/haproxy/homeroom.pem"


class Echo(http.server.BaseHTTPRequestHandler):
    """Replica that answers with the headers it was sent."""

    def do_GET(self) -> None:
        body = str(self.headers).lower().encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[httpx.Client]:
    """A browser over TLS, in front of one replica that lives, 1, and one that does not, 2."""
    program = HaProxy.program()
    if program is None:
        pytest.skip("no HAProxy for this platform")
    port = free_port()
    text = (ROOT / "deploy" / "haproxy.cfg").read_text()
    changes = {'presetenv HOMEROOM_BIND ":443': f'presetenv HOMEROOM_BIND "127.0.0.1:{port}'}
    changes |= {CERTIFICATE: str(certificate(tmp_path)), **dict.fromkeys(OF_PACKAGE, "")}
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (tmp_path / "haproxy.cfg").write_text(text)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo) as replica:
        threading.Thread(target=replica.serve_forever, daemon=True).start()
        places = {"HOMEROOM_1": f"127.0.0.1:{replica.server_port}", "HOMEROOM_2": f"127.0.0.1:{free_port()}"}
        command = [program, "-db", "-q", "-f", str(tmp_path / "haproxy.cfg")]
        with subprocess.Popen(command, env=places) as process:
            try:
                browser = httpx.Client(base_url=f"https://localhost:{port}", verify=trusting(tmp_path), trust_env=False)
                wait_until(lambda: answers(browser), what="it answers")
                browser.cookies.clear()
                yield browser
            finally:
                process.terminate()
                replica.shutdown()


def certificate(folder: Path) -> Path:
    """Certificate for localhost and its key, in one file."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "certificate.pem").write_bytes(made.public_bytes(pem))
    (folder / "homeroom.pem").write_bytes(made.public_bytes(pem) + secret)
    return folder / "homeroom.pem"


def trusting(folder: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(folder / "certificate.pem"))


def answers(browser: httpx.Client) -> bool:
    try:
        return browser.get("/").status_code == 200
    except httpx.TransportError:
        return False


def test_it_speaks_tls_and_tells_who_comes_and_how(site: httpx.Client) -> None:
    pretends = {"X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "http", "Cookie": "homeroom_replica=1; other=2"}
    head = site.get("/", headers=pretends).text

    assert "x-forwarded-for: 127.0.0.1\n" in head
    assert "x-forwarded-proto: https\n" in head
    assert "cookie: other=2\n" in head
    assert "6.6.6.6" not in head


def test_a_browser_stays_by_a_cookie_and_moves_from_a_replica_that_is_gone(site: httpx.Client) -> None:
    first = site.get("/")
    again = site.get("/")
    moved = site.get("/", headers={"Cookie": "homeroom_replica=2"})

    attributes = {part.strip() for part in first.headers["set-cookie"].split(";")}
    assert {"homeroom_replica=1", "HttpOnly", "Secure", "SameSite=Lax"} <= attributes
    assert "set-cookie" not in again.headers
    assert (moved.status_code, moved.headers["set-cookie"].split(";")[0]) == (200, "homeroom_replica=1")
