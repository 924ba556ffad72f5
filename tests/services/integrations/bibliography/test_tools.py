from typing import Any

import pytest

from services.errors import ItemNotFound, RequestRefused, ServiceError
from services.integrations.bibliography import bibliography_entry
from services.safety.fetch import AddressRefused
from services.safety.seen_addresses import SeenAddresses
from services.tools.result import ToolResult
from tests.campus_server import CampusServer
from tests.web_calls import WebCalls


def cite(campus: CampusServer, path: str, **more: Any) -> ToolResult:
    calls = WebCalls(campus)
    return calls.run(bibliography_entry, url=f"{calls.web}/{path}", **more)


@pytest.mark.parametrize(("style", "name"), [("apa", "Raman, P. "), ("mla", "Raman, Priya. “Library opens")])
def test_an_entry_says_who_when_what_and_where(campus: CampusServer, style: str, name: str) -> None:
    result = cite(campus, "news/library-hours", style=style)

    heading, blank, entry = result.output.splitlines()
    assert heading.startswith(f"An {style.upper()} entry for “Library opens around the clock for finals”")
    assert blank == ""
    assert entry.startswith(name)
    assert result.data["missing"] == []
    assert result.data["site"] in entry
    assert [source.url for source in result.sources] == [f"{campus.url}/web/news/library-hours"]


def test_what_the_page_does_not_name_is_said_and_never_made_up(campus: CampusServer) -> None:
    result = cite(campus, "cafe/menu")

    assert result.data["missing"]
    assert "Note: the page does not name" in result.output


def test_only_known_addresses_are_opened(campus: CampusServer) -> None:
    with pytest.raises(AddressRefused):
        cite(campus, "news/library-hours", seen_addresses=SeenAddresses)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"fault": "status", "status": 404}, ItemNotFound),
        ({"fault": "status", "status": 503}, ServiceError),
        ({"fault": "truncate"}, ServiceError),
        ({"fault": "redirect_loop"}, ServiceError),
    ],
)
def test_each_failure_has_its_error(campus: CampusServer, fault: dict[str, Any], error: type[Exception]) -> None:
    campus.fault(service="web", times=0, **fault)

    with pytest.raises(error):
        cite(campus, "news/library-hours")


def test_what_is_no_page_is_refused(campus: CampusServer) -> None:
    with pytest.raises(RequestRefused):
        cite(campus, "feeds/campus-news.xml")
