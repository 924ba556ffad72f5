"""A student's Canvas as a source, on the campus over real HTTP: what they may read, and nothing else."""

import time
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from services.connections.connector import Grant
from services.errors import ItemNotFound, PermissionMissing, ReconnectRequired
from services.integrations.canvas import integration
from services.integrations.canvas.transport import CanvasTimeouts
from services.materials.material import Material, MaterialKind
from services.materials.source import MaterialListing, MaterialSource
from services.safety.fetch import SafeFetch
from services.safety.field_log import field_log
from tests.campus_server import CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, CampusServer

MATH, HISTORY, PROGRAMMING = "canvas-4607", "canvas-4505", "canvas-4310"
BEFORE = (
    *("courses", "courses/:id", "courses/:course_id/assignments", "courses/:course_id/modules"),
    *("courses/:course_id/modules/:module_id/items", "courses/:course_id/discussion_topics"),
)
"""Scopes of a sign-in from before course materials were read."""


def source_with(campus: CampusServer, token: str, timeouts: CanvasTimeouts | None = None) -> MaterialSource:
    origin = campus.url.removesuffix("/sandbox")
    fetch = SafeFetch(allow=frozenset({origin, origin.replace("127.0.0.1", "localhost")}))
    canvas = integration({"BASE_URL": f"{campus.url}/canvas"}, fetch, timeouts=timeouts)
    assert canvas.materials
    return canvas.materials(canvas.client(Grant(origin=canvas.origins[0], access_token=token)))


def source_of(campus: CampusServer, person: str = "maya") -> MaterialSource:
    return source_with(campus, campus.token("canvas", person))


def change(campus: CampusServer, what: str, **wish: Any) -> Any:
    answer = campus.http.post(f"{campus.url}/canvas/control/{what}", json=wish)
    assert answer.status_code == 200, answer.text
    return answer.json()


def named(listing: MaterialListing, name: str) -> Material:
    return next(material for material in listing.materials if name in (material.name, material.title))


def test_a_course_is_listed_checked_and_read(campus: CampusServer) -> None:
    source = source_of(campus)

    listing = source.listing(MATH)
    slides = named(listing, "MATH221_L34_sequences.pdf")
    page = next(material for material in listing.materials if material.kind is MaterialKind.PAGE)
    readable = source.readable(listing.materials)

    assert MATH in {course.key for course in source.courses()}
    assert readable == {material.id for material in listing.materials if not material.locked}
    assert source.content(slides).content.startswith(b"%PDF-")
    assert source.content(page).name == "page.html"
    assert listing.notes == []


def test_what_a_tool_does_not_tell_is_not_in_its_log(campus: CampusServer) -> None:
    source = source_of(campus)

    with field_log() as log:
        materials = source.listing(MATH).materials
        source.readable(materials)
        source.content(materials[0])

    assert log.writers == frozenset()


def test_what_is_locked_is_listed_with_the_reason_and_never_fetched(campus: CampusServer) -> None:
    source = source_of(campus)
    before = source.listing(MATH)
    slides = named(before, "MATH221_L34_sequences.pdf")
    change(campus, "files", course=4607, file=slides.name, do="lock")
    since = campus.log()[-1]["id"]

    listing = source.listing(MATH)

    assert next(material for material in listing.materials if material.id == slides.id).locked
    assert source.readable([slides]) == frozenset()
    with pytest.raises(PermissionMissing):
        source.content(slides)
    assert not [entry for entry in campus.log(since=since) if "download" in entry["path"]]


def test_a_locked_module_closes_all_that_it_shows(campus: CampusServer) -> None:
    source = source_of(campus)
    before = source.listing(MATH)
    module = named(before, "MATH221_L34_sequences.pdf").module
    shown = [material for material in before.materials if material.module == module]
    change(campus, "courses", course=4607, module=module, do="lock_module")

    after = source.listing(MATH)

    assert len(shown) > 3
    assert source.readable(shown) == frozenset()
    assert [m.title for m in after.materials if m.module == module and not m.locked] == []


def test_a_replaced_file_is_another_material_and_the_old_one_is_gone(campus: CampusServer) -> None:
    source = source_of(campus)
    old = named(source.listing(MATH), "MATH221_L34_sequences.pdf")
    change(campus, "files", course=4607, file=old.name, do="replace", source="math221/notes-taylor")

    new = named(source.listing(MATH), old.name)

    assert new.id != old.id
    assert new.version != old.version
    assert source.readable([old, new]) == {new.id}
    with pytest.raises(ItemNotFound):
        source.content(old)


