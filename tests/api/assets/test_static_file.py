"""A file is read and compressed once, however many ask, and nobody gets it twice."""

import asyncio
import gzip
import threading

import brotli
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.assets.static_file import CODINGS, FOREVER, FRESH, IDENTITY, EncodedFile, choose_coding, joined_file

TEXT = b"const answer = 42\n" * 200


class Source:
    """Counts how often it is read, and remembers on which thread."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.threads: list[threading.Thread] = []

    def read(self) -> bytes:
        self.threads.append(threading.current_thread())
        return self.content


def _client(file: EncodedFile, cache: str = FOREVER) -> httpx.AsyncClient:
    async def answer(request: Request) -> Response:
        return await file.respond(request, cache=cache)

    transport = httpx.ASGITransport(Starlette(routes=[Route("/", answer)]))
    return httpx.AsyncClient(transport=transport, base_url="http://test")


def _ask(file: EncodedFile, method: str = "GET", cache: str = FOREVER, **headers: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        async with _client(file, cache) as client:
            sent = {name.replace("_", "-"): value for name, value in {"accept_encoding": "", **headers}.items()}
            return await client.request(method, "/", headers=sent)

    return asyncio.run(ask())


def _text(content: bytes = TEXT) -> EncodedFile:
    return EncodedFile(lambda: content, media_type="text/javascript")


@pytest.mark.parametrize("accepted", ["br", "gzip", "identity", "snappy", ""])
def test_every_client_gets_the_same_content(accepted: str) -> None:
    answer = _ask(_text(), accept_encoding=accepted)

    assert answer.headers.get("content-encoding", "") == (accepted if accepted in ("br", "gzip") else "")
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers["cache-control"] == FOREVER
    assert answer.content == TEXT  # httpx has undone the coding
    assert int(answer.headers["content-length"]) <= len(TEXT)


def test_what_is_compressed_already_stays_as_it_is() -> None:
    answer = _ask(EncodedFile(lambda: TEXT, media_type="font/woff2"), accept_encoding="br, gzip")

    assert "content-encoding" not in answer.headers
    assert "vary" not in answer.headers
    assert answer.content == TEXT


def test_a_form_that_the_client_has_is_not_sent_again() -> None:
    file = _text()
    tag = _ask(file, accept_encoding="br").headers["etag"]
    again = _ask(file, cache=FRESH, accept_encoding="br", if_none_match=f'"other", W/{tag}')

    assert again.status_code == 304
    assert again.content == b""
    assert (again.headers["etag"], again.headers["cache-control"]) == (tag, FRESH)
    assert again.headers["vary"] == "accept-encoding"
    assert _ask(file, accept_encoding="gzip", if_none_match=tag).status_code == 200


def test_another_content_has_another_tag() -> None:
    assert _ask(_text(b"one")).headers["etag"] != _ask(_text(b"two")).headers["etag"]


def test_a_head_request_is_told_the_same_without_the_content() -> None:
    file = _text()
    got, head = _ask(file, accept_encoding="gzip"), _ask(file, "HEAD", accept_encoding="gzip")

    assert dict(head.headers) == dict(got.headers)


def test_a_range_is_answered_with_the_whole() -> None:
    answer = _ask(_text(), range="bytes=0-9")

    assert answer.status_code == 200
    assert answer.content == TEXT


@pytest.mark.parametrize("accepted", ["br", "gzip", "identity"])
def test_a_file_stored_as_brotli_reaches_everybody(accepted: str) -> None:
    stored = brotli.compress(TEXT, quality=11)
    answer = _ask(joined_file(stored, media_type="text/javascript"), accept_encoding=accepted)

    assert answer.content == TEXT
    assert accepted != "br" or int(answer.headers["content-length"]) == len(stored)
    assert accepted != "gzip" or int(answer.headers["content-length"]) == len(gzip.compress(TEXT, 6))


def test_a_class_that_asks_at_once_has_it_read_once_and_not_on_the_loop() -> None:
    source = Source(TEXT)
    file = EncodedFile(source.read, media_type="text/javascript")

    async def ask() -> list[httpx.Response]:
        async with _client(file) as client:
            return await asyncio.gather(*(client.get("/", headers={"accept-encoding": "br"}) for _ in range(20)))

    answers = asyncio.run(ask())

    assert {answer.content for answer in answers} == {TEXT}
    assert len(source.threads) == 1
    assert source.threads[0] is not threading.main_thread()


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", "identity"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("BR", "br"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0, gzip;q=0", "identity"),
        ("br;q=0.2, gzip;q=0.8", "gzip"),
        ("gzip;q=0.5, br;q=0.5", "br"),
        ("*", "br"),
        ("br;q=0, *", "gzip"),
        ("*;q=0", "identity"),
        ("identity", "identity"),
        ("identity;q=0, gzip", "gzip"),
        ("snappy, x-homeroom", "identity"),
        ("br;q=often, gzip", "gzip"),
        ("br;q=7, gzip", "gzip"),
        ("br ; q = 0 , gzip ; q = 1", "gzip"),
        (",,;q=1,", "identity"),
    ],
)
def test_the_coding_that_weighs_most_is_taken(accepted: str, coding: str) -> None:
    assert choose_coding(accepted) == coding


@given(st.text())
def test_any_header_has_an_answer(accepted: str) -> None:
    assert choose_coding(accepted) in (*CODINGS, IDENTITY)
