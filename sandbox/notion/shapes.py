"""Objects of the Notion API as it writes them."""

import re
import uuid
from typing import Any

from sandbox.campus import Campus
from sandbox.notion.properties import TITLE_ONLY, schema_shape, value_shape
from sandbox.notion.richtext import plain_runs
from sandbox.notion.workspace import Record, Workspace

Json = dict[str, Any]
UPLOAD_LIMIT = 5_242_880


class Shapes:
    """Writes the objects of one workspace."""

    def __init__(self, campus: Campus, workspace: Workspace) -> None:
        self._campus = campus
        self._workspace = workspace

    def page(self, record: Record) -> Json:
        """A page."""
        return {
            "object": "page",
            **self.history(record),
            "cover": record["cover"],
            "icon": record["icon"],
            "parent": record["parent"],
            "is_archived": False,
            "is_locked": record.get("is_locked", False),
            "properties": self.properties(record),
            "url": page_url(self._campus, record),
            "public_url": None,
        }

    def properties(self, record: Record) -> Json:
        """A page's properties: its title, or all that its data source has."""
        schema = self._workspace.source(record["parent"]["data_source_id"])["schema"] if is_row(record) else TITLE_ONLY
        values = record["values"] | {name: record["title"] for name, spec in schema.items() if spec["type"] == "title"}
        return {name: value_shape(spec, values.get(name)) for name, spec in schema.items()}

    def database(self, record: Record) -> Json:
        """A database, which lists its data sources."""
        source = self._workspace.source(record["source"])
        head = {key: value for key, value in self.history(record).items() if not key.endswith("_by")}
        return {
            "object": "database",
            **head,
            **self._table(record),
            "parent": record["parent"],
            "is_locked": False,
            "data_sources": [{"id": source["id"], "name": source["title"]}],
        }

    def source(self, record: Record) -> Json:
        """A data source: the schema of a database's rows."""
        database = self._workspace.database(record["database"])
        return {
            "object": "data_source",
            **self.history(database),
            **self._table(database),
            "id": record["id"],
            "title": plain_runs(record["title"]),
            "parent": {"type": "database_id", "database_id": database["id"]},
            "database_parent": database["parent"],
            "properties": {name: schema_shape(name, spec) for name, spec in record["schema"].items()},
        }

    def history(self, record: Record) -> Json:
        """Who made and changed it, and when."""
        return {
            "id": record["id"],
            "created_time": to_the_minute(record["created_time"]),
            "last_edited_time": to_the_minute(record["last_edited_time"]),
            "created_by": {"object": "user", "id": record["created_by"]},
            "last_edited_by": {"object": "user", "id": record["last_edited_by"]},
            "archived": record["in_trash"],
            "in_trash": record["in_trash"],
        }

    def owner(self) -> Json:
        """The person whose workspace this is."""
        person = self._campus.people[self._workspace.person_id]
        return {
            "object": "user",
            "id": self._workspace.user_id,
            "name": person.name,
            "avatar_url": None,
            "type": "person",
            "person": {"email": person.email, "email_verified": True},
        }

    def bot(self) -> Json:
        """The integration itself."""
        return {
            "object": "user",
            "id": self._workspace.bot_id,
            "name": "Homeroom",
            "avatar_url": None,
            "type": "bot",
            "bot": {
                "owner": {"type": "user", "user": self.owner()},
                "workspace_id": self._workspace.id,
                "workspace_name": self._workspace.name,
                "workspace_limits": {"max_file_upload_size_in_bytes": UPLOAD_LIMIT},
            },
        }

    def _table(self, record: Record) -> Json:
        return {
            "title": plain_runs(record["title"]),
            "description": [],
            "is_inline": False,
            "icon": record["icon"],
            "cover": record["cover"],
            "url": page_url(self._campus, record),
            "public_url": None,
        }


def to_the_minute(stamp: str) -> str:
    """A time as the API gives it: rounded down, of pages, databases and blocks alike.

    https://developers.notion.com/changelog/last-edited-time-is-now-rounded-to-the-nearest-minute
    """
    return f"{stamp[:16]}:00.000Z"


def is_row(record: Record) -> bool:
    """Whether a page is a row of a data source."""
    return record["parent"]["type"] == "data_source_id"


def page_url(campus: Campus, record: Record) -> str:
    """The web address of a page or database."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", record["title"]).strip("-")
    name = f"{slug}-{record['id'].replace('-', '')}".lstrip("-")
    return f"{campus.origin}/notion/{name}"


def list_shape(kind: str, results: list[Json], next_cursor: str | None) -> Json:
    """One page of a list."""
    return {
        "object": "list",
        "results": results,
        "next_cursor": next_cursor,
        "has_more": next_cursor is not None,
        "type": kind,
        kind: {},
        "request_id": str(uuid.uuid4()),
    }
