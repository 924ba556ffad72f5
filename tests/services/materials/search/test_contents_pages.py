"""A table of contents has every word of the course and answers nothing, so it comes after what it points to."""

import pytest

from services.materials.search.contents_pages import is_contents
from services.materials.search.library_index import LibraryIndex
from services.materials.search.relevance import search_index
from tests.services.materials.search.samples import entries

BOOK = (
    "Cell Biology\nA course in twelve weeks",
    "1 Membranes . . . . . . 3\n1.1 Osmosis . . . . . . . 3\n1.2 Tonicity . . . . . . 9\n2 Enzymes ........ 12\n"
    "2.1 Competitive inhibitors … 14\nIndex    31",
    "1 Membranes\nOsmosis is the net movement of water across a membrane that lets water pass and not what is solved.",
    "2 Enzymes\nA competitive inhibitor binds the active site of the enzyme, so that the substrate cannot.",
)


@pytest.mark.parametrize(("question", "page"), [("osmosis", 3), ("competitive inhibitors", 4), ("enzymes", 4)])
def test_the_page_itself_stands_before_the_contents(question: str, page: int) -> None:
    hits = search_index(LibraryIndex(entries({"Cell Biology: the book": BOOK})), question)

    assert hits[0].passage.page == page
    assert search_index(LibraryIndex(entries({"Cell Biology: the book": BOOK[:2]})), question)[0].passage.page == 2


@pytest.mark.parametrize(
    ("label", "text"),
    [
        pytest.param("", BOOK[1], id="dots"),
        pytest.param("Contents", "Membranes\nOsmosis\nEnzymes", id="a heading"),
        pytest.param("Week 3 › Outline", "• Osmosis\n• Tonicity", id="a slide of topics"),
        pytest.param("", "Índice\nLa membrana\nLa ósmosis", id="in Spanish"),
        pytest.param("", "目录\n细胞膜\n渗透", id="in Chinese"),
        pytest.param("", "\n".join(f"Chapter {number} {9 * number}" for number in range(1, 9)), id="blanks"),
    ],
)
def test_contents_are_seen(label: str, text: str) -> None:
    assert is_contents(label, text)


@pytest.mark.parametrize(
    ("label", "text"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param(
            "",
            "Quiz 1: 10\nQuiz 2: 10\nEssay: 20\nFinal: 60\nAll of these count for your grade.\nNo more.",
            id="weights",
        ),
        pytest.param("", "Treaty of Paris 1783\nConstitution 1787\nLouisiana 1803\nWar of 1812", id="years"),
        pytest.param("", "Sodium 23\nCarbon 12\nOxygen 16\nHydrogen 1\nIron 56", id="a table of values"),
        pytest.param(
            "Overview", "Osmosis is the net movement of water across a membrane.\nIt needs no energy.", id="sentences"
        ),
        pytest.param("", "Quizzes 10\nHomework 20\nMidterm 30\nFinal 40", id="weights without a colon"),
        pytest.param("Contents of the cell", "Nucleus\nRibosomes", id="another heading"),
    ],
)
def test_what_says_something_is_none(label: str, text: str) -> None:
    assert not is_contents(label, text)
