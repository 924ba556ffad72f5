"""Tool that reads a course material by pages, slides or sections."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from services.errors import PermissionMissing, RequestRefused
from services.files.upload import FileRefused
from services.i18n import gettext, gettext_noop
from services.i18n.english import count, day
from services.integrations.materials.access import (
    CourseFilter,
    PostedDay,
    declare_material,
    find_material,
    heading,
    material_tool,
)
from services.integrations.materials.page_passages import QUOTED, PagePassage, fitting, split_long
from services.integrations.materials.page_ranges import page_numbers, written_range
from services.materials.material import Material, PageUnit
from services.materials.results import MaterialPages
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

ROOM = 30_000
"""Characters of pages in one result; about eight thousand tokens."""
MOST_PICTURES = 6
"""Pages that one result shows as pictures; each takes some 1,600 tokens."""
MATERIALS_LABEL = gettext_noop("Course materials")
_UNITS = {PageUnit.PAGE: "page", PageUnit.SLIDE: "slide", PageUnit.SECTION: "section"}


@material_tool(
    label=gettext_noop("Reading your course material"),
    title=gettext_noop("Read a course material"),
    summary=gettext_noop("Read slides, a reading, a page or the syllabus of your course, page by page"),
    usage_hint="Reads a lecture's slides, a reading, a file, a course page or the syllabus, by page, slide or heading.",
    when=(
        "a lecture, slide, reading, chapter, handout, study guide or course page is to be explained or summed up",
        "a question is about what one material says",
    ),
    when_not=("it is not known which material says it: search them",),
    produces=("page_text", "citations"),
    examples=(
        Example(
            description="Explain slide 12 of Tuesday's lecture",
            arguments={"material": "lecture", "posted_on": "2026-11-24", "pages": "12"},
        ),
        Example(
            description="Sum up pages 3 to 5 of the osmosis reading",
            arguments={"material": "osmosis reading", "course": "bio", "pages": "3-5"},
        ),
        Example(
            description="What is on the midterm according to the study guide?",
            arguments={"material": "midterm study guide"},
        ),
        Example(
            description="What does the syllabus say about late work?",
            arguments={"material": "syllabus", "course": "history", "pages": "late work"},
        ),
        Example(description="Explain the last lecture in bio", arguments={"material": "lecture", "newest": True}),
    ),
    timeout_s=60.0,
)
def materials_read(
    context: ToolExecutionContext,
    *,
    material: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description='Its id, or words of its title, like "lecture 9" or "study guide".',
        ),
    ],
    course: CourseFilter = None,
    pages: Annotated[
        str,
        Field(
            max_length=200,
            description='Numbers, like "12" or "3-5, 9", "last", or words of a heading. Left out: from the beginning.',
        ),
    ] = "",
    part: Annotated[int, Field(ge=1, le=200, description="Of a page that is too long for one result.")] = 1,
    posted_on: PostedDay = None,
    newest: Annotated[bool, Field(description='Of those that fit, the one posted last: "the last lecture".')] = False,
    module: Annotated[str | None, Field(max_length=200, description='Like "week 5".')] = None,
) -> ToolResult:
    """Read a material of the student's courses: slides with their notes, readings, files, pages, the syllabus.

    Each page is a source of its own: cite those that an answer rests on. A page without text, such as a scan, comes as
    its picture.
    """
    listed, status, notes = find_material(
        context, material, course=course, module=module, posted_on=posted_on, newest=newest
    )
    read = _read(context, listed.material)
    numbers, remark = page_numbers(pages, read.pages, read.count) if pages.strip() else (_all(read), "")
    wanted = [page for page in read.pages if page.number in set(numbers)]
    wanted.sort(key=lambda page: numbers.index(page.number))
    public_url = context.container.settings.public_url
    passages = [
        PagePassage(material=read.material, page=page, unit=read.unit, count=read.count, public_url=public_url)
        for page in wanted
    ]
    shown = fitting(passages, ROOM)
    rest = _rest(passages, shown, read.unit)
    if len(shown) == 1 and len(shown[0].words) > ROOM:
        shown, rest = _one_part(shown[0], part, rest)
    blank = [passage for passage in shown if passage.page.is_blank]
    lines = [
        heading(_headline(read, shown, status.course.name, context), context, read.as_of, is_live=read.is_live),
        *_posted(read, context),
        *([remark] if remark else []),
        *(QUOTED for _ in shown[:1]),
        *(line for passage in shown for line in passage.lines()),
        *rest,
        *_picture_notes(blank),
        *(f"Note: {note}" for note in (*notes, *read.notes)),
    ]
    return ToolResult(
        output="\n".join(lines),
        data={
            "material": {
                "id": read.material.id,
                "title": read.material.title,
                "course": status.course.name,
                "kind": str(read.material.kind),
                "unit": str(read.unit),
                "pages": read.count,
                "original_url": read.material.url,
            },
            "pages": [passage.data() for passage in shown],
            "left": written_range([p.page.number for p in passages[len(shown) :]]),
            "as_of": read.as_of.isoformat(),
            "is_live": read.is_live,
            "notes": [*notes, *read.notes],
        },
        sources=tuple(passage.source for passage in shown),
        pictures=tuple(passage.reference for passage in blank[:MOST_PICTURES]),
        is_partial=bool(rest or notes or read.notes),
    )


def _read(context: ToolExecutionContext, material: Material) -> MaterialPages:
    """Read all pages; raises `PermissionMissing` with the reason, `RequestRefused` for a file that cannot be read."""
    declare_material(material)
    if material.locked:
        raise PermissionMissing(gettext(MATERIALS_LABEL), material.locked)
    try:
        read = context.container.materials.pages(context.student, material.id, progress=context.progress)
    except FileRefused as error:
        # No argument of this call is wrong: the file is.
        raise RequestRefused(gettext(MATERIALS_LABEL), str(error), next_step=error.next_step) from error
    declare_material(read.material)
    return read


def _all(read: MaterialPages) -> list[int]:
    return [page.number for page in read.pages]


def _headline(read: MaterialPages, shown: Sequence[PagePassage], course: str, context: ToolExecutionContext) -> str:
    unit = _UNITS[read.unit]
    numbers = [passage.page.number for passage in shown]
    which = (
        f"{unit}{'' if len(numbers) == 1 else 's'} {written_range(numbers)} of {read.count}" if read.count > 1 else ""
    )
    return f"{read.material.title}, {course}{', ' if which else ''}{which}"


def _posted(read: MaterialPages, context: ToolExecutionContext) -> list[str]:
    at = read.material.dated_at
    posted = [f"posted {day(at.astimezone(context.timezone).date())}"] if at else []
    module = [f"module {read.material.module}"] if read.material.module else []
    original = [f"original: [open]({read.material.url})"] if read.material.url else []
    facts = "; ".join([*module, *posted, *original])
    return [f"{facts[:1].upper()}{facts[1:]}."] if facts else []


def _rest(passages: Sequence[PagePassage], shown: Sequence[PagePassage], unit: PageUnit) -> list[str]:
    left = [passage.page.number for passage in passages[len(shown) :]]
    if not left:
        return []
    return [f"Note: {count(len(left), _UNITS[unit])} more: call again with pages {written_range(left)} to read on."]


def _one_part(passage: PagePassage, part: int, rest: list[str]) -> tuple[list[PagePassage], list[str]]:
    """A page that is too long, in parts."""
    parts = split_long(passage.words, ROOM)
    at = min(part, len(parts))
    more = f" Call again with the same page and part {at + 1} to read on." if at < len(parts) else ""
    note = f"Note: this is part {at} of {len(parts)} of a long {_UNITS[passage.unit]}.{more}"
    return [replace(passage, text=parts[at - 1])], [note, *rest]


def _picture_notes(blank: Sequence[PagePassage]) -> list[str]:
    if len(blank) <= MOST_PICTURES:
        return []
    left = written_range([passage.page.number for passage in blank[MOST_PICTURES:]])
    return [f"Note: pages without text come as pictures, {MOST_PICTURES} at once. Call again with pages {left}."]
