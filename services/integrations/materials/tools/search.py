"""Tool that searches the texts of course materials, of one course or of all."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import count
from services.integrations.materials.access import (
    CourseFilter,
    declare_material,
    find_courses,
    find_material,
    heading,
    material_tool,
    usable_materials,
)
from services.integrations.materials.page_passages import QUOTED, PagePassage
from services.materials.library import QUESTION_S
from services.materials.results import CourseStatus, MaterialHit, SearchResult
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

MOST_PICTURES = 2
_HITS_OF_ALL = 60
"""Hits that are looked through for those of one material."""


@material_tool(
    label=gettext_noop("Searching your course materials"),
    title=gettext_noop("Search your course materials"),
    summary=gettext_noop("Find where your slides, readings and pages say something"),
    usage_hint="Finds the pages of slides, readings and course pages that say something, in one course or in all.",
    when=(
        "the student asks where something was defined, covered or mentioned in class",
        "a concept is to be explained as their course explains it, or compared between courses",
    ),
    when_not=("it is named where it stands: read that", "due dates, grades or announcements are asked for"),
    produces=("search_results", "citations"),
    examples=(
        Example(description="Where did we define osmosis?", arguments={"query": "definition of osmosis"}),
        Example(
            description="How do bio and chem define equilibrium? (one call for each course)",
            arguments={"query": "equilibrium definition", "course": "chem"},
        ),
        Example(
            description="What does the long reading say about free trade?",
            arguments={"query": "free trade", "material": "course reader"},
        ),
    ),
    timeout_s=60.0,
)
def materials_search(
    context: ToolExecutionContext,
    *,
    query: Annotated[
        str,
        Field(
            min_length=2,
            max_length=300,
            description="In the words and the language that a slide or reading would use.",
        ),
    ],
    course: CourseFilter = None,
    material: Annotated[
        str | None, Field(max_length=200, description="Only in this one: its id, or words of its title.")
    ] = None,
    limit: Annotated[int, Field(ge=1, le=20, description="How many passages at most.")] = 8,
) -> ToolResult:
    """Search what the student's course materials say: slides and notes, readings, files, pages, the syllabus.

    Each passage is a source of its own: cite those that an answer rests on. Read on with materials_read where it is not
    enough. When nothing fits, try other words once.
    """
    notes: list[str] = []
    only = None
    if material:
        only, status, notes = find_material(context, material, course=course)
        courses = [status]
    else:
        courses, _ = find_courses(context, course)
    found = context.container.materials.search(
        context.student,
        query,
        course_keys=[s.course.key for s in courses if course or material or s.is_current or s.read or s.uploads],
        limit=_HITS_OF_ALL if only else limit,
        within_s=QUESTION_S,
        progress=context.progress,
    )
    found = replace(found, notes=[*notes, *found.notes], hits=usable_materials(context, found.hits))
    hits = [hit for hit in found.hits if only is None or hit.material.id == only.material.id][:limit]
    where = courses[0].course.name if (course or material) else "all courses"
    return _hits_result(context, f"for “{one_line(query, 100)}” in {where}", courses, found, hits)


def _hits_result(
    context: ToolExecutionContext,
    about: str,
    courses: Sequence[CourseStatus],
    found: SearchResult,
    hits: Sequence[MaterialHit],
) -> ToolResult:
    names = {status.course.key: status.course.name for status in courses}
    public_url = context.container.settings.public_url
    passages = [_passage(hit, names.get(hit.material.course_key, ""), public_url) for hit in hits]
    merged = list({passage.source.url: passage for passage in reversed(passages)}.values())[::-1]
    first = heading(f"{count(len(merged), 'passage')} {about}", context, found.as_of, is_live=found.is_live)
    lines = [
        first,
        *(QUOTED for _ in merged[:1]),
        *(line for passage in merged for line in passage.lines()),
        *_nothing(found, merged),
        *(f"Note: {note}" for note in found.notes),
    ]
    return ToolResult(
        output="\n".join(lines),
        data={
            "hits": [_data(passage, names) for passage in merged],
            "searched": found.searched,
            "unread": found.unread,
            "as_of": found.as_of.isoformat(),
            "is_live": found.is_live,
            "notes": list(found.notes),
        },
        sources=tuple(passage.source for passage in merged),
        pictures=tuple(passage.reference for passage in merged if passage.page.is_blank)[:MOST_PICTURES],
        reading=tuple(key for key in found.reading if key in names),
        is_partial=bool(found.notes or found.unread),
    )


def _data(passage: PagePassage, names: Mapping[str, str]) -> Mapping[str, Any]:
    material = passage.material
    return {**passage.data(), "course": names.get(material.course_key, ""), "original_url": material.url}


def _passage(hit: MaterialHit, course: str, public_url: str) -> PagePassage:
    material = declare_material(hit.material)
    about = " — ".join(filter(None, [one_line(course), one_line(material.module)]))
    return PagePassage(
        material=material,
        page=hit.page,
        unit=hit.unit,
        count=hit.count,
        public_url=public_url,
        text=hit.passage,
        about=about,
    )


def _nothing(found: SearchResult, shown: Sequence[PagePassage]) -> list[str]:
    if shown:
        return []
    if not found.searched:
        return ["Nothing was searched, as no material has been read yet."]
    return [f"Nothing in the {count(found.searched, 'material')} that were searched has these words."]
