"""An answer of a registry's that is none is "unavailable": no work without a title, and no book that "there is not"."""

import json

import pytest

from services.errors import ItemNotFound
from services.integrations.bibliography.registries import find_doi, find_isbn
from services.safety.fetch import SafeFetch
from tests.services.safety.fetch.raw_server import RawServer, answer
from tests.spoiled_bodies import answer_of, called_unavailable, spoiled_bodies

ISBN = "9780262033848"


@spoiled_bodies()
def test_a_doi_is_no_work_by_a_spoiled_answer(body: str) -> None:
    with RawServer(answer_of(body)) as server, called_unavailable(body):
        find_doi(SafeFetch(allow=frozenset({server.origin})), "10.1038/x", base_url=server.origin)


@spoiled_bodies("empty object")
def test_a_book_is_neither_there_nor_missing_by_a_spoiled_answer(body: str) -> None:
    with RawServer(answer_of(body)) as server, called_unavailable(body):
        find_isbn(SafeFetch(allow=frozenset({server.origin})), ISBN, base_url=server.origin)


@pytest.mark.parametrize("book", [None, {}, [], "x", {"title": ""}])
def test_a_book_without_a_title_is_no_answer(book: object) -> None:
    body = json.dumps({f"ISBN:{ISBN}": book}).encode()
    with RawServer(answer(body)) as server, called_unavailable(str(book)):
        find_isbn(SafeFetch(allow=frozenset({server.origin})), ISBN, base_url=server.origin)


def test_a_book_that_the_registry_does_not_have_is_said_to_be_missing() -> None:
    with RawServer(answer(b"{}")) as server, pytest.raises(ItemNotFound):
        find_isbn(SafeFetch(allow=frozenset({server.origin})), ISBN, base_url=server.origin)
