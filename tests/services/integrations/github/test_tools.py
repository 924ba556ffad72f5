import re
import time
from collections.abc import Iterator

import pytest

from services.errors import BadArguments, ItemNotFound, RequestRefused, ServiceUnavailable, Throttled
from services.integrations.github import client
from tests.campus_server import CampusServer
from tests.services.integrations.github.conftest import Call, caller
from tests.services.safety.fetch.raw_server import RawServer

STARTER = {"owner": "campus-cs", "repo": "cs101-starter"}
ACTIONS = [
    {"action": "get_file", **STARTER, "path": "ps/ps2.py"},
    {"action": "get_readme", **STARTER},
    {"action": "list_releases", **STARTER},
    {"action": "get_issue", **STARTER, "issue_number": 7},
    {"action": "search_code", "query": "binary_search"},
]
each_action = pytest.mark.parametrize("arguments", ACTIONS, ids=lambda arguments: arguments["action"])


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little patience, for a service that stays down."""
    monkeypatch.setattr(client, "CALL_S", 1.0)
    monkeypatch.setattr(client, "REQUEST_S", 1)
    client._shared.cache_clear()


def test_a_file_comes_with_its_text_its_address_and_the_time(ask: Call) -> None:
    result = ask(action="get_file", **STARTER, path="ps/ps2.py")

    assert re.match(r"campus-cs/cs101-starter/ps/ps2.py, \d lines \(GitHub, as of \d+:\d\d [AP]M\)\.", result.output)
    assert "def binary_search(items, wanted):" in result.output
    assert [source.url.endswith("/blob/main/ps/ps2.py") for source in result.sources] == [True]


def test_a_folder_lists_what_is_in_it(ask: Call) -> None:
    assert "- ps/" in ask(action="get_file", **STARTER).output.splitlines()
    assert "- ps/ps2.py" in ask(action="get_file", **STARTER, path="/ps/").output.splitlines()


def test_a_fence_in_a_file_cannot_end_the_one_around_it(ask: Call) -> None:
    output = ask(action="get_readme", owner="open-garden", repo="plotleaf").output

    assert output.count("````") == 2
    assert output.splitlines()[0] == "Small charts from small tables."


def test_releases_come_newest_first_with_their_day_and_what_they_are(ask: Call) -> None:
    result = ask(action="list_releases", owner="open-garden", repo="plotleaf")

    assert result.output.startswith("2 releases of open-garden/plotleaf")
    assert "**1.5.0 release candidate** (pre-release) — v1.5.0rc1" in result.output
    assert [release["tag_name"] for release in result.data["releases"]] == ["v1.4.0", "v1.5.0rc1"]


def test_an_issue_comes_with_its_discussion_and_a_pull_request_is_called_one(ask: Call) -> None:
    issue = ask(action="get_issue", **STARTER, issue_number=7).output

    assert issue.startswith("Issue #7 of campus-cs/cs101-starter: “ps2: is an empty list allowed?”, closed")
    assert "Yes: return -1." in issue
    assert ask(action="get_issue", **STARTER, issue_number=9).output.startswith("Pull request #9")


def test_a_search_shows_the_lines_that_match_and_can_stay_in_one_repository(ask: Call) -> None:
    everywhere = ask(action="search_code", query="binary_search language:python")
    within = ask(action="search_code", query="line", repo="open-garden/plotleaf")

    assert "def binary_search(items, wanted):" in everywhere.output
    assert {item["repository"] for item in within.data["items"]} == {"open-garden/plotleaf"}


def test_what_is_private_stays_private_although_the_token_sees_it(ask: Call, campus: CampusServer) -> None:
    seen = campus.http.get(f"{campus.url}/github/repos/campus-cs/cs101-solutions").json()
    assert seen["private"] is True

    for arguments in ACTIONS[:4]:
        with pytest.raises(ItemNotFound, match="in public"):
            ask(**arguments | {"repo": "cs101-solutions"})
    assert "solutions" not in str(ask(action="search_code", query="binary_search"))


@pytest.mark.parametrize("repo", ["campus-cs/cs101-starter", "https://github.com/campus-cs/cs101-starter.git"])
def test_a_repository_may_be_named_whole(ask: Call, repo: str) -> None:
    assert "CS 101 starter code" in ask(action="get_readme", repo=repo).output


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"action": "get_readme"}, "repo"),
        ({"action": "get_readme", "repo": "cs101-starter"}, "repo"),
        ({"action": "get_readme", "owner": "..", "repo": ".."}, "repo"),
        ({"action": "get_readme", "owner": "a b", "repo": "c"}, "repo"),
        ({"action": "get_file", **STARTER, "path": "../../../user"}, "path"),
        ({"action": "get_issue", **STARTER}, "issue_number"),
        ({"action": "search_code"}, "query"),
        ({"action": "delete_repo", **STARTER}, "action"),
    ],
)
def test_arguments_that_do_not_fit_say_which_one(ask: Call, arguments: dict[str, object], field: str) -> None:
    with pytest.raises(BadArguments) as caught:
        ask(**arguments)

    assert caught.value.field == field


@pytest.mark.parametrize("change", [{"repo": "nothing"}, {"path": "nothing.py"}, {"ref": "nothing"}])
def test_what_is_not_there_is_not_found(ask: Call, change: dict[str, str]) -> None:
    with pytest.raises(ItemNotFound):
        ask(**ACTIONS[0] | change)


@each_action
def test_a_short_trouble_is_waited_out(ask: Call, campus: CampusServer, arguments: dict[str, object]) -> None:
    campus.fault(service="github", fault="status", status=502, times=1)

    assert ask(**arguments).success


@each_action
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"fault": "status", "status": 503}, ServiceUnavailable),
        ({"fault": "html"}, ServiceUnavailable),
        ({"fault": "truncate"}, ServiceUnavailable),
        ({"fault": "redirect_loop"}, ServiceUnavailable),
        ({"fault": "status", "status": 429, "headers": {"retry-after": "60"}}, Throttled),
        ({"fault": "status", "status": 403, "body": {"message": "API rate limit exceeded for user."}}, Throttled),
        ({"fault": "status", "status": 404}, ItemNotFound),
        ({"fault": "status", "status": 422}, RequestRefused),
    ],
    ids=lambda value: value["fault"] + str(value.get("status", "")) if isinstance(value, dict) else "",
)
def test_each_failure_has_its_error(
    ask: Call,
    hasty: None,
    campus: CampusServer,
    arguments: dict[str, object],
    fault: dict[str, object],
    error: type[Exception],
) -> None:
    campus.fault(service="github", times=0, **fault)

    with pytest.raises(error):
        ask(**arguments)


@each_action
@pytest.mark.parametrize(
    "body",
    [
        {},
        [1, None],
        {"items": [{}], "total_count": None},
        {"title": {}, "path": 7, "content": [], "encoding": "base64"},
    ],
    ids=["empty", "list", "half", "other kinds"],
)
def test_an_answer_of_another_shape_is_the_services_trouble(
    ask: Call, hasty: None, campus: CampusServer, arguments: dict[str, object], body: object
) -> None:
    is_search = arguments["action"] == "search_code"
    campus.fault(service="github", fault="status", status=200, body=body, times=0, skip=0 if is_search else 1)

    with pytest.raises((ServiceUnavailable, BadArguments)):
        ask(**arguments)


def test_a_redirect_to_another_host_is_not_followed_with_the_token(ask: Call, campus: CampusServer) -> None:
    elsewhere = {"location": "http://127.0.0.3:1/steal"}
    campus.fault(service="github", fault="status", status=301, headers=elsewhere, times=0)

    with pytest.raises(ServiceUnavailable, match="another address"):
        ask(**ACTIONS[1])


def test_a_pause_that_github_wants_is_kept_by_all_calls_with_the_token(ask: Call, campus: CampusServer) -> None:
    """Searches have a limit of their own, so files can still be read."""
    campus.fault(service="github", fault="status", status=429, headers={"retry-after": "60"}, times=1)
    with pytest.raises(Throttled):
        ask(**ACTIONS[4])
    asked = len(campus.log(service="github"))

    with pytest.raises(Throttled, match=r"try again in [56]\d seconds"):
        ask(**ACTIONS[4])

    assert len(campus.log(service="github")) == asked
    assert ask(**ACTIONS[0]).success


def test_a_limit_that_is_used_up_is_waited_for_until_it_begins_anew() -> None:
    used_up = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 600)}

    assert 590 < (client._throttled(used_up).retry_after_s or 0) <= 600


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n", b"HTTP/1.1 200 OK\r\nx-slow: "])
def test_an_answer_that_drips_is_given_up(hasty: None, head: bytes) -> None:
    """Each piece comes in time, the whole never would: in its body, or before."""

    def drip(_: bytes) -> Iterator[bytes]:
        yield head
        while not server.release.wait(0.1):
            yield b" "

    with RawServer(drip) as server:
        github = client.github_of({"TOKEN": "t", "API_BASE_URL": server.origin})
        began = time.monotonic()
        with pytest.raises(ServiceUnavailable, match="in time"):
            github.repository("campus-cs", "cs101-starter")

    assert time.monotonic() - began < 4


def test_a_service_that_hangs_is_given_up(ask: Call, hasty: None, campus: CampusServer) -> None:
    campus.fault(service="github", fault="hang", times=0)

    with pytest.raises(ServiceUnavailable, match="in time"):
        ask(**ACTIONS[1])


def test_a_wrong_token_is_the_operators_business_and_is_never_shown(campus: CampusServer) -> None:
    with pytest.raises(RequestRefused, match="no longer accepts") as caught:
        caller(campus, "wrong-canary")(**ACTIONS[0])

    assert "canary" not in str(caught.value) + caught.value.next_step
