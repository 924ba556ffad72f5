from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.integrations.bibliography.styles import STYLES, CitedWork, apa_entry, mla_entry

SEEN = date(2026, 11, 21)


def work(**changes: Any) -> CitedWork:
    facts = {
        "title": "Library opens around the clock",
        "url": "https://news.example.edu/a",
        "site": "Campus Daily",
        "authors": ("Priya Q. Raman",),
        "published": date(2026, 9, 8),
        "seen": SEEN,
    }
    return CitedWork(**{**facts, **changes})


@pytest.mark.parametrize(
    ("changes", "entry"),
    [
        (
            {},
            "Raman, P. Q. (2026, September 8). *Library opens around the clock.* Campus Daily. "
            "https://news.example.edu/a",
        ),
        (
            {"authors": ("Ann Lee", "Bo Chen")},
            "Lee, A., & Chen, B. (2026, September 8). *Library opens around the clock.* Campus Daily. "
            "https://news.example.edu/a",
        ),
        (
            {"authors": ("Office of Student Life",)},
            "Office of Student Life. (2026, September 8). *Library opens around the clock.* Campus Daily. "
            "https://news.example.edu/a",
        ),
        (
            {"authors": ("Campus Daily",)},
            "Campus Daily. (2026, September 8). *Library opens around the clock.* https://news.example.edu/a",
        ),
        (
            {"authors": (), "published": None, "title": "Is it open?"},
            "*Is it open?* (n.d.). Campus Daily. https://news.example.edu/a",
        ),
    ],
)
def test_apa(changes: dict[str, Any], entry: str) -> None:
    assert apa_entry(work(**changes)) == entry


@pytest.mark.parametrize(
    ("changes", "entry"),
    [
        ({}, "Raman, Priya Q. “Library opens around the clock.” *Campus Daily*, 8 Sept. 2026, news.example.edu/a."),
        (
            {"authors": ("Ann Lee", "Bo Chen")},
            "Lee, Ann, and Bo Chen. “Library opens around the clock.” *Campus Daily*, 8 Sept. 2026, "
            "news.example.edu/a.",
        ),
        (
            {"authors": ("Ann Lee", "Bo Chen", "Cy Diaz")},
            "Lee, Ann, et al. “Library opens around the clock.” *Campus Daily*, 8 Sept. 2026, news.example.edu/a.",
        ),
        (
            {"authors": (), "published": None, "title": "Is it open?"},
            "“Is it open?” *Campus Daily*, news.example.edu/a. Accessed 21 Nov. 2026.",
        ),
    ],
)
def test_mla(changes: dict[str, Any], entry: str) -> None:
    assert mla_entry(work(**changes)) == entry


@given(
    st.text(min_size=1), st.lists(st.text(min_size=1).filter(str.strip), max_size=4), st.none() | st.dates(), st.text()
)
def test_no_page_breaks_a_style(title: str, authors: list[str], published: date | None, site: str) -> None:
    for style in STYLES.values():
        entry = style(work(title=title, authors=tuple(authors), published=published, site=site))
        assert "news.example.edu/a" in entry
