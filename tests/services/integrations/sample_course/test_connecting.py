"""The sample course as a connection: one click begins it, one ends it, and it is never missing."""

import io
import zipfile
from pathlib import Path

import pytest

from services import bootstrap
from services.errors import RequestRefused
from services.identity.students import Student
from services.integrations.sample_course.course import ID
from services.privacy.data_export import export_archive
from services.prompt.prompt_builder import PromptBuilder
from services.tools.resolution import resolve
from services.wiring.container import ServiceContainer
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.fakes import FakeDocuments
from tests.rooms import demo_settings


@pytest.fixture
def services(tmp_path: Path) -> ServiceContainer:
    return bootstrap.build(demo_settings(tmp_path), engine=FakeDocuments())


@pytest.fixture
def maya(services: ServiceContainer) -> Student:
    return services.students.sign_in(issuer="campus", subject="maya", name="Maya", email="maya@campus.example")


def names(services: ServiceContainer, student: Student) -> set[str]:
    offers = services.gateway.list_tools(student.id)
    return {offer.tool.name for offer in offers if offer.reason is None and offer.tool.name.startswith("sample_")}


def test_its_tools_are_there_only_while_it_is_on(services: ServiceContainer, maya: Student) -> None:
    before = names(services, maya)
    services.connections.connect_without_account(maya.id, ID)
    during = names(services, maya)
    ended = services.connections.disconnect(maya.id, ID)

    assert (before, len(during), names(services, maya), ended) == (set(), 5, set(), True)


def test_beginning_twice_leaves_its_dates_as_they_are(services: ServiceContainer, maya: Student) -> None:
    first = services.connections.connect_without_account(maya.id, ID)
    second = services.connections.connect_without_account(maya.id, ID)

    assert (first.connected_at, first.version) == (second.connected_at, second.version)


def test_nobody_gets_into_a_real_account_that_way(services: ServiceContainer, maya: Student) -> None:
    with pytest.raises(RequestRefused):
        services.connections.connect_without_account(maya.id, "canvas")


@pytest.mark.parametrize("by", ["consent", "token"])
def test_an_account_that_gives_courses_ends_it_and_keeps_it_away_until_it_is_gone(
    campus: CampusServer, tmp_path: Path, by: str
) -> None:
    room = CampusRoom(campus, tmp_path)
    connections, maya = room.services.connections, room.maya
    connections.connect_without_account(maya.id, ID)
    room.connect("google_calendar")
    beside_a_calendar = set(connections.all(maya.id))
    if by == "consent":
        room.connect("canvas")
    else:
        origin = room.services.integrations["canvas"].origins[0]
        connections.connect_with_token(maya.id, "canvas", origin=origin, token=campus.token("canvas", "maya"))

    assert beside_a_calendar == {ID, "google_calendar"}
    assert set(connections.all(maya.id)) == {"canvas", "google_calendar"}
    with pytest.raises(RequestRefused, match="not offered while Canvas is connected"):
        connections.connect_without_account(maya.id, ID)
    connections.disconnect(maya.id, "canvas")
    assert connections.connect_without_account(maya.id, ID).health.offers_tools
    room.close()


def test_who_does_not_try_it_is_not_told_that_it_is_missing(services: ServiceContainer, maya: Student) -> None:
    resolution = resolve({}, services.integrations, services.root_tools.tools())

    parts = {part.key for part in PromptBuilder().parts(maya, resolution)}

    assert "missing.canvas" in parts
    assert f"missing.{ID}" not in parts


def test_the_export_tells_that_it_is_on_and_deletion_takes_it_along(services: ServiceContainer, maya: Student) -> None:
    services.connections.connect_without_account(maya.id, ID)

    with zipfile.ZipFile(io.BytesIO(export_archive(services, maya))) as archive:
        told = archive.read(next(name for name in archive.namelist() if "connections" in name)).decode()
    services.account_deletion.delete(maya.id)

    assert ID in told
    assert services.connections.all(maya.id) == {}
