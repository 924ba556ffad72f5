"""Tool that searches the texts of course materials, of one course or of all."""

from collections.abc import Sequence
from typing import Annotated

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
from services.integrations.materials.passages import QUOTED, Passage
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
            description="What is looked for, in the words that a slide or reading would use; in its language.",
        ),
    ],
    course: CourseFilter = None,
    material: Annotated[
        str | None, Field(max_length=200, description="Only in this one: its id, or words of its title.")
    ] = None,
    limit: Annotated[int, Field(ge=1, le=20, description="How many passages at most.")] = 8,
) -> ToolResult:
    """Search what the student's course materials say: slides and notes, readings, files, pages, the syllabus.

    Each passage comes as a source of its own: cite those that an answer rests on, by material and page. Read the page
    or its neighbours with materials_read where the passage is not enough. When nothing fits, try other words once.
    """
    notes: list[str] = []
    only = None
    if material:
        only, status, notes = find_material(context, material, course=course)
        courses = [status]
    else:
        courses, _ = find_courses(context, course)
    names = {status.course.key: status.course.name for status in courses}
    found = context.container.materials.search(
        context.student,
        query,
        course_keys=list(names) if course or material else None,
        limit=_HITS_OF_ALL if only else limit,
        progress=context.progress,
    )
    usable = usable_materials(context, found.hits)
    hits = [hit for hit in usable if only is None or hit.material.id == only.material.id][:limit]
    public_url = context.container.settings.public_url
    passages = [_passage(hit, names.get(hit.material.course_key, ""), public_url) for hit in hits]
    merged = list({passage.source.url: passage for passage in reversed(passages)}.values())[::-1]
    notes = [*notes, *found.notes]
    return ToolResult(
        output="\n".join(
            [
                heading(
                    _headline(query, merged, courses, bool(course or material)),
                    context,
                    found.as_of,
                    is_live=found.is_live,
                ),
                *(QUOTED for _ in merged[:1]),
                *(line for passage in merged for line in passage.lines()),
                *_nothing(found, merged),
                *_unread(found),
                *(f"Note: {note}" for note in notes),
            ]
        ),
        data={
            "hits": [
                {
                    **passage.data(),
                    "course": names.get(passage.material.course_key, ""),
                    "original_url": passage.material.url,
                }
                for passage in merged
            ],
            "searched": found.searched,
            "unread": found.unread,
            "as_of": found.as_of.isoformat(),
            "is_live": found.is_live,
            "notes": notes,
        },
        sources=tuple(passage.source for passage in merged),
        pictures=tuple(passage.reference for passage in merged if passage.page.is_blank)[:MOST_PICTURES],
        is_partial=bool(notes or found.unread),
    )


def _passage(hit: MaterialHit, course: str, public_url: str) -> Passage:
    material = declare_material(hit.material)
    about = " — ".join(filter(None, [one_line(course), one_line(material.module)]))
    return Passage(
        material=material,
        page=hit.page,
        unit=hit.unit,
        count=hit.count,
        public_url=public_url,
        text=hit.passage,
        about=about,
    )


def _headline(query: str, shown: Sequence[Passage], courses: Sequence[CourseStatus], is_named: bool) -> str:
    where = courses[0].course.name if is_named and len(courses) == 1 else "all courses"
    return f"{count(len(shown), 'passage')} for “{one_line(query, 100)}” in {where}"


def _nothing(found: SearchResult, shown: Sequence[Passage]) -> list[str]:
    if shown:
        return []
    return [f"Nothing in the {count(found.searched, 'material')} that were searched has these words."]


def _unread(found: SearchResult) -> list[str]:
    if not found.unread:
        return []
    return [f"Note: {count(found.unread, 'material')} not read in yet, so not searched; more of them are in a minute."]
