"""Rows of any shape: a listing that holds together, or an error that is told, never a crash (R23)."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from services.connections.connector import Grant
from services.errors import ServiceError
from services.integrations.canvas.client import Item, Reader, Result
from services.integrations.canvas.fields import MATERIALS
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.listing_caches import SingleFiles
from services.integrations.canvas.materials.listings import list_course
from services.integrations.canvas.materials.rights import readable_ids
from services.integrations.canvas.payloads import Json
from services.runtime.total_timeout import TotalTimeoutAdapter
from services.safety.field_log import read_fields
from tests.services.integrations.canvas.materials.scripted_canvas import HASTY

ROUNDS = 40
SOAK_ROUNDS = 4_000
ORIGIN = "https://canvas.example"
NUMBERS: list[Any] = [None, True, False, 0, -1, 1, 7, 7.5, 1e308, 10**30, "7", "٣", "0007", "-7"]
TEXTS = [
    "",
    "x",
    "..",
    "../..",
    "\ud800",
    "a" * 5_000,
    "2126-01-01",
    "0000-00-00T00:00:00Z",
    "9999-12-31T23:59:59-23:59",
]
ADDRESSES = ["https://[bad", "http://x\x00/", "<a href='/files/7'>x</a>", "/courses/101/files/7?preview=9"]
SHAPES: list[Any] = [
    *([], ["x"], [[]], [None], {}, {"id": None}, {"a": {}}, {"can_view": True}, {"id": 7, "type": "File"}),
    *([{"type": "File", "content_id": 7}], [{"id": 1, "type": "Page", "page_url": "p"}]),
]
ODD = [*NUMBERS, *TEXTS, *ADDRESSES, *SHAPES]
FIELDS = [
    "id",
    "page_id",
    "url",
    "title",
    "name",
    "display_name",
    "filename",
    "content-type",
    "size",
    "updated_at",
    "modified_at",
    "uuid",
    "folder_id",
    "body",
    "items",
    "locked_for_user",
    "lock_info",
    "lock_explanation",
    "unlock_at",
    "locked",
    "published",
    "workflow_state",
    "hide_from_students",
    "description",
    "message",
    "syllabus_body",
    "submission_types",
    "quiz_id",
    "html_url",
    "posted_at",
    "author",
    "attachments",
    "assignment_id",
    "is_announcement",
    "state",
    "type",
    "content_id",
    "page_url",
    "external_url",
    "content_details",
    "full_name",
    "teachers",
    "delayed_post_at",
]
LINKS = "<a href='/courses/101/files/9'>x</a> <a href=\"https://docs.google.com/document/d/1234567890ab/edit\">d</a>"
ROWS: list[Json] = [
    {"id": 7, "display_name": "a.pdf", "url": f"{ORIGIN}/files/7", "size": 3},
    {"page_id": 3, "url": "p", "title": "P", "body": LINKS},
    {"id": 11, "name": "A", "description": "x", "submission_types": ["online_upload"]},
    {"id": 21, "title": "T", "message": "m", "attachments": [{"id": 10}]},
    {
        "id": 1,
        "name": "M",
        "state": "unlocked",
        "items": [
            {"id": 5, "type": "File", "content_id": 7},
            {"id": 6, "type": "Page", "page_url": "q"},
            {"id": 8, "type": "ExternalUrl", "external_url": "https://x.example/"},
            {"id": 9, "type": "ExternalUrl", "external_url": "/courses/101/files/7"},
        ],
    },
    {"id": 9, "full_name": "course files/x"},
]


class OddClient(MaterialsClient):
    """Answers every list and object with rows of any kind, some of whose fields are something else."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(Grant(origin=ORIGIN, access_token="t"), timeouts=HASTY, adapter=TotalTimeoutAdapter())
        self._chance = chance

    def map_each(self, items: Sequence[Item], read: Callable[[Item], Result]) -> list[Result]:
        return [read(item) for item in items]

    def _rows(self, endpoint: str, *, read: Reader | None = None, **parameters: Any) -> list[Json]:
        return [self._object(endpoint) for _ in range(self._chance.randint(0, 5))]

    def _object(self, endpoint: str, *, read: Reader | None = None, **parameters: Any) -> Json:
        row = self._odd(self._chance.choice(ROWS))
        if isinstance(row.get("items"), list):
            row["items"] = [self._odd(item) if isinstance(item, dict) else item for item in row["items"]]
        fields: Json = read_fields(row, MATERIALS)
        return fields

    def _odd(self, row: Json) -> Json:
        changed = dict(row)
        for _ in range(self._chance.randint(0, 4)):
            changed[self._chance.choice(FIELDS)] = self._chance.choice(ODD)
        return changed


def look(seed: int) -> None:
    """List and check a course of odd rows."""
    client, now = OddClient(random.Random(seed)), datetime.now(UTC)
    try:
        listed = list_course(client, 101, now, SingleFiles())
    except ServiceError:
        return
    materials = listed.listing.materials
    ids = [material.id for material in materials]

    assert len({*ids}) == len(ids)
    assert [material.position for material in materials] == list(range(len(ids)))
    assert not {material.id for material in materials if material.locked} & {*listed.texts}
    for material in materials:
        assert 0 < len(material.title) <= 200
        assert not set("/\\\x00") & set(material.name)
        assert "\n" not in material.title + material.name + material.module + material.locked
        "".join((material.title, material.name, material.module, material.url, material.locked)).encode()
    assert readable_ids(client, materials, now) <= {*ids}


def test_odd_rows_make_no_odd_listing() -> None:
    for seed in range(ROUNDS):
        look(seed)


@pytest.mark.soak
def test_many_odd_rows_make_no_odd_listing() -> None:
    for seed in range(SOAK_ROUNDS):
        look(seed)
