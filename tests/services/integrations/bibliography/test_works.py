"""Entries of articles, chapters and books, as the manuals write them."""

import pytest

from services.integrations.bibliography.works import WORK_STYLES, Author, PublishedWork

ARTICLE = PublishedWork(
    kind="article",
    title="Deep learning",
    authors=(Author(family="LeCun", given="Yann"), Author(family="Bengio", given="Yoshua")),
    year="2015",
    container="Nature",
    volume="521",
    issue="7553",
    pages="436-444",
    url="https://doi.org/10.1038/nature14539",
)
BOOK = PublishedWork(
    kind="book",
    title="Introduction to algorithms",
    authors=(Author(family="Cormen", given="Thomas H."),),
    year="2009",
    publisher="MIT Press",
    edition="3",
)
CHAPTER = PublishedWork(
    kind="chapter",
    title="What now?",
    authors=tuple(Author(family=family, given="Jean-Paul") for family in ("Roe", "Poe", "Doe")),
    year="1999",
    container="A handbook",
    pages="12",
    publisher="Press",
)


@pytest.mark.parametrize(
    ("work", "style", "entry"),
    [
        (
            ARTICLE,
            "apa",
            "LeCun, Y., & Bengio, Y. (2015). Deep learning. *Nature*, *521*(7553), 436–444. "
            "https://doi.org/10.1038/nature14539",
        ),
        (
            ARTICLE,
            "mla",
            "LeCun, Yann, and Yoshua Bengio. “Deep learning.” *Nature*, vol. 521, no. 7553, 2015, pp. 436–444, "
            "https://doi.org/10.1038/nature14539.",
        ),
        (BOOK, "apa", "Cormen, T. H. (2009). *Introduction to algorithms* (3rd ed.). MIT Press."),
        (BOOK, "mla", "Cormen, Thomas H. *Introduction to algorithms.* 3rd ed., MIT Press, 2009."),
        (CHAPTER, "apa", "Roe, J.-P., Poe, J.-P., & Doe, J.-P. (1999). What now? In *A handbook* (p. 12). Press."),
        (CHAPTER, "mla", "Roe, Jean-Paul, et al. “What now?” *A handbook*, Press, 1999, p. 12."),
        (PublishedWork(kind="book", title="A pamphlet"), "apa", "*A pamphlet*. (n.d.)."),
        (PublishedWork(kind="book", title="A pamphlet"), "mla", "*A pamphlet.*"),
        (
            PublishedWork(kind="article", title="Rain", authors=(Author(family="Weather Group"),), year="2020"),
            "apa",
            "Weather Group. (2020). Rain.",
        ),
    ],
)
def test_an_entry_is_written_as_the_manual_says(work: PublishedWork, style: str, entry: str) -> None:
    assert WORK_STYLES[style](work) == entry


def test_of_more_than_twenty_authors_apa_names_nineteen_and_the_last() -> None:
    many = tuple(Author(family=f"A{number}") for number in range(1, 23))
    work = PublishedWork(kind="book", title="T", authors=many, year="2000", publisher="P")

    entry = WORK_STYLES["apa"](work)

    assert "A19, … A22. (2000)" in entry
    assert "A20" not in entry


def test_what_is_not_known_is_named() -> None:
    assert ARTICLE.missing == BOOK.missing == []
    assert PublishedWork(kind="article", title="T").missing == ["author", "year", "journal"]
    assert PublishedWork(kind="book", title="T", year="1").missing == ["author", "publisher"]
