"""A file's name is one plain line that leads nowhere, whatever a browser sends (T21)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.files.upload import LONGEST_NAME, clean_name, extension

TRICKS = {
    "../../etc/passwd.txt": "passwd.txt",
    r"C:\Users\maya\essay.docx": "essay.docx",
    "..": "file",
    "": "file",
    ".htaccess": "htaccess",
    "a\x00b\n.pdf": "ab.pdf",
    "<script>.md": "script.md",
    "evil\u202efdp.exe": "evilfdp.exe",
    "essay.pdf. ": "essay.pdf",
    "año nuevo.pdf": "año nuevo.pdf",
}


@pytest.mark.parametrize("name", TRICKS)
def test_tricks_come_to_nothing(name: str) -> None:
    assert clean_name(name) == TRICKS[name]


@settings(max_examples=50)
@given(st.text(max_size=300))
def test_any_name_is_short_without_paths_and_stays_as_it_is(name: str) -> None:
    cleaned = clean_name(name)

    assert 0 < len(cleaned) <= LONGEST_NAME
    assert not set(cleaned) & set("/\\<>{}\n\0")
    assert clean_name(cleaned) == cleaned


def test_a_long_name_keeps_its_extension() -> None:
    assert extension("a" * 300 + ".PDF") == "pdf"
