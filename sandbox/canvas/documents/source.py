"""Sources of documents: `materials/<course>/<slug>.md`, a head of TOML between lines of +++ and a body of Markdown."""

import hashlib
import re
import tomllib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from sandbox.canvas.documents.blocks import Leaf
from sandbox.canvas.documents.markdown import leaves

MATERIALS = Path(__file__).parents[1] / "materials"
SIZES = Path(__file__).parent / "sizes.json"
"""Digest and bytes of every file: `python -m sandbox.canvas.documents --sizes` writes it."""
DATA = Path(__file__).parents[1] / "data"
LAYOUTS = {
    "pdf": "application/pdf",
    "scan": "application/pdf",
    "encrypted": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "html": "text/html",
    "md": "text/markdown",
    "txt": "text/plain",
    "csv": "text/csv",
    "png": "image/png",
    "login": "application/pdf",
    "zip": "application/zip",
    "mp4": "video/mp4",
}
"""Kinds that are files of Canvas, each with the content type that Canvas tells."""
UNFILED = ("page", "gdoc", "gslides", "link")
KEYS = frozenset(
    (
        *("title", "kind", "file", "module", "order", "folder", "author", "subtitle", "language", "url"),
        *(
            "day",
            "time",
            "changed",
            "unlocks",
            "locks",
            "locked",
            "hidden",
            "unpublished",
            "only",
            "shared",
            "attached",
        ),
        *("style", "front", "toc", "columns", "password", "megabytes"),
    )
)
FIRST_ID = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Source:
    """A document's source. course: stem of its data file; head: as in its TOML."""

    course: str
    slug: str
    head: Mapping[str, Any]
    body: str = field(repr=False)

    @property
    def key(self) -> str:
        """Its name in the whole campus, such as "biol201/lecture-06-membranes"."""
        return f"{self.course}/{self.slug}"

    @property
    def number(self) -> int:
        """Its id in Canvas: made of its name, so that a new source moves no other."""
        return FIRST_ID + zlib.crc32(self.key.encode()) % 8_000_000

    @property
    def kind(self) -> str:
        kind: str = self.head["kind"]
        return kind

    @property
    def title(self) -> str:
        title: str = self.head["title"]
        return title

    @property
    def style(self) -> str:
        """Of a PDF: slides, notes, handout or book."""
        style: str = self.head.get("style", "notes")
        return style

    @property
    def is_slides(self) -> bool:
        """Whether three hyphens begin a slide."""
        return self.kind in ("pptx", "gslides") or (
            self.kind in ("pdf", "scan", "encrypted") and self.style == "slides"
        )

    @property
    def subtitle(self) -> str:
        """What stands under the title and at the foot of a page."""
        facts = course_facts(self.course)
        written: str = self.head.get("subtitle", f"{facts['code']} · {facts['name']}")
        return written

    @property
    def author(self) -> str:
        author: str = self.head.get("author") or course_facts(self.course)["teacher_name"]
        return author

    @property
    def leaves(self) -> Sequence[Leaf]:
        return leaves(self.body, is_slides=self.is_slides)

    @cached_property
    def digest(self) -> str:
        """A mark of the whole source: another text, another mark."""
        return hashlib.sha256(f"{dict(sorted(self.head.items()))}{self.body}".encode()).hexdigest()[:20]


@cache
def course_facts(course: str) -> Mapping[str, str]:
    """Code, name and teacher of a course, from its data file."""
    facts = tomllib.loads((DATA / f"{course}.toml").read_text(encoding="utf-8"))
    people = tomllib.loads((DATA / "people.toml").read_text(encoding="utf-8"))
    teacher = people["teachers"][facts["teacher"]]["name"]
    return {"code": facts["code"], "name": facts["name"], "teacher_name": teacher}


@cache
def sources(course: str) -> Mapping[str, Source]:
    """A course's sources by slug, in the order of their names; none for a course without a folder."""
    paths = sorted((MATERIALS / course).glob("*.md"))
    return {path.stem: _read(path) for path in paths}


def source(key: str) -> Source:
    """A source by its name; raises `KeyError`."""
    course, _, slug = key.partition("/")
    return sources(course)[slug]


def all_sources() -> list[Source]:
    """Every source of the campus."""
    folders = sorted(path.name for path in MATERIALS.iterdir() if path.is_dir())
    return [found for course in folders for found in sources(course).values()]


def _read(path: Path) -> Source:
    parts = re.split(r"^\+\+\+[ \t]*$", path.read_text(encoding="utf-8"), maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0].strip():
        raise ValueError(f"{path.parent.name}/{path.name}: the head must stand between two lines of +++")
    head = tomllib.loads(parts[1])
    problems = [f"unknown: {key}" for key in head.keys() - KEYS]
    problems += [f"missing: {key}" for key in ("title", "kind", "day") if key not in head]
    if head.get("kind") in LAYOUTS and "file" not in head:
        problems.append("missing: file")
    if head.get("kind") not in (*LAYOUTS, *UNFILED):
        problems.append(f"unknown kind: {head.get('kind')}")
    if problems:
        raise ValueError(f"{path.parent.name}/{path.name}: {'; '.join(problems)}")
    return Source(course=path.parent.name, slug=path.stem, head=head, body=parts[2].strip("\n") + "\n")
