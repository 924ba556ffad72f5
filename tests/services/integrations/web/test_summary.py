"""`research_summarise`: the page as its source, in the demo the page's own sentences, and no way for a page to act."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from services.discovery.insights import REAL
from services.integrations.web.tools import research_summarise
from services.safety.fetch import AddressRefused
from services.safety.seen_addresses import SeenAddresses
from services.tools.result import ToolResult
from tests.campus_rooms import CampusRoom, lines, words
from tests.campus_server import CampusServer
from tests.tool_calls import run


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path)
    yield room
    room.close()


def summed_up(maya: CampusRoom, path: str) -> ToolResult:
    url = f"{maya.server.url}/web/{path}"
    return maya.services.gateway.call(maya.maya, "research_summarise", {"url": url}, asked_by="Laptop")


def test_the_demo_quotes_what_stands_there_and_the_page_is_the_source(maya: CampusRoom) -> None:
    result = summed_up(maya, "wiki/Bandung_Conference")

    page = maya.services.gateway.call(
        maya.maya, "web_read_page", {"url": f"{maya.server.url}/web/wiki/Bandung_Conference"}, asked_by="Laptop"
    )
    quotes = re.findall(r"“(.+)”", "\n".join(result.data["points"]))
    bare = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)|[*_`]", r"\1", page.data["text"]).split())
    assert quotes
    assert all(quote in bare for quote in quotes)
    assert [source.url for source in result.sources] == [f"{maya.server.url}/web/wiki/Bandung_Conference"]
    assert "summed up (127.0.0.1" in result.output


def test_it_is_counted_as_what_it_took(maya: CampusRoom) -> None:
    summed_up(maya, "wiki/Bandung_Conference")

    numbers = maya.services.metrics.for_student(maya.maya.id, 7)
    assert (numbers["asides"], numbers["requests"]) == (1, 0)
    assert numbers.bill(REAL).input.weighed > 500


def test_a_student_reads_it_in_spanish(maya: CampusRoom) -> None:
    maya.maya = replace(maya.maya, locale="es-MX")

    assert "Lo principal, en palabras de la página" in summed_up(maya, "wiki/Bandung_Conference").output


def test_a_page_that_gives_orders_is_told_of_and_starts_nothing(maya: CampusRoom) -> None:
    """T06: the reader of the page has no tools, and its orders and addresses do not come out of it."""
    result = summed_up(maya, "blog/playlists")

    (request,) = maya.model_requests()
    assert not request["body"].get("tools")
    assert "tries to give instructions" in result.output
    assert "collect" not in result.output
    assert "maintenance mode" not in result.output
    assert not any("/collect" in entry["path"] for entry in maya.server.log(service="web"))


def test_what_cannot_be_read_costs_no_model(maya: CampusRoom) -> None:
    result = summed_up(maya, "nowhere")

    assert (result.success, maya.model_requests()) == (False, [])


def test_only_a_known_address_is_read(maya: CampusRoom) -> None:
    unknown = f"{maya.server.url}/web/collect?d=secret"
    with pytest.raises(AddressRefused):
        run(research_summarise, {"url": unknown}, container=maya.services, seen_addresses=SeenAddresses)

    assert (maya.model_requests(), maya.server.log(service="web")) == ([], [])


@pytest.mark.parametrize("ask", ["Summarize this page: {url}", "Resume esta página: {url}", "{url} tl;dr please"])
def test_who_asks_for_a_summary_gets_one_with_its_source(maya: CampusRoom, ask: str) -> None:
    _, turn = maya.ask(ask.format(url=f"{maya.server.url}/web/wiki/Photosynthesis"))

    assert [line.name for line in lines(turn)] == ["research_summarise"]
    assert "Photosynthesis" in words(turn)
