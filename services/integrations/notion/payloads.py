"""JSON of Notion's pages and databases as a `NotionPage`, and how one is referred to, listed and returned."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n.english import moment
from services.integrations.kit.name_matcher import best_matches
from services.integrations.kit.payloads import parse_id, parse_text, parse_time, payload_guard
from services.integrations.notion.errors import LABEL
from services.safety.text import one_line

Json = dict[str, Any]

ID = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class NotionPage:
    """Page or database. id: for a database, that of its data source (API 2025-09-03). edited_at: to the minute."""

    id: str
    title: str
    url: str
    edited_at: datetime
    is_database: bool
    in_trash: bool
    json: Json = field(repr=False)

    @property
    def created_at(self) -> datetime:
        with payload_guard(LABEL):
            return parse_time(self.json["created_time"])

    @property
    def url_id(self) -> str:
        """Id at the end of its address, without dashes: for a database, that of the database itself."""
        own = self.json["parent"]["database_id"] if self.is_database else self.id
        return str(own).replace("-", "")

    @property
    def parent_url_id(self) -> str | None:
        """`url_id` of its parent page, if it has one."""
        parent: Json = self.json.get("database_parent", {}) if self.is_database else self.json["parent"]
        id = parent.get("page_id") or parent.get("database_id")
        return str(id).replace("-", "") if id else None

    @property
    def is_at_the_top(self) -> bool:
        """Whether it stands in no other page, but right in the workspace."""
        return bool(self.json["parent"]["type"] == "workspace")

    @property
    def is_entry(self) -> bool:
        """Whether it is an entry of a database."""
        return self.json["parent"]["type"] in ("data_source_id", "database_id") and not self.is_database

    @property
    def is_first_version(self) -> bool:
        """Whether nobody but its author has changed it, as far as its own record says."""
        return bool(self.json.get("created_by") == self.json.get("last_edited_by"))

    @property
    def kind(self) -> str:
        return "database" if self.is_database else "page"


@payload_guard(LABEL)
def read_page(json: Json) -> NotionPage:
    """Read the JSON of a page or a data source; raises `AnswerUnreadable`."""
    is_database = json["object"] == "data_source"
    parts = [json.get("parent", {}), *json.get("properties", {}).values()]
    if not all(isinstance(part, dict) for part in parts):
        raise TypeError("no parts")
    return NotionPage(
        id=parse_id(json["id"]),
        title=one_line(plain_text(json.get("title", [])) if is_database else title_in(json)) or "Untitled",
        url=parse_text(json.get("url")),
        edited_at=parse_time(json["last_edited_time"]),
        is_database=is_database,
        in_trash=bool(json.get("in_trash") or json.get("archived")),
        json=json,
    )


def id_in_reference(reference: str) -> str | None:
    """Id in "a1b2…", "a1b2-…" or an address that ends with an id; None for anything else, such as a title."""
    text = reference.strip()
    if ID.fullmatch(text):
        return text
    ids = ID.findall(text.split("?")[0].split("#")[0]) if text.startswith(("http://", "https://")) else []
    return ids[-1] if ids else None


def matching_pages(pages: list[NotionPage], title: str) -> list[NotionPage]:
    """Pages that the title means, exactly this one before those with all its words.

    Notion's search also finds similar titles, and a similar page is no place to write into.
    """
    return best_matches(pages, title, lambda page: (page.title,))


def page_line(page: NotionPage, zone: ZoneInfo, *, parent: str = "") -> str:
    """List line of a page. parent: title of what it stands in, where that is known."""
    kind = f"{page.kind} in “{parent}”" if parent else page.kind
    return f"- **{page.title}** — {kind} — {page_facts(page, zone)}"


def page_facts(page: NotionPage, zone: ZoneInfo | None = None) -> str:
    """Line under a heading that names a page: its link and id; with a zone also when it was last edited."""
    edited = [f"last edited {moment(page.edited_at, zone)}"] if zone else []
    link = [f"[open]({page.url})"] if page.url else []
    return f"{' — '.join([*edited, *link])} (id: {page.id})".strip()


def page_data(page: NotionPage) -> Json:
    """Plain JSON of a page for a tool's `data`."""
    return {
        "id": page.id,
        "title": page.title,
        "kind": page.kind,
        "last_edited": page.edited_at.isoformat(),
        "url": page.url,
    }


def plain_text(rich_text: list[Json]) -> str:
    """Text of Notion's rich text, without styles."""
    return "".join(parse_text(part.get("plain_text")) for part in rich_text)


def title_in(json: Json) -> str:
    """Whole title in a page's JSON."""
    titles = (value["title"] for value in json.get("properties", {}).values() if value.get("type") == "title")
    return plain_text(next(titles, []))
