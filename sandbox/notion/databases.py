"""Making and changing databases (https://developers.notion.com/reference/database-create, …/update-a-database)."""

import uuid
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.campus import Campus
from sandbox.notion.access import Access, Call
from sandbox.notion.bodies import MOST_ITEMS, Body, Icon, OneOf, Parent, Runs
from sandbox.notion.errors import invalid
from sandbox.notion.ids import new_id, read_id
from sandbox.notion.properties import Json, new_option
from sandbox.notion.richtext import words_of
from sandbox.notion.workspace import Record

LONGEST_NAME = 100


class NewOption(Body):
    """An option of a new select property."""

    name: Annotated[str, Field(max_length=LONGEST_NAME)]
    color: str = "default"
    description: str | None = None


class Options(Body):
    """A select or multi-select property's options."""

    options: Annotated[list[NewOption], Field(max_length=MOST_ITEMS)] = []


class NumberFormat(Body):
    """How a number is written."""

    format: str = "number"


class PropertySchema(OneOf):
    """A property of a new data source. A status property cannot be made through the API."""

    title: Body | None = None
    rich_text: Body | None = None
    number: NumberFormat | None = None
    select: Options | None = None
    multi_select: Options | None = None
    date: Body | None = None
    checkbox: Body | None = None
    url: Body | None = None
    email: Body | None = None


class NewSource(Body):
    """The first data source of a new database."""

    properties: dict[str, PropertySchema]


class NewDatabase(Body):
    """POST /v1/databases"""

    parent: Parent
    title: Runs = []
    description: Runs = []
    is_inline: bool = False
    initial_data_source: NewSource
    icon: Icon | None = None
    cover: Icon | None = None


class DatabaseChange(Body):
    """PATCH /v1/databases/{id}"""

    title: Runs | None = None
    description: Runs | None = None
    is_inline: bool | None = None
    is_locked: bool | None = None
    in_trash: bool | None = None


class DatabaseMethods:
    """Answers databases.create and update."""

    def __init__(self, campus: Campus, access: Access) -> None:
        self._campus = campus
        self._access = access

    async def create(self, request: Request) -> Response:
        """POST /v1/databases: under a page, with its first data source."""
        call = self._access.admit(request)
        wish = await call.body(NewDatabase)
        with self._campus.state.transaction():
            parent = _parent(call, wish.parent)
            schema = _schema(wish.initial_data_source.properties)
            title = words_of(wish.title)
            source_id = new_id()
            record = {"id": new_id(), "parent": parent, "title": title, "source": source_id, "private": False}
            icon = {"type": "emoji", "emoji": wish.icon.emoji} if wish.icon and wish.icon.emoji else None
            database = call.workspace.add_database({**record, "icon": icon, "cover": None}, schema)
        return _answer(call.shapes.database(database))

    async def update(self, request: Request) -> Response:
        """PATCH /v1/databases/{id}: its title, or the trash and back."""
        call = self._access.admit(request)
        wish = await call.body(DatabaseChange)
        with self._campus.state.transaction():
            database = call.workspace.database(call.path_id("database_id"))
            if wish.in_trash is None or wish.in_trash == database["in_trash"]:
                call.workspace.check_editable(database)
            changed = dict(database)
            if wish.title is not None:
                changed["title"] = words_of(wish.title)
            if wish.in_trash is not None:
                changed["in_trash"] = wish.in_trash
            return _answer(call.shapes.database(call.workspace.save_database(changed)))


def _parent(call: Call, wish: Parent) -> Record:
    if wish.workspace:
        return {"type": "workspace", "workspace": True}
    if wish.page_id is None:
        raise invalid("body failed validation: body.parent.page_id should be defined, instead was `undefined`.")
    page = call.workspace.page(read_id(wish.page_id, "parent.page_id", where="body"))
    call.workspace.check_editable(page)
    return {"type": "page_id", "page_id": page["id"]}


def _schema(properties: dict[str, PropertySchema]) -> Json:
    titles = [name for name, wish in properties.items() if wish.kind == "title"]
    if len(titles) != 1:
        raise invalid("body failed validation: body.initial_data_source.properties should have exactly one title.")
    return {name: _spec(wish) for name, wish in properties.items()}


def _spec(wish: PropertySchema) -> Json:
    spec: Json = {"id": "title" if wish.kind == "title" else new_id()[:8], "type": wish.kind}
    given = getattr(wish, wish.kind)
    if isinstance(given, NumberFormat):
        spec["format"] = given.format
    if isinstance(given, Options):
        spec["options"] = [
            new_option(option.name, index) | ({} if option.color == "default" else {"color": option.color})
            for index, option in enumerate(given.options)
        ]
    return spec


def _answer(shape: dict[str, Any]) -> Response:
    return JSONResponse({**shape, "request_id": str(uuid.uuid4())})
