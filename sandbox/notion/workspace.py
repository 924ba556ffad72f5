"""Pages, databases and data sources of everyone on the campus, and what is shared with the integration."""

from datetime import datetime, timedelta
from typing import Any

from sandbox.campus import Campus
from sandbox.notion.content import blocks_of, carried_ids
from sandbox.notion.errors import invalid, not_found
from sandbox.notion.ids import may_hold, seeded_id

PAGES, DATABASES, SOURCES = "notion.pages", "notion.databases", "notion.sources"
Record = dict[str, Any]


class Workspace:
    """One person's workspace, as the integration that they connected may see it.

    A page record: id, person, parent ({"type", <type>: id}), title, icon, cover, markdown, values (of a row), private,
    in_trash, created_time, last_edited_time (to the millisecond, which orders them; the API shows minutes), block_ids
    (of its content, once that was changed). A database: the same without markdown and values, and `source`, its only
    data source. A data source: id, person, database, title, schema ({name: {"id", "type", "options"?}}).
    `created_by` and `last_edited_by` are the id of the owner, or of the integration for what came through the API.
    """

    def __init__(self, campus: Campus, person_id: str) -> None:
        self._campus = campus
        self._state = campus.state
        self.person_id = person_id

    @property
    def id(self) -> str:
        """The workspace's id."""
        return seeded_id(self.person_id, "workspace")

    @property
    def name(self) -> str:
        """What its owner called it."""
        return f"{self._campus.people[self.person_id].first_name}'s notebook"

    @property
    def user_id(self) -> str:
        """Its owner's id in Notion."""
        return seeded_id(self.person_id, "user")

    @property
    def bot_id(self) -> str:
        """The integration's id in this workspace."""
        return seeded_id(self.person_id, "bot")

    def page(self, page_id: str, *, what: str = "page") -> Record:
        """The page; raises Refused (404) when there is none or it is not shared."""
        return self._shared(PAGES, page_id, what)

    def database(self, database_id: str) -> Record:
        """The database; raises Refused (404)."""
        return self._shared(DATABASES, database_id, "database")

    def source(self, source_id: str) -> Record:
        """The data source; raises Refused (404)."""
        record = self._own(SOURCES, source_id)
        if record is None or not self.sees(self._own(DATABASES, record["database"])):
            raise not_found("data source", source_id)
        return record

    def pages(self) -> list[Record]:
        """Every shared page, rows of databases included, in order of creation."""
        return [record for record in self._all(PAGES) if self.sees(record)]

    def sources(self) -> list[Record]:
        """Every shared data source."""
        return [record for record in self._all(SOURCES) if self.sees(self._own(DATABASES, record["database"]))]

    def rows(self, source_id: str) -> list[Record]:
        """The pages of a data source, in order of creation."""
        return [record for record in self._all(PAGES) if record["parent"].get("data_source_id") == source_id]

    def children(self, page_id: str) -> list[tuple[str, Record]]:
        """("page" or "database", record) of what lies directly in the page, shared or not, without the trash."""
        found = [("page", record) for record in self._all(PAGES)] + [
            ("database", record) for record in self._all(DATABASES)
        ]
        return [
            (kind, record)
            for kind, record in found
            if record["parent"].get("page_id") == page_id and not record["in_trash"]
        ]

    def page_of_block(self, block: str) -> Record:
        """The shared page that holds a content block; raises Refused (404)."""
        for record in self.pages():
            if may_hold(record["id"], block):
                return record
        raise not_found("block", block)

    def sees(self, record: Record | None) -> bool:
        """Whether the integration may see it: neither it nor anything above it is private."""
        while record is not None:
            if record["private"]:
                return False
            if record["parent"]["type"] == "workspace":
                return True
            record = self._above(record["parent"])
        return False

    def is_trashed(self, record: Record | None) -> bool:
        """Whether it or anything above it lies in the trash."""
        while record is not None and not record["in_trash"]:
            record = None if record["parent"]["type"] == "workspace" else self._above(record["parent"])
        return record is not None

    def check_editable(self, record: Record) -> None:
        """Raise Refused (400) for something in the trash."""
        if self.is_trashed(record):
            raise invalid("Can't edit block that is archived. You must unarchive the block before editing.")

    def add(self, page: Record) -> Record:
        """Store a new page."""
        now = self._stamp(self._campus.now())
        times = {"created_time": now, "last_edited_time": now}
        authors = {"created_by": self.bot_id, "last_edited_by": self.bot_id}
        page = {**page, **times, **authors, "person": self.person_id, "in_trash": False}
        self._state.put(PAGES, page["id"], page)
        return page

    def save(self, page: Record, *, by: str | None = None) -> Record:
        """Store the page as changed now, by the integration or another user; the time of the last edit always grows."""
        earlier = datetime.fromisoformat(page["last_edited_time"]) + timedelta(milliseconds=1)
        stamp = self._stamp(max(self._campus.now(), earlier))
        stored = self._own(PAGES, page["id"])
        if stored and page["markdown"] != stored["markdown"] and page.get("block_ids") == stored.get("block_ids"):
            page = {**page, "block_ids": carried_ids(blocks_of(stored), page["markdown"], page["id"])}
        page = {**page, "last_edited_time": stamp, "last_edited_by": by or self.bot_id}
        self._state.put(PAGES, page["id"], page)
        return page

    def add_database(self, database: Record, schema: dict[str, Any]) -> Record:
        """Store a new database and its only data source, which has this schema."""
        now = self._stamp(self._campus.now())
        history = {"created_time": now, "last_edited_time": now}
        authors = {"created_by": self.bot_id, "last_edited_by": self.bot_id}
        database = {**database, **history, **authors, "person": self.person_id, "in_trash": False}
        source = {"id": database["source"], "person": self.person_id, "database": database["id"], "schema": schema}
        self._state.put(DATABASES, database["id"], database)
        self._state.put(SOURCES, source["id"], {**source, "title": database["title"]})
        return database

    def save_database(self, database: Record) -> Record:
        """Store the database as changed now; its data source has the same title."""
        earlier = datetime.fromisoformat(database["last_edited_time"]) + timedelta(milliseconds=1)
        database = {**database, "last_edited_time": self._stamp(max(self._campus.now(), earlier))}
        self._state.put(DATABASES, database["id"], database)
        source = self._state.get(SOURCES, database["source"])
        self._state.put(SOURCES, database["source"], {**source, "title": database["title"]})
        return database

    def learn_option(self, source: Record, name: str, option: Record) -> None:
        """Add an option that a row brought to a select or multi-select property."""
        source["schema"][name]["options"].append(option)
        self._state.put(SOURCES, source["id"], source)

    def _shared(self, kind: str, object_id: str, what: str) -> Record:
        record = self._own(kind, object_id)
        if record is None or not self.sees(record):
            raise not_found(what, object_id)
        return record

    def _above(self, parent: Record) -> Record | None:
        if parent["type"] == "page_id":
            return self._own(PAGES, parent["page_id"])
        return self._own(DATABASES, parent["database_id"])

    def _own(self, kind: str, object_id: str) -> Record | None:
        record: Record | None = self._state.get(kind, object_id)
        return record if record and record["person"] == self.person_id else None

    def _all(self, kind: str) -> list[Record]:
        return self._state.all(kind, person=self.person_id)

    @staticmethod
    def _stamp(moment: datetime) -> str:
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
