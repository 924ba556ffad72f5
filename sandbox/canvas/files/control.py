"""Control of the campus's files and courses for tests: lock, hide, replace, remove, many files, a throttle."""

import base64
import json
import mimetypes
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.canvas.documents import source as documents
from sandbox.canvas.documents.source import LAYOUTS
from sandbox.canvas.files.course_of_many import row_of_many
from sandbox.canvas.school import Row, School, enrollment_id

MOST_FILES = 5_000
FIRST_UPLOAD = 9_900_000


class FileControl:
    """`POST /sandbox/canvas/control/files` and `…/courses`; both name a course and what to `do`."""

    def __init__(self, school: School) -> None:
        self._school = school
        self._state = school.campus.state

    def routes(self) -> list[BaseRoute]:
        """Relative to Canvas's base."""
        return [
            Route("/control/files", self.change_file, methods=["POST"]),
            Route("/control/courses", self.change_course, methods=["POST"]),
        ]

    async def change_file(self, request: Request) -> Response:
        """Change a file or page, named by its display name, title or slug."""
        return await self._changed(request, self._change_file)

    async def change_course(self, request: Request) -> Response:
        """Change what a course shows, who is in it, or how many requests Canvas takes."""
        return await self._changed(request, self._change_course)

    async def _changed(self, request: Request, change: Callable[[Row], Row]) -> Response:
        request.state.write = False
        try:
            return JSONResponse(change(dict(json.loads(await request.body()))))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            return JSONResponse({"error": f"{type(error).__name__}: {error}"}, 400)

    def _change_file(self, wish: Row) -> Row:
        kind, row = self._named(wish)
        now = self._now()
        match wish["do"]:
            case "lock" | "unlock":
                # A lock is no change of the content: Canvas leaves both dates as they are.
                row |= {"locked": wish["do"] == "lock", "unlock_at": None, "lock_at": None}
            case "hide" | "show":
                row["hidden"] = wish["do"] == "hide"
            case "publish" | "unpublish":
                row["unpublished"] = wish["do"] == "unpublish"
            case "only":
                row["only"] = wish["people"]
            case "rename":
                row |= {"name": wish["name"], "updated_at": now}
            case "edit":
                row |= {"source": documents.source(wish["source"]).key, "updated_at": now}
            case "replace":
                return self._replace(row, wish, now)
            case "remove":
                self._state.delete(kind, row["id"])
                return {"removed": row["id"]}
            case other:
                raise ValueError(f"no such thing to do: {other}")
        self._state.put(kind, row["id"], row)
        return row

    def _replace(self, row: Row, wish: Row, now: str) -> Row:
        """Upload another file under the same name: it gets a new id, and the old one leads to it, as in Canvas."""
        number = self._new_number()
        new = {**row, "id": number, "created_at": now, "updated_at": now, **self._content(wish, number, row["name"])}
        self._state.delete("canvas.files", row["id"])
        self._state.put("canvas.files", number, new)
        for earlier in self._state.all("canvas.replacements", by=row["id"]):
            self._state.put("canvas.replacements", earlier["id"], {**earlier, "by": number})
        self._state.put("canvas.replacements", row["id"], {"id": row["id"], "by": number})
        return new

    def _upload(self, wish: Row) -> Row:
        """Put any bytes among a course's files."""
        number, now = self._new_number(), self._now()
        module = self._module(wish)["id"] if "module" in wish else None
        row = row_of_many(self._course(wish)["id"], 1, module, now)
        facts = {"id": number, "name": wish["name"], "title": wish["name"], "folder": wish.get("folder", "")}
        row |= {**facts, **self._content(wish, number, wish["name"])}
        self._state.put("canvas.files", number, row)
        return row

    def _content(self, wish: Row, number: int, name: str) -> Row:
        """Where a row's bytes come from: `source` names a document, `content` is base64."""
        if "source" in wish:
            source = documents.source(wish["source"])
            return {"source": source.key, "type": LAYOUTS[source.kind]}
        content = base64.b64decode(wish["content"], validate=True)
        self._state.put("canvas.uploads", number, wish["content"])
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return {"source": None, "size": len(content), "type": kind}

    def _new_number(self) -> int:
        number: int = (self._state.get("sandbox.counters", "files") or FIRST_UPLOAD) + 1
        self._state.put("sandbox.counters", "files", number)
        return number

    def _change_course(self, wish: Row) -> Row:
        match wish["do"]:
            case "throttle":
                limits = {"limit": float(wish["limit"]), "per_second": float(wish["per_second"])}
                self._state.put("canvas.settings", "throttle", limits)
                return limits
            case "verifiers":
                self._state.put("canvas.settings", "verifiers", bool(wish["is_on"]))
                return {"is_on": bool(wish["is_on"])}
            case "hide_files" | "show_files":
                course = self._course(wish)
                course["hides_files"] = wish["do"] == "hide_files"
                self._state.put("canvas.courses", course["id"], course)
                return course
            case "lock_module" | "unlock_module":
                module = self._module(wish)
                module["is_locked"] = wish["do"] == "lock_module"
                module |= {} if module["is_locked"] else {"unlock_at": None, "prerequisites": []}
                self._state.put("canvas.modules", module["id"], module)
                return module
            case "upload":
                return self._upload(wish)
            case "many_files":
                return self._add_many(wish)
            case "drop_student":
                person = self._school.user_of(wish["person"])
                number = enrollment_id(self._course(wish)["id"], person["id"])
                return {"dropped": self._state.delete("canvas.enrollments", number)}
            case other:
                raise ValueError(f"no such thing to do: {other}")

    def _add_many(self, wish: Row) -> Row:
        course, count = self._course(wish), int(wish["count"])
        if not 0 < count <= MOST_FILES:
            raise ValueError(f"count must be 1 to {MOST_FILES}")
        module = self._module(wish)["id"] if "module" in wish else None
        with self._state.transaction():
            for number in range(1, count + 1):
                row = row_of_many(course["id"], number, module, self._now())
                self._state.put("canvas.files", row["id"], row)
        return {"files": count}

    def _named(self, wish: Row) -> tuple[str, Row]:
        course, name = self._course(wish), wish["file"]
        for kind in ("canvas.files", "canvas.pages", "canvas.links"):
            for row in self._state.all(kind, course_id=course["id"]):
                if name in (row.get("name"), row["title"], str(row["id"]), str(row["source"]).partition("/")[2]):
                    return kind, row
        raise KeyError(f"no such file: {name}")

    def _course(self, wish: Row) -> Row:
        course = self._school.course(wish["course"])
        if course is None:
            raise KeyError("no such course")
        return course

    def _module(self, wish: Row) -> Row:
        modules: list[Any] = self._school.modules(self._course(wish)["id"])
        return dict(next(module for module in modules if module["name"] == wish["module"]))

    def _now(self) -> str:
        return f"{self._school.campus.now():%Y-%m-%dT%H:%M:%SZ}"
