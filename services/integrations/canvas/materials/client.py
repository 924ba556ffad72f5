"""`MaterialsClient`: the requests for a course's files, pages, texts and modules, and downloads of files."""

from collections.abc import Iterable
from dataclasses import replace

from requests.adapters import HTTPAdapter

from services.errors import ItemNotFound, PermissionMissing
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.errors import AnswerTooLong
from services.integrations.canvas.fields import MATERIALS
from services.integrations.canvas.materials.download import FILE_LIMIT_BYTES, Download, DownloadSession
from services.integrations.canvas.payloads import Json, is_id
from services.integrations.canvas.transport import GuardedAdapter, joined_address
from services.safety.fetch import SafeFetch
from services.safety.field_log import read_fields


class MaterialsClient(CanvasClient):
    """Client for one operation on materials. Course ids and others are whole numbers."""

    def course_text(self, course_id: int) -> Json:
        """Read a course with its syllabus as HTML and its teachers."""
        return self._object(f"courses/{course_id}", read=_read, include=["syllabus_body", "teachers"])

    def course_modules(self, course_id: int) -> list[Json]:
        """List the modules with all their items, also where Canvas left these out of the list."""
        include = ["items", "content_details"]
        rows = self._rows(f"courses/{course_id}/modules", read=_read, include=include)
        many = [row for row in rows if not isinstance(row.get("items"), list) and is_id(row.get("id"))]
        items = self.map_each(many, lambda row: self._items(course_id, row))
        found = {id(row): own for row, own in zip(many, items, strict=True)}
        return [{**row, "items": found[id(row)]} if id(row) in found else row for row in rows]

    def module_states(self, course_id: int) -> list[Json]:
        """List the modules without their items."""
        return self._rows(f"courses/{course_id}/modules", read=_read)

    def _items(self, course_id: int, module: Json) -> list[Json]:
        """Items of a module; none of one that is closed by now, so that it does not take the others with it."""
        path = f"courses/{course_id}/modules/{int(module['id'])}/items"
        try:
            return self._rows(path, read=_read, include=["content_details"])
        except (PermissionMissing, ItemNotFound):
            return []

    def files(self, course_id: int) -> list[Json]:
        """List the files that the student may see; refused where the course hides its Files.

        https://developerdocs.instructure.com/services/canvas/resources/files
        """
        return self._rows(f"courses/{course_id}/files", read=_read)

    def file(self, course_id: int, file_id: int) -> Json:
        """Read what Canvas says of a file; it answers where the list is hidden, too."""
        return self._object(f"courses/{course_id}/files/{file_id}", read=_read)

    def folders(self, course_id: int) -> list[Json]:
        """List the folders of a course."""
        return self._rows(f"courses/{course_id}/folders", read=_read)

    def pages(self, course_id: int) -> list[Json]:
        """List the pages, with their texts where this Canvas gives them in a list.

        https://developerdocs.instructure.com/services/canvas/resources/pages
        """
        try:
            return self._rows(f"courses/{course_id}/pages", read=_read, include=["body"])
        except AnswerTooLong:
            return self.page_rows(course_id)

    def page_rows(self, course_id: int) -> list[Json]:
        """List the pages without their texts."""
        return self._rows(f"courses/{course_id}/pages", read=_read)

    def page(self, course_id: int, url_or_id: str) -> Json:
        """Read a page by its url or, as "page_id:7", its id."""
        return self._object(f"courses/{course_id}/pages/{url_or_id}", read=_read, has="url")

    def assignment_texts(
        self, course_id: int, ids: Iterable[int] = (), *, with_submissions: bool = False
    ) -> list[Json]:
        """List the assignments, or these, without submissions unless the student's own are wanted."""
        wanted: Json = {"assignment_ids": list(ids)} if ids else {}
        if with_submissions:
            wanted["include"] = ["submission"]
        return self._rows(f"courses/{course_id}/assignments", read=_read, **wanted)

    def assignment_text(self, course_id: int, assignment_id: int) -> Json:
        """Read an assignment without the submission."""
        return self._object(f"courses/{course_id}/assignments/{assignment_id}", read=_read)

    def topics(self, course_id: int, *, are_announcements: bool = False) -> list[Json]:
        """List the discussion topics, or all announcements."""
        which = {"only_announcements": True} if are_announcements else {}
        return self._rows(f"courses/{course_id}/discussion_topics", read=_read, **which)

    def topic(self, course_id: int, topic_id: int) -> Json:
        """Read a discussion topic or announcement without the posts."""
        return self._object(f"courses/{course_id}/discussion_topics/{topic_id}", read=_read)

    def download(self, url: str, fetch: SafeFetch) -> Download:
        """Download a file by the address that Canvas gave. fetch: opens what is not at the student's own Canvas."""
        adapter: HTTPAdapter = self._adapter
        timeouts = self._timeouts
        if isinstance(adapter, GuardedAdapter):
            # The guard has one limit of time for an answer, where other adapters have one for each piece of it.
            adapter, timeouts = adapter.with_limit(FILE_LIMIT_BYTES), replace(timeouts, read_s=timeouts.total_s)
        session = DownloadSession(self._grant.origin, timeouts=timeouts, adapter=adapter, backoff=self._grant.backoff)
        with session:
            return session.download(joined_address(f"{self.origin}/", url), self._grant.access_token, fetch)


def _read(json: Json, origin: str) -> Json:
    fields: Json = read_fields(json, MATERIALS, origin)
    return fields
