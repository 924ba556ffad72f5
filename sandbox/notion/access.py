"""Who is calling the Notion API, in which version, and with what body."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from sandbox.campus import Campus, acting_as
from sandbox.grants import Grants
from sandbox.notion.bodies import MOST_ITEMS, BodyT, read_body
from sandbox.notion.errors import invalid, refused
from sandbox.notion.ids import read_id
from sandbox.notion.shapes import Shapes
from sandbox.notion.workspace import Record, Workspace

VERSION = "2025-09-03"


@dataclass(frozen=True, kw_only=True)
class Call:
    """An admitted request in one person's workspace."""

    request: Request
    workspace: Workspace
    shapes: Shapes

    def path_id(self, name: str) -> str:
        """An id named in the path; raises Refused (400)."""
        return read_id(self.request.path_params[name], name)

    async def body(self, model: type[BodyT]) -> BodyT:
        """The JSON body; raises Refused (400)."""
        return read_body(model, await self.json())

    async def json(self) -> Any:
        """The JSON body as it came; an empty one counts as {}; raises Refused (400)."""
        return read_json(await self.request.body())

    def page_size(self) -> int:
        """`page_size` of the query; raises Refused (400)."""
        text = self.request.query_params.get("page_size", str(MOST_ITEMS))
        if not text.isdigit() or not 1 <= int(text) <= MOST_ITEMS:
            raise invalid(
                f"query failed validation: query.page_size should be a number from 1 to 100, instead was `{text}`."
            )
        return int(text)


class Access:
    """Admits requests by bearer token and Notion-Version."""

    def __init__(self, campus: Campus, grants: Grants) -> None:
        self._campus = campus
        self._grants = grants

    def admit(self, request: Request, *, query: Sequence[str] = (), write: bool | None = None) -> Call:
        """The call, whose query may have only these parameters; raises Refused (401, 400)."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        grant = self._grants.holder(token.strip()) if kind.lower() == "bearer" else None
        if grant is None:
            raise refused(401, "unauthorized", "API token is invalid.")
        acting_as(request, grant["person"], write=write)
        _check_version(request)
        for name in request.query_params:
            if name.removesuffix("[]") not in query:
                raise invalid(f"query failed validation: query.{name} should be not present.")
        workspace = Workspace(self._campus, grant["person"])
        return Call(request=request, workspace=workspace, shapes=Shapes(self._campus, workspace))


def read_json(text: bytes) -> Any:
    """The JSON of a body; raises Refused (400 invalid_json)."""
    try:
        return json.loads(text or b"{}")
    except ValueError:
        raise refused(400, "invalid_json", "Error parsing JSON body.") from None


def one_page(records: list[Record], cursor: str | None, size: int) -> tuple[list[Record], str | None]:
    """The records from the cursor on, and the cursor of those that follow; raises Refused (400)."""
    first = 0
    if cursor is not None:
        ids = [record["id"] for record in records]
        if cursor not in ids:
            raise invalid(f"The start_cursor provided is invalid: {cursor}")
        first = ids.index(cursor)
    rest = records[first + size :]
    return records[first : first + size], rest[0]["id"] if rest else None


def _check_version(request: Request) -> None:
    version = request.headers.get("notion-version")
    if version is None:
        message = (
            "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`."
        )
        raise refused(400, "missing_version", message)
    if version != VERSION:
        raise invalid(f'Notion-Version header failed validation: should be `"{VERSION}"`, instead was `"{version}"`.')
