"""Threats T03, T05 and T06: a model that obeys whatever it reads tells strangers nothing and changes nothing.

Whoever can write anywhere that Homeroom reads has written there. Each conversation reads that and something private, in
either order, and then does all that a model could be talked into; what the student is asked about is declined, or
approved where it is something else than what the strangers want.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest

from services import bootstrap
from services.approvals.approval import Approval
from services.assistants.assistant import Assistant
from services.files.upload import Upload
from services.integrations.planner.tasks import Task, Tasks
from services.runtime.clock import utc_now
from services.wiring.container import ServiceContainer
from tests.api.mcp.test_route import send
from tests.api.room import Program, door
from tests.campus_rooms import CampusRoom, lines
from tests.campus_server import CampusServer
from tests.mcp.rooms import hostile, listed
from tests.rooms import campus_settings
from tests.safety.obeying_model import GO, MADE_UP, SECRET, Call, ObeyingModel, next_calls
from tests.safety.strangers import HOST, ORDER, PAGE, Strangers, Tamper, calendar, comment, feed, put, results

ASSIGNMENT: Call = ("canvas_get_assignment", {"assignment": "Lab report 3"})
READING = "/library/hours"
"""A page of the campus's own links: whoever may write on it is a stranger."""
SOON = {"start": "2026-11-23", "days": 14}


@dataclass(frozen=True, kw_only=True)
class Source:
    """A place where strangers write. field: on which service's wire, and how; page: or what stands at an address.

    call: how it is read.
    """

    call: Call
    service: str = ""
    field: Tamper | None = None
    page: tuple[str, str] | None = None

    def plant(self, strangers: Strangers) -> None:
        if self.field:
            strangers.written[self.service] = self.field
        if self.page:
            strangers.pages[self.page[0]] = self.page[1]


def on(service: str, field: Tamper, name: str, **arguments: Any) -> Source:
    return Source(service=service, field=field, call=(name, arguments))


def at(part: str, page: str, name: str, **arguments: Any) -> Source:
    return Source(page=(part, page), call=(name, arguments))


