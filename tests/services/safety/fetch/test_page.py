"""A page's text is read in the letters that it was written in."""

import pytest

from services.safety.fetch import FetchedPage
from services.safety.fetch.page import read_body


def page(body: bytes, charset: str | None = None, *, is_cut: bool = False) -> FetchedPage:
    return FetchedPage(
        url="", asked="", status=200, media_type="", charset=charset, body=body, headers={}, is_cut=is_cut
    )


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        ("é€".encode(), "utf-8", "é€"),
        ("é€".encode(), None, "é€"),
        ("é€".encode("cp1252"), None, "é€"),
        ("é€".encode("cp1252"), "ISO-8859-1", "é€"),
        ("é€".encode("cp1252"), "us-ascii", "é€"),
        ("é€".encode("utf-16"), None, "é€"),
        (b"\xef\xbb\xbf" + "é".encode(), "iso-8859-1", "é"),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
        ("<meta charset='windows-1251'>да".encode("cp1251"), None, "<meta charset='windows-1251'>да"),
        (
            '<?xml version="1.0" encoding="iso-8859-2"?>ł'.encode("iso-8859-2"),
            None,
            '<?xml version="1.0" encoding="iso-8859-2"?>ł',
        ),
        (b"\xe9 said to be utf-8", "utf-8", "\ufffd said to be utf-8"),
        ("é".encode(), "no-such-thing", "é"),
        ("é".encode(), "base64", "é"),
        (b"", None, ""),
    ],
)
def test_text_is_read_by_what_the_page_says_of_it(body: bytes, charset: str | None, text: str) -> None:
    assert page(body, charset).text == text


def test_a_letter_that_was_cut_does_not_spoil_the_rest() -> None:
    assert page("grüße".encode()[:3], is_cut=True).text == "gr\ufffd"


def test_nothing_at_all_is_whole_however_it_is_said_to_be_packed() -> None:
    assert read_body([], encoding="gzip", limit_bytes=9, cut=False) == (b"", False)
