"""Public documents at addresses like Google's: opened, exported through another host, and closed ones."""

import io

import httpx
import pytest
from docx import Document as Word
from pptx import Presentation

from sandbox.canvas.documents.source import all_sources
from sandbox.canvas.seeds.materials import document_path
from tests.campus_server import CampusServer
from tests.sandbox.canvas_clients import getter

SOURCES = {kind: [own for own in all_sources() if own.kind == kind] for kind in ("gdoc", "gslides")}


def address(campus: CampusServer, kind: str) -> str:
    """Where a public document of this kind stands."""
    source = next(own for own in SOURCES[kind] if own.head.get("shared", True))
    return f"{campus.url}{document_path(source)}"


def exported(campus: CampusServer, url: str) -> httpx.Response:
    """What an export ends at; it must lead to another host."""
    there = campus.http.get(url)
    assert there.status_code == 307, there.text
    assert httpx.URL(there.headers["location"]).host != httpx.URL(campus.url).host
    return campus.http.get(there.headers["location"])


def test_slides_are_exported_with_their_titles(campus: CampusServer) -> None:
    answer = exported(campus, address(campus, "gslides").partition("/edit")[0] + "/export/pptx")

    deck = Presentation(io.BytesIO(answer.content))
    assert all(slide.shapes.title is not None for slide in deck.slides)


def test_a_text_is_exported_as_a_word_file_and_opens_in_a_browser(campus: CampusServer) -> None:
    edit = address(campus, "gdoc")
    answer = exported(campus, edit.partition("/edit")[0] + "/export?format=docx")

    title = Word(io.BytesIO(answer.content)).paragraphs[0].text
    assert title
    assert campus.http.get(edit).status_code == 200


@pytest.mark.parametrize("rest", ["/export?format=exe", "/export"])
def test_another_form_is_not_found(campus: CampusServer, rest: str) -> None:
    assert campus.http.get(address(campus, "gdoc").partition("/edit")[0] + rest).status_code == 404


@pytest.mark.parametrize("path", ["document/d/1nobody/edit", "presentation/d/1nobody/export/pptx", "forms/d/1/edit"])
def test_a_document_that_is_not_there_is_not_found(campus: CampusServer, path: str) -> None:
    assert campus.http.get(f"{campus.url}/web/docs/{path}").status_code == 404


def test_modules_lead_to_the_documents(campus: CampusServer) -> None:
    get = getter(campus, "diego")
    links = set()
    for source in (own for owns in SOURCES.values() for own in owns):
        course = {"cs101": 4310, "writ110": 4402}.get(source.course)
        for module in get(f"/courses/{course}/modules").json() if course else []:
            links |= {item.get("external_url") for item in get(module["items_url"], params={"per_page": 100}).json()}

    assert {address(campus, "gdoc"), address(campus, "gslides")} <= links
