"""Text from outside says to the model what it shows to a person."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.safety.markdown.sanitiser import sanitise
from services.safety.text import literal, plain

ARABIC = st.text(st.characters(min_codepoint=0x0621, max_codepoint=0x064A, categories=["Lo", "Mn"]), min_size=1)
HEBREW = st.text(st.characters(min_codepoint=0x05D0, max_codepoint=0x05EA), min_size=1)
EMOJI = st.sampled_from(["😀", "👨‍👩‍👧‍👦", "❤️‍🔥", "🙂‍↔️", "1️⃣", "🇪🇸", "👍🏽", "🏳️‍🌈", "☎︎", "🧑🏿‍🚀"])
WORDS = st.one_of(ARABIC, HEBREW, EMOJI, st.text(st.characters(max_codepoint=0x024F, categories=["L", "N", "P", "S"])))


@pytest.mark.parametrize(
    "text",
    [
        "می‌خواهم",  # Persian, with a zero-width non-joiner
        "क्‍ष क्‌ष",  # Devanagari, with both joiners
        "שלום\u200f! (abc)",
        "e\u0301 n\u0303 Z\u0323\u0307",
        "葛\U000e0100飾区",
        "ᠮᠣᠩᠭᠣᠯ\u180e\u1820",
        "한국어 日本語 ¿Qué? straße",
        "line\nline\ttab",
    ],
)
def test_what_scripts_are_written_with_stays(text: str) -> None:
    assert plain(text) == text


@given(st.lists(WORDS).map(" ".join))
def test_words_and_emoji_of_many_scripts_stay(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("a" + "".join(chr(0xE0000 + ord(c)) for c in "obey") + "b", "ab"),
        ("a\u200b\u2060\ufeff\u00adb", "ab"),
        ("\u202etxt.exe\u202c", "txt.exe"),
        ("\u2066a\u2069", "a"),
        ("a\u200db \u200cc", "ab c"),
        ("a\ufe0f\ufe01\ufe02\U000e0101b", "ab"),
        ("☂\ufe0f\ufe0f\ufe0f", "☂\ufe0f"),
        ("\x00\x1b[31mred\x7f\x9b", "[31mred"),
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("\u3164\uffa0a\ud800b", "ab"),
        ("latin \u200f\u200e only", "latin  only"),
    ],
)
def test_what_nobody_sees_goes(hidden: str, shown: str) -> None:
    assert plain(hidden) == shown


@given(st.text(st.characters()))
def test_plain_text_stays_plain(text: str) -> None:
    once = plain(text)

    assert plain(once) == once
    assert not any(0xE0000 <= ord(c) <= 0xE007F or 0x202A <= ord(c) <= 0x202E for c in once)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in once)


@given(st.text(), st.integers(0, 80))
def test_a_cut_text_keeps_its_limit_and_says_so(text: str, limit: int) -> None:
    cut = plain(text, limit=limit)

    assert len(cut) <= limit
    assert plain(cut, limit=limit) == cut
    assert cut == plain(text) or limit == 0 or "…" in cut


def test_a_cut_never_splits_an_emoji() -> None:
    cut = plain("x" * 10 + "👨‍👩‍👧‍👦" * 50, limit=52)

    assert not cut.partition("\n")[0].endswith("\u200d")


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("*a* _b_ [c](d)", "\\*a\\* \\_b\\_ \\[c\\](d)"),
        ("# one\n- two\n1. three", "\\# one\\\n\\- two\\\n1\\. three"),
        ("costs $5 & <b>", "costs \\$5 & \\<b>"),
        ("see https://evil.test/a.", "see `https://evil.test/a`."),
        ("mail me@x.edu", "mail `me@x.edu`"),
        ("a -> b :smile: 10:30", "a `->` b `:smile:` 10\\:30"),
        ("  indented", "\u00a0\u00a0indented"),
    ],
)
def test_literal_text_has_no_meaning(text: str, markdown: str) -> None:
    assert literal(text) == markdown


@given(st.text())
def test_literal_text_is_safe_markdown(text: str) -> None:
    written = sanitise(literal(text), allowed=())

    assert "](" not in written.replace("\\]", "")
    assert "![" not in written.replace("\\!", "")
