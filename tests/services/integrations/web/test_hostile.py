"""Whatever a page or a PDF is made of, reading it ends soon, in words or in a refusal (T22)."""

import time
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.errors import HomeroomError, RequestRefused
from services.integrations.web import page_text as readable_
from services.integrations.web.page_text import PageText, extract_text
from services.safety.fetch import FetchedPage

WORDS = b"These are words that somebody wants to read. " * 4
HTML = {
    "nothing": b"",
    "zeros": b"\0" * 500,
    "half a tag": b"<",
    "a deep page": b"<div>" * 100_000 + WORDS,
    "deep emphasis": b"<b>" * 50_000 + WORDS,
    "deep lists": b"<ul><li>" * 4_000 + WORDS,
    "tables in tables": b"<table>" * 4_000 + b"<tr><td>x" * 4_000 + WORDS,
    "many attributes": b"<p " + b"a=1 " * 100_000 + b">" + WORDS,
    "many links": b"<a href='#'>" * 20_000 + WORDS,
    "a long style": b"<p style='" + b"display " * 50_000 + b"'>" + WORDS,
    "open comments": b"<!--" * 50_000 + WORDS,
    "odd letters": ("<p>" + "\u202e\u200b" * 1_000 + "&#0;&#x110000;&#55296;").encode() + WORDS,
    "an XHTML page": b"<?xml version='1.0' encoding='utf-8'?><html xmlns='http://www.w3.org/1999/xhtml'><p>" + WORDS,
    "entities": b"<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><p>&b;" + WORDS,
    "a file": b"<!DOCTYPE x [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><p>&f; " + WORDS,
}


def page(body: bytes, media_type: str = "text/html") -> FetchedPage:
    return FetchedPage(
        url="https://a.example/x", asked="", status=200, media_type=media_type, charset=None, body=body, headers={}
    )


def tried(page: FetchedPage) -> PageText | HomeroomError:
    try:
        return extract_text(page)
    except HomeroomError as refusal:
        return refusal


@pytest.mark.parametrize("kind", HTML)
def test_a_page_made_to_hurt_is_read_or_refused_in_seconds(kind: str) -> None:
    began = time.monotonic()

    found = tried(page(HTML[kind]))

    assert time.monotonic() - began < 8
    assert "root:" not in getattr(found, "text", "")


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            [b"<p>", b"<div hidden>", b"</", b"<a href='", b"'>", b"&#", b"\xff", b"\0", b"word ", b"<![CDATA["]
        )
    )
)
def test_no_page_breaks_the_reader(parts: list[bytes]) -> None:
    found = tried(page(b"".join(parts)))

    assert isinstance(found, PageText | HomeroomError)


@settings(max_examples=60)
@given(st.binary(max_size=300), st.integers(0, 900))
def test_no_pdf_breaks_the_reader(noise: bytes, at: int) -> None:
    body = pdf(b"BT /F1 14 Tf (Hello) Tj ET")

    found = tried(page(body[:at] + noise + body[at + len(noise) :], "application/pdf"))

    assert isinstance(found, PageText | HomeroomError)


def test_a_pdf_that_unpacks_to_gigabytes_is_refused_in_seconds() -> None:
    began = time.monotonic()

    found = tried(page(pdf(zlib.compress(b"\0" * 300_000_000, 9), "/Filter /FlateDecode"), "application/pdf"))

    assert isinstance(found, HomeroomError)
    assert time.monotonic() - began < 10


def test_a_page_of_very_many_parts_is_refused() -> None:
    with pytest.raises(RequestRefused, match="too many parts"):
        extract_text(page(b"<a href=x>" * 75_000 + WORDS))


def test_a_pdf_that_draws_for_minutes_is_read_for_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty pages of a few bytes that unpack to a hundred thousand words each."""
    monkeypatch.setattr(readable_, "MOST_PDF_S", 1.0)
    words = zlib.compress(b"BT /F1 9 Tf (some words to read here) Tj ET\n" * 20_000, 9)
    body = pdf(words, "/Filter /FlateDecode").replace(b"[3 0 R] /Count 1", b"[" + b"3 0 R " * 60 + b"] /Count 60")
    began = time.monotonic()

    found = tried(page(body, "application/pdf"))

    assert isinstance(found, HomeroomError) or found.is_cut
    assert time.monotonic() - began < 10


def pdf(stream: bytes, filters: str = "") -> bytes:
    """A PDF of one page that draws this stream."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        f"<< /Length {len(stream)} {filters} >>\nstream\n".encode() + stream + b"\nendstream",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 5\n0000000000 65535 f \n{table}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return body + end.encode()
