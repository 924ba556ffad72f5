"""Downloads: bytes within limits, and a token that nobody gets but the student's own Canvas (T16, R24)."""

import ssl
import time
from pathlib import Path
from typing import Any

import pytest

from services.errors import (
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceUnavailable,
    TooLarge,
)
from services.integrations.canvas.materials import download
from services.integrations.canvas.materials.listing_caches import ListingCaches
from services.integrations.canvas.materials.source import CanvasMaterials
from services.integrations.canvas.transport import GuardedAdapter
from services.materials.material import Material, MaterialKind
from services.runtime.total_timeout import TotalTimeoutAdapter
from services.safety.fetch import AddressRefused, SafeFetch
from tests.services.integrations.canvas.materials.certificates import server_context
from tests.services.integrations.canvas.materials.scripted_canvas import (
    COURSE,
    TOKEN,
    Said,
    ScriptedHost,
    client_at,
    file_row,
    moved,
    refused,
    source_at,
)

FILE = Material(id="canvas-101.file-7", course_key="canvas-101", kind=MaterialKind.FILE, title="Lecture 7")
DOWNLOAD = "/files/7/download"
KEPT = b"%PDF-1.7 kept"


def offer(school: ScriptedHost, answer: Any, **fields: Any) -> None:
    """Let the file's metadata be there, and its download answer like this."""
    school.paths.update({f"{COURSE}/files/7": file_row(school, **fields), DOWNLOAD: answer})


def test_a_file_comes_with_its_name_by_the_students_own_token(school: ScriptedHost) -> None:
    offer(school, b"%PDF-1.7 here")

    content = source_at(school).content(FILE)

    assert (content.name, content.content) == ("Lecture 7.pdf", b"%PDF-1.7 here")
    assert school.tokens == [f"Bearer {TOKEN}"] * 2


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_the_host_that_keeps_the_files_gets_no_token(school: ScriptedHost, storage: ScriptedHost, status: int) -> None:
    offer(school, moved(f"{storage.origin}/kept.pdf?key=1", status))

    content = source_at(school, storage.origin).content(FILE)

    assert content.content == KEPT
    assert storage.tokens == [""]
    assert TOKEN not in str(storage.seen)


@pytest.mark.parametrize(
    "elsewhere",
    [
        "http://localhost:{port}/canvas/x.pdf",  # another host, the same port
        "//localhost:{port}/canvas/x.pdf",
        "http://127.0.0.1:{port}/outside.pdf",  # the same host, above this Canvas
    ],
)
def test_what_is_not_to_the_letter_the_students_canvas_gets_no_token(school: ScriptedHost, elsewhere: str) -> None:
    school.paths |= {
        f"/canvas{COURSE}/files/7": file_row(school, url=f"{school.origin}/canvas/files/7/download"),
        "/canvas/files/7/download": moved(elsewhere.format(port=school.port)),
        "/canvas/x.pdf": KEPT,
        "/outside.pdf": KEPT,
    }
    allowed = (school.origin, f"http://localhost:{school.port}")

    content = source_at(school, *allowed, base="/canvas").content(FILE)

    assert content.content == KEPT
    assert school.tokens == [f"Bearer {TOKEN}", f"Bearer {TOKEN}", ""]


def test_a_chain_that_left_canvas_never_gets_the_token_back(school: ScriptedHost, storage: ScriptedHost) -> None:
    offer(school, moved("/files/7/second"))
    school.paths["/files/7/second"] = moved(f"{storage.origin}/hop")
    storage.paths["/hop"] = moved(f"{school.origin}/files/7/last")
    school.paths["/files/7/last"] = KEPT

    content = source_at(school, school.origin, storage.origin).content(FILE)

    assert content.content == KEPT
    assert [request.path for request in school.seen][1:] == [DOWNLOAD, "/files/7/second", "/files/7/last"]
    assert school.tokens == [f"Bearer {TOKEN}"] * 3 + [""]
    assert storage.tokens == [""]


@pytest.mark.parametrize("verifier", ["", "&verifier=abc123"])
def test_an_address_of_another_host_in_the_metadata_is_opened_without_the_token(
    school: ScriptedHost, storage: ScriptedHost, verifier: str
) -> None:
    offer(school, b"", url=f"{storage.origin}/kept.pdf?download_frd=1{verifier}")

    content = source_at(school, storage.origin).content(FILE)

    assert content.content == KEPT
    assert storage.tokens == [""]
    assert school.asked(DOWNLOAD) == 0


def test_a_canvas_that_a_student_named_is_only_reached_through_the_guard(
    school: ScriptedHost, storage: ScriptedHost
) -> None:
    fetch = SafeFetch(allow=frozenset({school.origin, storage.origin}))
    offer(school, moved(f"{storage.origin}/kept.pdf"))
    source = CanvasMaterials(
        client_at(school.origin, GuardedAdapter(fetch, limit_bytes=10_000)), fetch, ListingCaches()
    )

    assert source.content(FILE).content == KEPT
    assert storage.tokens == [""]
    school.paths[DOWNLOAD] = b"x" * 20_000
    assert len(source.content(FILE).content) == 20_000
    closed = CanvasMaterials(client_at(school.origin, GuardedAdapter(SafeFetch())), fetch, ListingCaches())
    with pytest.raises(AddressRefused):
        closed.content(FILE)


@pytest.mark.parametrize("url", ["/files/7/download", "files/7/download?download_frd=1"])
def test_an_address_without_a_host_is_at_the_students_canvas(school: ScriptedHost, url: str) -> None:
    offer(school, KEPT, url=url)

    assert source_at(school).content(FILE).content == KEPT