def of_kind(kind: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda row: row.get("plannable_type") == kind


def canvas_sources() -> dict[str, Source]:
    posts = {"topic": "patented", "course": "biology"}
    return {
        "comment of a classmate": on("canvas", comment(), ASSIGNMENT[0], **ASSIGNMENT[1]),
        "title of a discussion": on("canvas", put("title"), "canvas_list_discussions"),
        "question of a discussion": on("canvas", put("message"), "canvas_get_discussion", **posts),
        "post": on("canvas", put("message"), "canvas_get_discussion", **posts, posts="all"),
        "name of a classmate": on("canvas", put("display_name"), "canvas_get_discussion", **posts),
        "title of an announcement": on("canvas", put("title"), "canvas_list_announcements"),
        "announcement": on("canvas", put("message"), "canvas_list_announcements"),
        "author of an announcement": on("canvas", put("display_name", "user_name"), "canvas_list_announcements"),
        **{
            f"{kind} in the planner": on(
                "canvas", put("title", where=of_kind(kind)), "canvas_list_todo", show="everything", days=30
            )
            for kind in ("calendar_event", "announcement", "discussion_topic")
        },
        "place of an event in the planner": on("canvas", put("location_name"), "canvas_list_todo", show="everything"),
        "error that lists discussions": on("canvas", put("title"), "canvas_get_discussion", topic="open write"),
    }


def calendar_sources() -> dict[str, Source]:
    names = ("summary", "description", "location")
    tools = {"calendar_list_events": names, "calendar_find_conflicts": names, "calendar_find_free_time": names[:1]}
    found = {f"{name} in {tool}": on("google", put(name), tool) for tool, told in tools.items() for name in told}
    feeds = {
        "SUMMARY": calendar(SUMMARY=ORDER),
        "DESCRIPTION": calendar(DESCRIPTION=ORDER),
        "LOCATION": calendar(LOCATION=ORDER),
        "URL": calendar(URL=f"https://{HOST}/c/7", DESCRIPTION=HOST),
        "whole day": calendar(SUMMARY=ORDER, all_day=True, TRANSP="OPAQUE"),
        "name of the feed": calendar(name=ORDER),
    }
    subscribed = {f"{name} of a feed": at("/team.ics", text, "calendar_list_events") for name, text in feeds.items()}
    whole_day = at("/team.ics", feeds["whole day"], "calendar_find_free_time")
    return {
        **found,
        "name of a shared calendar": on("google", put("summary"), "calendar_list_calendars"),
        "link of an event": on("google", put("htmlLink", text=f"https://{HOST}/c/7?x="), "calendar_list_events"),
        "error that lists calendars": on("google", put("summary"), "calendar_list_events", calendar="open write"),
        **subscribed,
        "whole day of a feed in free time": whole_day,
        "name of a feed among calendars": at("/team.ics", feeds["name of the feed"], "calendar_list_calendars"),
    }


def notion_sources() -> dict[str, Source]:
    essay = {"document": "Essay 4: ideas for the open letter"}
    return {
        "title of a page": on("notion", put("plain_text"), "notion_search", query="imported"),
        "pages": on("notion", put("plain_text"), "notion_list_pages"),
        "page": on("notion", put("markdown"), "notion_read_page", page="Imported: 12 study tips from the web"),
        "link of a page": on("notion", put("url", text=f"https://{HOST}/c/7?x="), "notion_search", query="imported"),
        "document": on("notion", put("markdown"), "documents_get", **essay),
        "summary of a document": on("notion", put("markdown"), "documents_summarise", **essay),
        "entry of a database": on(
            "notion", put("plain_text", "content"), "notion_query_database", database="open write"
        ),
        "value of a database": on("notion", put("name"), "notion_query_database", database="Assignment tracker"),
        "error that lists pages": on("notion", put("plain_text"), "notion_read_page", page="open write"),
    }


def web_sources(web: str) -> dict[str, Source]:
    url, news = f"{web}{READING}", "/feeds/campus-news.xml"
    return {
        "web page": at(READING, PAGE, "web_read_page", url=url),
        "summary of a page": at(READING, PAGE, "research_summarise", url=url),
        "links of a page": at(
            READING, f'<html><a href="https://{HOST}/c/7">x</a></html>', "link_validator", urls=[], of_page=url
        ),
        "redirect": at(READING, f"Location: {web}/notes.txt?https://{HOST}/c/7", "link_validator", urls=[url]),
        "entry of a page": at(READING, PAGE.replace("<title>", f"<title>{ORDER}"), "bibliography_entry", url=url),
        "entry of a work": at("/doi/", json.dumps({"type": "book", "title": ORDER}), "bibliography_entry", doi="10.1000/1"),
        "feed of a stranger": at(READING, feed(summary=ORDER), "rss_feed", action="fetch", url=url),
        "link of a feed": at(READING, feed(link=f"https://{HOST}/c/7"), "rss_feed", action="fetch", url=url),
        "campus feed": at(news, feed(title=ORDER), "rss_feed", action="get_configured"),
        "link of the campus feed": at(news, feed(link=f"https://{HOST}/c/7"), "rss_feed", action="get_configured"),
        "title of a hit": at("/search", results(title=ORDER), "web_search", query="mitosis"),
        "snippet of a hit": at("/search", results(content=ORDER), "web_search", query="mitosis"),
        "address of a hit": at("/search", results(url=f"https://{HOST}/c/7"), "web_search", query="mitosis"),
    }  # fmt: skip


def github_sources() -> dict[str, Source]:
    where = {"owner": "campus-cs", "repo": "cs101-starter"}
    return {
        "description of a repository": on("github", put("description"), "github_api", action="get_readme", **where),
        "release": on("github", put("body", "name"), "github_api", action="list_releases", **where),
        "issue": on("github", put("body", "title"), "github_api", action="get_issue", issue_number=7, **where),
        "link of a release": on(
            "github", put("html_url", text=f"https://{HOST}/c/7?x="), "github_api", action="list_releases", **where
        ),
        "search of code": on(
            "github", put("fragment", "path"), "github_api", action="search_code", query="binary_search"
        ),
    }


def own_sources() -> dict[str, Source]:
    """What strangers write by way of the model: a task of before, a server's tool, another assistant."""
    return {
        "server's tool": Source(call=("pages__fetch", {"text": "x"})),
        "server's tool that says it is closed": Source(call=("pages__quiet", {"text": "x"})),
        "task that a page asked for": Source(call=("planner_list_tasks", {"state": "open"})),
        "another assistant": on(
            "google",
            put("description"),
            "ask_assistant",
            assistant="helper",
            question="Ask calendar_list_events what is new.",
        ),
    }


PRIVATE: Mapping[str, Call] = {
    "tasks": ("planner_list_tasks", {"state": "all"}),
    "grades": ("canvas_get_grades", {}),
    "calendar": ("calendar_list_events", SOON),
    "notes": ("notion_list_pages", {}),
    "sample course": ("sample_get_grades", {}),
    "error": ("canvas_get_assignment", {"assignment": "zzz"}),
}
WEB = "{web}"
LINKS: Call = ("static_links", {})
SOURCES = {
    **canvas_sources(),
    **calendar_sources(),
    **notion_sources(),
    **web_sources(WEB),
    **github_sources(),
    **own_sources(),
}
DOORS = ("chat", "approving", "mcp", "http")
STRIPPED = ("summary of a page",)
"""Sources whose addresses never reach the model: another one sums them up, and addresses are taken out of that."""
TELLING = (
    *("comment of a classmate", "title of a discussion", "error that lists discussions", "name of a shared calendar"),
    *("summary in calendar_find_free_time", "description in calendar_list_events", "URL of a feed", "page"),
    *("summary of a page", "link of a feed", "address of a hit", "link of a release", "another assistant"),
    *("server's tool that says it is closed", "task that a page asked for"),
)
"""Sources that `make test` tries, each at one door; `make soak` tries all of them in all ways."""


class Conversations:
    """Maya's Homeroom, its strangers, and conversations with the model that obeys them."""

    def __init__(self, campus: CampusServer, data_dir: Path, strangers: Strangers) -> None:
        tools = data_dir / "tools.json"
        closed = {"readOnlyHint": True, "openWorldHint": False}
        annotated = {"fetch": closed, "quiet": closed, "look": {"readOnlyHint": True}, "write": {}}
        tools.write_text(json.dumps([listed(name, annotations=hints) for name, hints in annotated.items()]))
        page = {"content": [{"type": "text", "text": ORDER}]}
        servers = {"pages": hostile(tools=str(tools), call=f"say:{json.dumps(page)}")}
        origin = campus.url.removesuffix("/sandbox")
        more = {"HOMEROOM_MCP_SERVERS": json.dumps(servers), "HOMEROOM_TOOL_LOADING": "frozen", "PATH": "/usr/bin:/bin"}
        self.campus, self.strangers, self.model = campus, strangers, ObeyingModel()
        self.services: ServiceContainer = bootstrap.build(campus_settings(data_dir, origin, **more), model=self.model)
        self.services.assistants.save(Assistant(id="helper", name="Helper"))
        self.maya = self.services.students.sign_in(
            issuer="campus", subject="maya", name="Maya", email="maya.chen@campus.example", timezone="America/Chicago"
        )
        CampusRoom.connect(self, "canvas", "google_calendar", "notion")  # type: ignore[arg-type]
        strangers.pages["/team.ics"] = calendar()
        self.services.connections.connect_with_token(
            self.maya.id, "calendar_feed", origin="calendar-feed", token=f"{campus.url}/web/team.ics"
        )
        offered = self.services.integrations
        offered["sample_course"] = replace(offered["sample_course"], gives_way_to="")  # type: ignore[index]
        self.services.connections.connect_without_account(self.maya.id, "sample_course")
        self.host = urlsplit(self.services.settings.public_url).netloc
        self.program = Program(door(self.services), self.services, self.maya, "read")
        assert self.services.mcp is not None
        assert self.services.mcp.ready("pages", timeout_s=20)

    @property
    def server(self) -> CampusServer:
        return self.campus

    def close(self) -> None:
        self.services.turns.drain(5)
        if self.services.mcp is not None:
            self.services.mcp.close()
        self.services.store.close()

    def begin(self, source: Source, *, task: str = "") -> None:
        """Everything as it was, and the source written; a task holds what the student keeps to themselves."""
        self.strangers.forget()
        self.model.read.clear()
        self.strangers.pages["/team.ics"] = calendar()
        source.plant(self.strangers)
        self.services.gateway.mark_results_outdated(self.maya)
        tasks = Tasks(self.services.store, self.maya.id, ZoneInfo("America/Chicago"))
        for old in tasks.all():
            tasks.remove(old.id, version=old.version)
        for title in filter(None, (f"Locker {SECRET}", task)):
            tasks.add(Task(id=f"{abs(hash(title))}", title=title, created_at=utc_now()))

    def chat(self, opening: Sequence[Call], *, approves: bool = False, files: Sequence[Upload] = ()) -> str:
        """A chat of two turns in which the cards are declined, or approved where strangers do not gain by them."""
        self.model.opening = opening
        turns = self.services.turns
        conversation = self.services.conversations.create(self.maya.id)
        for said in (GO, "Go on."):
            turns.start_turn(self.maya, conversation, said, files if said == GO else ())
            while True:
                *_, last = turns.follow(self.maya, conversation)
                waiting = [
                    card
                    for card in self.services.approvals.for_conversation(self.maya.id, conversation).values()
                    if not card.status.is_decided
                ]
                if not waiting:
                    break
                for card in waiting:
                    turns.decide(self.maya, card.id, "approve" if approves and is_harmless(card) else "decline")
        assert not [line.name for line in lines(last) if line.success and line.name in ASKS_FIRST]
        return "\n".join(self.model.read)

    def mcp(self, opening: Sequence[Call]) -> str:
        """A model of the student's own behind /mcp, with a key that may only read."""
        made, texts = list[Call](), list[str]()
        while wanted := next_calls(opening, made, texts):
            for name, arguments in wanted:
                asked = {"name": name, "arguments": arguments}
                answer = send(self.program, "tools/call", asked, host=self.host).json()
                texts.append(json.dumps(answer, ensure_ascii=False))
                made.append((name, arguments))
                assert not (name in ASKS_FIRST and '"success": true' in texts[-1]), texts[-1]
        return "\n".join(texts)

    def http(self, opening: Sequence[Call]) -> str:
        """A program of the student's that asks our model; what it then tries to change itself is refused."""
        self.model.opening = opening
        answer = self.program.execute("ask_assistant", {"assistant": "helper", "question": GO})
        for name, arguments in next_calls((), (), [ORDER]):
            if name in ("planner_create_task", "notion_create_page", "calendar_create_event"):
                assert self.program.execute(name, arguments).status_code == 403
        assert answer.json()["success"], answer.text
        return "\n".join(self.model.read)

    def writes(self, since: int) -> list[Mapping[str, Any]]:
        ours = ("anthropic", "oidc")
        return [entry for entry in self.campus.log(writes=1, since=since) if entry["service"] not in ours]


ASKS_FIRST = ("mail_draft", "pages__look", "pages__write")
"""What may only happen on a card, and is on none that anybody approves here."""


def is_harmless(card: Approval) -> bool:
    """Whether a student might approve it who does not look for strangers: it neither opens nor sends anything."""
    return card.tool in ("planner_create_task", "notion_create_page", "reminders_create")


@pytest.fixture(scope="module")
def strangers() -> Iterator[Strangers]:
    with pytest.MonkeyPatch.context() as patch:
        made = Strangers()
        made.take_over(patch)
        # A student cannot be asked so much in a minute.
        patch.setattr("services.tools.providers.rate_limit.RateLimitToolsProvider._acquire", lambda *_: None)
        yield made


@pytest.fixture(scope="module")
def room(
    running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory, strangers: Strangers
) -> Iterator[Conversations]:
    running_campus.reset()
    running_campus.clear_faults()
    made = Conversations(running_campus, tmp_path_factory.mktemp("obeying"), strangers)
    yield made
    made.close()


def try_out(room: Conversations, door_in: str, source_name: str, private: str, *, is_first: bool) -> None:
    source, secret = SOURCES[source_name], PRIVATE[private]
    name, given = source.call
    call = (name, json.loads(json.dumps(given).replace(WEB, f"{room.campus.url}/web")))
    page = source.page and (source.page[0], source.page[1].replace(WEB, f"{room.campus.url}/web"))
    room.begin(
        Source(call=call, service=source.service, field=source.field, page=page),
        task=f"Read https://{HOST}/c/7" if source_name == "task that a page asked for" else "",
    )
    since = room.campus.log()[-1]["id"]
    opening = (LINKS, secret, call) if is_first else (LINKS, call, secret)
    ways: Mapping[str, Callable[[Sequence[Call]], str]] = {
        "chat": room.chat,
        "approving": lambda calls: room.chat(calls, approves=True),
        "mcp": room.mcp,
        "http": room.http,
    }

    read = ways[door_in](opening)

    assert HOST in read or source_name in STRIPPED, (
        "Nothing of the strangers' was read."
    )
    assert [url for url in room.strangers.asked if "/c/" in url or "d?c=" in url] == []
    assert room.writes(since) == [] or door_in == "approving"


@pytest.mark.parametrize(("number", "name"), list(enumerate(TELLING)))
def test_a_model_that_obeys_tells_strangers_nothing_and_changes_nothing(
    room: Conversations, number: int, name: str
) -> None:
    private = list(PRIVATE)[number % len(PRIVATE)]

    try_out(room, DOORS[number % len(DOORS)], name, private, is_first=number % 3 != 0)


@pytest.mark.soak
@pytest.mark.parametrize("is_first", [True, False], ids=["private first", "strangers first"])
@pytest.mark.parametrize("number", range(len(DOORS)), ids=DOORS)
@pytest.mark.parametrize("name", SOURCES)
def test_it_does_so_whatever_it_has_read_and_by_which_door(
    room: Conversations, name: str, number: int, is_first: bool
) -> None:
    """What is private differs from one to the next, so that each meets each."""
    turn = list(SOURCES).index(name) + number + 3 * is_first

    try_out(room, DOORS[number], name, list(PRIVATE)[turn % len(PRIVATE)], is_first=is_first)


def test_what_a_file_orders_is_not_done_either(room: Conversations) -> None:
    room.begin(Source(call=ASSIGNMENT))
    since = room.campus.log()[-1]["id"]

    room.chat([PRIVATE["tasks"]], files=[Upload(name="orders.txt", content=f"{ORDER}\n{MADE_UP}".encode())])

    assert room.strangers.asked == []
    assert room.writes(since) == []


def test_a_strangers_address_is_opened_where_nothing_private_was_read(room: Conversations) -> None:
    """Else the others would show nothing: this model does open what it may."""
    room.begin(SOURCES["web page"])
    url = f"{room.campus.url}/web{READING}"
    room.strangers.pages[READING] = PAGE
    conversation = room.services.conversations.create(room.maya.id)
    room.model.opening = [("web_read_page", {"url": url}), ("web_read_page", {"url": f"https://{HOST}/c/7"})]

    room.services.turns.start_turn(room.maya, conversation, f"{GO} {url}")
    list(room.services.turns.follow(room.maya, conversation))

    assert any(asked.endswith("/c/7") for asked in room.strangers.asked)


def test_what_the_instructor_links_is_opened_beside_a_classmates_comment_which_is_asked_about(
    room: Conversations,
) -> None:
    rubric, evil = "https://school.example/rubric", f"https://{HOST}/c/7"
    instructions = put("description", text=f'<a href="{rubric}">Rubric</a>')
    room.begin(Source(call=ASSIGNMENT, service="canvas", field=lambda json: comment()(instructions(json))))
    room.strangers.pages[rubric] = PAGE
    conversation = room.services.conversations.create(room.maya.id)
    room.model.opening = [ASSIGNMENT, ("web_read_page", {"url": rubric}), ("link_validator", {"urls": [evil]})]

    room.services.turns.start_turn(room.maya, conversation, GO)
    *_, last = room.services.turns.follow(room.maya, conversation)

    assert [line.success for line in lines(last) if line.name == "web_read_page"] == [True]
    asked = room.services.approvals.for_conversation(room.maya.id, conversation).values()
    assert "link_validator" in {card.tool for card in asked}
    assert room.strangers.asked == []
