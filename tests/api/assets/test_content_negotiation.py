"""What a client accepts decides the coding, weights included."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.assets.content_negotiation import CODINGS, IDENTITY, choose_coding


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