class TrustingAdapter(TotalTimeoutAdapter):
    """Trusts the certificate of a test."""

    def __init__(self, certificate: Path) -> None:
        super().__init__()
        self._certificate = str(certificate)

    def cert_verify(self, conn: Any, url: Any, verify: Any, cert: Any) -> None:
        super().cert_verify(conn, url, self._certificate, cert)  # type: ignore[no-untyped-call]


def test_a_redirect_from_https_to_http_loses_the_token(tmp_path: Path, storage: ScriptedHost) -> None:
    certificate = tmp_path / "certificate.pem"
    context: ssl.SSLContext = server_context(certificate)
    with ScriptedHost(tls=context) as school:
        offer(school, moved(f"{storage.origin}/kept.pdf"))
        source = CanvasMaterials(
            client_at(school.origin, TrustingAdapter(certificate)),
            SafeFetch(allow=frozenset({storage.origin})),
            ListingCaches(),
        )

        content = source.content(FILE)

    assert content.content == KEPT
    assert school.tokens == [f"Bearer {TOKEN}"] * 2
    assert storage.tokens == [""]


@pytest.mark.parametrize(
    "to",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:{port}/kept.pdf",
        "file:///etc/passwd",
        "gopher://x/",
    ],
)
def test_a_redirect_into_the_network_is_not_followed(school: ScriptedHost, storage: ScriptedHost, to: str) -> None:
    offer(school, moved(to.format(port=storage.port)))

    with pytest.raises(RequestRefused, match="does not open"):
        source_at(school).content(FILE)

    assert storage.seen == []


@pytest.mark.parametrize("location", ["http://[::1", "http://exa mple/", "/files/7/download", ""])
def test_a_redirect_that_makes_no_sense_ends_in_words(school: ScriptedHost, location: str) -> None:
    offer(school, moved(location))

    with pytest.raises((ServiceUnavailable, RequestRefused)):
        source_at(school).content(FILE)


def test_a_sign_in_page_with_status_200_is_told_as_such(school: ScriptedHost) -> None:
    page = Said(body=b"<!DOCTYPE html><html><title>Log in</title>", headers={"content-type": "text/html"})
    offer(school, moved("/login/canvas"))
    school.paths["/login/canvas"] = page

    with pytest.raises(RequestRefused, match="sign-in page"):
        source_at(school).content(FILE)


@pytest.mark.parametrize(
    ("answer", "reaction"),
    [
        (refused(403), PermissionMissing),
        (refused(401), PermissionMissing),
        (Said(body=b"<html>please log in</html>", status=401), PermissionMissing),
        (Said(body={"errors": [{"message": "Invalid access token."}]}, status=401), ReconnectRequired),
        (Said(status=404), ItemNotFound),
        (Said(status=500), ServiceUnavailable),
        (Said(body=b"403 Forbidden (Rate Limit Exceeded)", status=403), ServiceUnavailable),
    ],
)
def test_a_refusal_of_a_file_has_its_own_reaction(school: ScriptedHost, answer: Said, reaction: type) -> None:
    offer(school, answer)

    with pytest.raises(reaction):
        source_at(school).content(FILE)


@pytest.mark.parametrize(
    ("status", "reaction"), [(403, RequestRefused), (404, RequestRefused), (503, ServiceUnavailable)]
)
def test_a_refusal_of_the_host_that_keeps_the_files_takes_no_right_away(
    school: ScriptedHost, storage: ScriptedHost, status: int, reaction: type
) -> None:
    offer(school, moved(f"{storage.origin}/kept.pdf"))
    storage.paths["/kept.pdf"] = Said(status=status)

    with pytest.raises(reaction):
        source_at(school, storage.origin).content(FILE)


@pytest.mark.parametrize("is_outside", [False, True])
def test_more_bytes_than_the_limit_are_not_read(
    school: ScriptedHost, storage: ScriptedHost, monkeypatch: pytest.MonkeyPatch, is_outside: bool
) -> None:
    monkeypatch.setattr(download, "FILE_LIMIT_BYTES", 1_000_000)
    monkeypatch.setattr(download.DownloadSession, "limit_bytes", 1_000_000)
    offer(school, moved(f"{storage.origin}/kept.pdf") if is_outside else b"x" * 1_200_000)
    storage.paths["/kept.pdf"] = b"x" * 1_200_000

    with pytest.raises(TooLarge):
        source_at(school, storage.origin).content(FILE)


def test_a_file_that_is_told_to_be_larger_is_not_asked_for(school: ScriptedHost) -> None:
    offer(school, b"", size=download.FILE_LIMIT_BYTES + 1)

    with pytest.raises(TooLarge):
        source_at(school).content(FILE)

    assert school.asked(DOWNLOAD) == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"url": ""},
        {"url": None},
        {"locked_for_user": True},
        {"locked_for_user": "true"},
        {"locked": True},
        {"unlock_at": "2126-01-01T00:00:00Z"},
        {"locked_for_user": True, "lock_info": {"can_view": True}},
    ],
)
def test_a_locked_file_is_not_asked_for(school: ScriptedHost, fields: dict[str, Any]) -> None:
    offer(school, b"secret", **fields)

    with pytest.raises(PermissionMissing):
        source_at(school).content(FILE)

    assert school.asked(DOWNLOAD) == 0


def test_a_file_that_never_ends_is_given_up(school: ScriptedHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.integrations.canvas.materials.source._CONTENT_S", 1.0)

    def drip(_: Any) -> Said:
        time.sleep(1.2)
        return Said(body=b"late")

    offer(school, drip)
    began = time.monotonic()

    with pytest.raises(ServiceUnavailable):
        source_at(school).content(FILE)

    assert time.monotonic() - began < 5
