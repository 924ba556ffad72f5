"""The sample course as a connection: one click begins it, one ends it, and it is never missing."""

import io
import zipfile
from pathlib import Path

import pytest

from services import bootstrap
from services.agent.prompts import PromptBuilder
from services.container import ServiceContainer
from services.errors import RequestRefused
from services.integrations.sample_course.access import ID
from services.privacy.export import export
from services.students import Student
from services.tools.resolution import resolve
from tests.fakes import FakeDocuments
from tests.rooms import demo_settings


@pytest.fixture
def services(tmp_path: Path) -> ServiceContainer:
    return bootstrap.build(demo_settings(tmp_path), engine=FakeDocuments())


@pytest.fixture
def maya(services: ServiceContainer) -> Student:
    return services.students.sign_in(issuer="campus", subject="maya", name="Maya", email="maya@campus.example")


def names(services: ServiceContainer, student: Student) -> set[str]:
    offers = services.door.offers(student.id)
    return {one.tool.name for one in offers if one.reason is None and one.tool.name.startswith("sample_")}


def test_its_tools_are_there_only_while_it_is_on(services: ServiceContainer, maya: Student) -> None:
    before = names(services, maya)
    services.connections.begin(maya.id, ID)
    during = names(services, maya)
    ended = services.connections.disconnect(maya.id, ID)

    assert (before, len(during), names(services, maya), ended) == (set(), 5, set(), True)


def test_beginning_twice_leaves_its_dates_as_they_are(services: ServiceContainer, maya: Student) -> None:
    first = services.connections.begin(maya.id, ID)
    second = services.connections.begin(maya.id, ID)

    assert (first.connected_at, first.version) == (second.connected_at, second.version)


def test_nobody_gets_into_a_real_account_that_way(services: ServiceContainer, maya: Student) -> None:
    with pytest.raises(RequestRefused):
        services.connections.begin(maya.id, "canvas")


def test_who_does_not_try_it_is_not_told_that_it_is_missing(services: ServiceContainer, maya: Student) -> None:
    resolution = resolve({}, services.integrations, services.root_tools.tools())

    parts = {part.key for part in PromptBuilder().parts(maya, resolution)}

    assert "missing.canvas" in parts
    assert f"missing.{ID}" not in parts


def test_the_export_tells_that_it_is_on_and_deletion_takes_it_along(services: ServiceContainer, maya: Student) -> None:
    services.connections.begin(maya.id, ID)

    with zipfile.ZipFile(io.BytesIO(export(services, maya))) as archive:
        told = archive.read(next(name for name in archive.namelist() if "connections" in name)).decode()
    services.departures.delete(maya.id)

    assert ID in told
    assert services.connections.all(maya.id) == {}
