"""Links: public pages and documents through the guard, without any sign-in, and nothing else."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest

from services.errors import ItemNotFound, PermissionMissing, RequestRefused
from services.integrations.canvas.materials.addresses import export_address
from services.integrations.canvas.materials.listing_caches import ListingCaches
from services.integrations.canvas.materials.source import CanvasMaterials
from services.materials.material import Material
from services.safety.fetch import AddressRefused, SafeFetch
from tests.services.integrations.canvas.materials.course_rows import PAGE, item, module
from tests.services.integrations.canvas.materials.scripted_canvas import (
    COURSE,
    TOKEN,
    Said,
    ScriptedHost,
    client_at,
    course_paths,
    moved,
    source_at,
)

ID = "1AbC_dEf-GhIjKlMnOpQrStUv"


def link_to(school: ScriptedHost, address: str, *allowed: str) -> tuple[CanvasMaterials, Material]:
    """A link of a module to this address."""
    school.paths.update(course_paths(school, modules=[module(item("ExternalUrl", id=55, external_url=address))]))
    source = source_at(school, *allowed)
    (material,) = source.listing("canvas-101").materials
    return source, material


@pytest.mark.parametrize(
    ("address", "export"),
    [
        (f"https://docs.google.com/document/d/{ID}/edit?usp=sharing", f"/document/d/{ID}/export?format=docx"),
        (f"https://docs.google.com/document/u/1/d/{ID}/edit", f"/document/u/1/d/{ID}/export?format=docx"),
        (f"https://docs.google.com/presentation/d/{ID}/edit#slide=id.p", f"/presentation/d/{ID}/export/pptx"),
        (f"https://docs.google.com/presentation/d/{ID}", f"/presentation/d/{ID}/export/pptx"),
        (f"https://docs.google.com/spreadsheets/d/{ID}/edit#gid=0", f"/spreadsheets/d/{ID}/export?format=pdf"),
        (f"https://drive.google.com/file/d/{ID}/view", f"/uc?export=download&id={ID}"),
        (f"https://drive.google.com/open?id={ID}", f"/uc?export=download&id={ID}"),
        (f"https://drive.google.com/uc?id={ID}", f"/uc?export=download&id={ID}"),
        (f"https://drive.google.com/open?id={ID}%26x=1", None),
        ("https://docs.google.com/presentation/d/e/2PACX-1vT/pub", None),
        ("https://docs.google.com/forms/d/e/x/viewform", None),
        ("https://drive.google.com/drive/folders/abc", None),
        ("https://[bad", None),
    ],
)
def test_a_document_of_google_is_exported(address: str, export: str | None) -> None:
    parts = urlsplit(address) if "[" not in address else None

    assert export_address(address) == (f"https://{parts.netloc}{export}" if parts and export else None)


def test_slides_behind_a_link_come_as_their_export(school: ScriptedHost, storage: ScriptedHost) -> None:
    kind = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    deck = Said(body=b"PK deck", headers={"content-type": kind})
    storage.paths[f"/presentation/d/{ID}/export/pptx"] = moved(f"{storage.origin}/content")
    storage.paths["/content"] = deck
    source, material = link_to(school, f"{storage.origin}/presentation/d/{ID}/edit", storage.origin)

    content = source.content(material)

    assert (content.name, content.content) == ("link.pptx", b"PK deck")
    assert TOKEN not in str(storage.seen)


@pytest.mark.parametrize("hop", ["/ServiceLogin", "/accounts/signin", "/v3/signin/identifier"])
def test_a_document_that_is_not_public_is_told_as_such(school: ScriptedHost, storage: ScriptedHost, hop: str) -> None:
    storage.paths[f"/document/d/{ID}/export"] = moved(f"{storage.origin}{hop}?continue=x")
    storage.paths[hop] = Said(body=b"<!doctype html><html>Sign in", headers={"content-type": "text/html"})
    source, material = link_to(school, f"{storage.origin}/document/d/{ID}/edit", storage.origin)

    with pytest.raises(PermissionMissing, match="not public"):
        source.content(material)


def test_a_page_instead_of_an_export_is_not_taken_for_it(school: ScriptedHost, storage: ScriptedHost) -> None:
    warning = Said(body=b"<html>can't scan this file for viruses", headers={"content-type": "text/html"})
    storage.paths["/uc"] = warning
    source, material = link_to(school, f"{storage.origin}/file/d/{ID}/view", storage.origin)

    with pytest.raises(RequestRefused, match="did not give out"):
        source.content(material)


@pytest.mark.parametrize(
    ("said", "name", "start"),
    [
        (
            Said(body=b"<p>caf\xe9</p>", headers={"content-type": "text/html; charset=latin-1"}),
            "link.html",
            "\ufeff<p>café".encode(),
        ),
        (Said(body=b"%PDF-1.4", headers={"content-type": "application/octet-stream"}), "link.pdf", b"%PDF"),
        (Said(body=b"# Notes", headers={"content-type": "text/plain"}), "link.md", b"# Notes"),
        (Said(body=b"\x89PNG", headers={"content-type": "image/png"}), "link.png", b"\x89PNG"),
    ],
)
def test_a_web_page_or_file_comes_as_what_it_is(
    school: ScriptedHost, storage: ScriptedHost, said: Said, name: str, start: bytes
) -> None:
    storage.paths["/reading.md"] = said
    source, material = link_to(school, f"{storage.origin}/reading.md", storage.origin)

    content = source.content(material)

    assert content.name == name
    assert content.content.startswith(start)


@pytest.mark.parametrize(
    ("said", "reaction"),
    [
        (Said(status=401), PermissionMissing),
        (Said(status=403), PermissionMissing),
        (Said(status=404), ItemNotFound),
        (Said(status=451), RequestRefused),
        (Said(status=429), RequestRefused),
        (Said(status=500), RequestRefused),
    ],
)
def test_a_refusal_behind_a_link_has_its_own_reaction(
    school: ScriptedHost, storage: ScriptedHost, said: Said, reaction: type
) -> None:
    storage.paths["/reading"] = said
    source, material = link_to(school, f"{storage.origin}/reading", storage.origin)

    with pytest.raises(reaction):
        source.content(material)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:{port}/kept.pdf",
        "http://localhost:{port}/kept.pdf",
        "http://169.254.169.254/",
        "http://[::1]/",
    ],
)
def test_a_link_into_the_network_is_not_opened(school: ScriptedHost, storage: ScriptedHost, address: str) -> None:
    source, material = link_to(school, address.format(port=storage.port))

    with pytest.raises(AddressRefused):
        source.content(material)

    assert storage.seen == []


def test_a_name_that_leads_into_the_network_is_not_opened(school: ScriptedHost, storage: ScriptedHost) -> None:
    link_to(school, "http://reading.example.org:8080/kept.pdf")

    def resolve(host: str, timeout_s: float) -> Sequence[str]:
        return ("127.0.0.1",)

    source = CanvasMaterials(client_at(school.origin), SafeFetch(resolve=resolve), ListingCaches())
    (material,) = source.listing("canvas-101").materials

    with pytest.raises(AddressRefused):
        source.content(material)


@pytest.mark.parametrize("change", [{"items": []}, {"state": "locked"}, {"published": False}])
def test_a_link_that_is_gone_or_locked_by_now_is_not_opened(
    school: ScriptedHost, storage: ScriptedHost, change: dict[str, Any]
) -> None:
    source, material = link_to(school, f"{storage.origin}/kept.pdf", storage.origin)
    school.paths[f"{COURSE}/modules"] = [{**school.paths[f"{COURSE}/modules"][0], **change}]

    with pytest.raises((PermissionMissing, ItemNotFound)):
        source.content(material)

    assert storage.seen == []


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "", "ftp://x/"])
def test_what_is_no_web_address_is_no_material(school: ScriptedHost, address: str) -> None:
    school.paths.update(course_paths(school, modules=[module(item("ExternalUrl", external_url=address))]))

    assert source_at(school).listing("canvas-101").materials == []


def test_a_document_in_a_text_is_a_material_as_long_as_the_text_leads_to_it(
    school: ScriptedHost, storage: ScriptedHost
) -> None:
    address = f"{storage.origin}/presentation/d/{ID}/edit"
    body = f'<p>See <a class="x" href="{address}" target="_blank">the <b>slides</b></a> and <a href="https://x.example/">x</a>'
    school.paths.update(course_paths(school, pages=[{**PAGE, "body": body}]))
    storage.paths[f"/presentation/d/{ID}/export/pptx"] = b"PK deck"
    page_path = f"{COURSE}/pages/page_id:3"
    school.paths[page_path] = {**PAGE, "body": body}
    source = source_at(school, storage.origin)

    _, link = source.listing("canvas-101").materials
    late = source_at(school, storage.origin)

    assert (link.title, link.url) == ("the slides", address)
    assert source.content(link).content == late.content(link).content == b"PK deck"
    assert late.readable([link]) == {link.id}
    school.paths[page_path] = {**PAGE, "body": "<p>No slides</p>"}
    with pytest.raises(ItemNotFound):
        late.content(link)
    school.paths[page_path] = {**PAGE, "locked_for_user": True}
    assert late.readable([link]) == frozenset()