def test_a_hidden_list_of_files_still_gives_what_modules_show(campus: CampusServer) -> None:
    source = source_of(campus)
    before = source.listing(MATH)
    change(campus, "courses", course=4607, do="hide_files")

    after = source.listing(MATH)

    assert {m.id: m.version for m in after.materials if m.module} == {
        m.id: m.version for m in before.materials if m.module
    }
    assert "files" in after.notes[0]


def test_who_has_left_a_course_reads_nothing_of_it(campus: CampusServer) -> None:
    source = source_of(campus)
    materials = [material for material in source.listing(MATH).materials if not material.locked]
    change(campus, "courses", course=4607, person="maya", do="drop_student")

    assert source.readable(materials) == frozenset()
    with pytest.raises(PermissionMissing):
        source.listing(MATH)
    file = next(material for material in materials if material.kind is MaterialKind.FILE)
    with pytest.raises((PermissionMissing, ItemNotFound)):
        source.content(file)


def test_what_is_for_another_student_alone_is_nobody_elses(campus: CampusServer) -> None:
    maya, diego = source_of(campus), source_of(campus, "diego")
    course = next(key for key in (c.key for c in diego.courses()) if key in {c.key for c in maya.courses()})
    shared = next(m for m in maya.listing(course).materials if m.kind is MaterialKind.FILE and not m.locked)
    number = int(course.removeprefix("canvas-"))
    change(campus, "files", course=number, file=shared.name, do="only", people=["diego"])

    assert maya.readable([shared]) == frozenset()
    assert shared.id not in {m.id for m in maya.listing(course).materials if not m.locked}
    with pytest.raises((PermissionMissing, ItemNotFound)):
        maya.content(shared)
    assert diego.readable([shared]) == {shared.id}


def test_a_draft_is_no_material_of_who_teaches_either(campus: CampusServer) -> None:
    source = source_of(campus, "okafor")
    course = source.courses()[0].key
    before = source.listing(course)
    page = next(material for material in before.materials if material.kind is MaterialKind.PAGE and not material.locked)
    change(campus, "files", course=int(course.removeprefix("canvas-")), file=page.title, do="unpublish")

    assert source.readable([page]) == frozenset()
    assert page.id not in {material.id for material in source.listing(course).materials}
    with pytest.raises(ItemNotFound):
        source.content(page)


def test_a_sign_in_from_before_gives_what_it_covers_and_says_what_to_do(campus: CampusServer) -> None:
    scopes = " ".join(f"url:GET|/api/v1/{path}" for path in BEFORE)
    query = {"client_id": CLIENT_ID, "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": scopes}
    back = campus.press(f"{campus.url}/canvas/login/oauth2/auth?{urlencode(query)}", "maya", "Allow")
    fields = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "grant_type": "authorization_code"}
    code = parse_qs(urlsplit(back).query)["code"][0]
    answer = campus.http.post(f"{campus.url}/canvas/login/oauth2/token", data={**fields, "code": code}).json()

    listing = source_with(campus, answer["access_token"]).listing(MATH)

    assert {material.kind for material in listing.materials} >= {MaterialKind.ASSIGNMENT, MaterialKind.ANNOUNCEMENT}
    assert not [
        material for material in listing.materials if material.kind is MaterialKind.FILE and not material.locked
    ]
    assert [note for note in listing.notes if "reconnect Canvas" in note and "files, pages" in note]


def test_an_ended_sign_in_is_told_as_such(campus: CampusServer) -> None:
    source = source_of(campus)
    campus.fault(service="canvas", fault="revoke_tokens", person="maya")

    with pytest.raises(ReconnectRequired):
        source.listing(MATH)


def test_three_hundred_files_are_listed_while_canvas_throttles(campus: CampusServer) -> None:
    change(campus, "courses", course=4607, do="many_files", count=300)
    token = campus.token("canvas", "maya")
    change(campus, "courses", course=4607, do="throttle", limit=4, per_second=20)
    source = source_with(campus, token, CanvasTimeouts(sleep=lambda seconds: time.sleep(min(seconds, 0.3))))
    since = campus.log()[-1]["id"]

    listing = source.listing(MATH)

    assert sum(material.name.startswith("reading-") for material in listing.materials) == 300
    assert len(campus.log(since=since)) < 40
