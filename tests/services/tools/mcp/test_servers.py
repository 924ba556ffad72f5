"""HOMEROOM_MCP_SERVERS: a wrong one names itself and the remedy; what may be secret is not shown."""

import json
from typing import Any

import pytest

from services.errors import SettingsError
from services.settings.mcp_servers import McpServer, parse


def read(servers: Any, **options: Any) -> dict[str, McpServer]:
    text = servers if isinstance(servers, str) else json.dumps(servers)
    return parse(text, base={"PATH": "/bin"}, **options)


def test_no_servers_is_no_mistake() -> None:
    assert read("") == {}
    assert read({}) == {}


def test_a_command_gets_a_small_environment_and_what_the_operator_adds() -> None:
    (server,) = read({"files": {"command": ["server", "/srv"], "env": {"KEY": "canary"}, "cwd": "/srv"}}).values()

    assert server.command == ("server", "/srv")
    assert dict(server.env) == {"PATH": "/bin", "KEY": "canary"}
    assert server.contexts == ("files",)
    assert server.label == "Files"


def test_a_word_is_for_the_whole_server_or_for_the_tool_that_it_names() -> None:
    contexts = {"get_issue": ["Jira", "tickets"], "create_note": ["notes"]}
    work = {"command": ["x"], "contexts": contexts, "effect": "read", "told": {"*": "others", "get_issue": "school"}}
    (server,) = read({"work": work}).values()

    assert [server.contexts_of(tool) for tool in ("get_issue", "create_note", "look")] == [
        ("jira", "tickets"),
        ("notes",),
        ("work",),
    ]
    assert server.effects == {"*": "read"}
    assert [server.told_of(tool) for tool in ("get_issue", "look")] == ["school", "others"]
    assert read({"work": {"command": ["x"], "contexts": {"*": ["jira"]}}})["work"].contexts == ("jira",)


def test_what_may_be_secret_is_not_shown() -> None:
    stdio = {"command": ["server", "--key=canary"], "env": {"KEY": "canary"}}
    http = {"url": "https://mcp.example.edu/mcp?key=canary", "headers": {"Authorization": "canary"}}

    assert "canary" not in repr(read({"a": stdio, "b": http}))


@pytest.mark.parametrize(
    ("servers", "problem"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        ({"Files!": {"command": ["x"]}}, "names a server 'Files!'"),
        ({"a__b": {"command": ["x"]}}, "names a server"),
        ({"files": ["x"]}, "files is not a JSON object"),
        ({"files": {}}, "either a command or a url"),
        ({"files": {"command": ["x"], "url": "https://a.example"}}, "either a command or a url"),
        ({"files": {"command": "x -y"}}, "command is not a list of texts"),
        ({"files": {"command": []}}, "command is empty"),
        ({"files": {"command": ["x\0y"]}}, "command is not a list of texts"),
        ({"files": {"command": ["x"], "env": {"A": 1}}}, "env is not an object of texts"),
        ({"files": {"command": ["x"], "cwd": 1}}, "cwd is not a text"),
        ({"files": {"command": ["x"], "headers": {}}}, "headers belong to a url"),
        ({"files": {"command": ["x"], "colour": "red"}}, "unknown field 'colour'"),
        ({"files": {"command": ["x"], "effect": {"a": "maybe"}}}, "effect takes read, write, outbound"),
        (
            {"files": {"command": ["x"], "told": {"a": "maybe"}}},
            "told takes student, school, service, others, operator",
        ),
        ({"files": {"command": ["x"], "effect": "maybe"}}, "effect takes read, write, outbound"),
        ({"files": {"command": ["x"], "contexts": "a"}}, "contexts is not a list of texts"),
        ({"files": {"command": ["x"], "contexts": {"a": "b"}}}, "contexts is not a list of texts"),
        ({"web": {"url": "ftp://a.example"}}, "not an http"),
        ({"web": {"url": "https://me:pw@a.example"}}, "credentials into headers"),
        ({"web": {"url": "http://a.example/mcp"}}, "plain http"),
        ({"web": {"url": "https://a.example", "env": {}}}, "env and cwd belong to a command"),
    ],
)
def test_a_wrong_setting_says_what_is_wrong_and_what_to_do(servers: Any, problem: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read(servers)

    assert str(caught.value).startswith("HOMEROOM_MCP_SERVERS: ")
    assert problem in str(caught.value)
    assert "Set a JSON object" in caught.value.next_step


@pytest.mark.parametrize("url", ["http://localhost:9/mcp", "http://127.0.0.1:9/mcp", "http://[::1]:9/mcp"])
def test_plain_http_is_for_this_machine(url: str) -> None:
    assert read({"web": {"url": url}})["web"].url == url


def test_plain_http_is_for_origins_that_the_operator_allows() -> None:
    servers = read({"web": {"url": "http://library.campus/mcp"}}, plain_http={"http://library.campus"})

    assert servers["web"].url == "http://library.campus/mcp"
