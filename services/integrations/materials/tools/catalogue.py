"""Tool that lists course materials: of a course by module, of some days, or the courses with what is read in."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Annotated, Any, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.i18n.english import count, cut_note, day
from services.integrations.kit.name_choices import NameChoice, none_fits
from services.integrations.kit.name_matcher import best_matches, contains_words
from services.integrations.materials.access import (
    TALKED_OF,
    CourseFilter,
    KnownMaterials,
    declare_material,
    find_courses,
    heading,
    list_materials,
    material_tool,
)
from services.integrations.materials.material_names import Pair
from services.integrations.materials.page_passages import title_of
from services.llm.citations import Source
from services.materials.material import MaterialKind, PageUnit
from services.materials.results import CourseList, CourseMaterials, CourseState, CourseStatus, ListedMaterial
from services.navigation import material_address
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

_MOST_SHOWN = 80
_STATES = {
    CourseState.OFF: "read when asked for",
    CourseState.QUEUED: "waits to be read in",
    CourseState.READING: "being read in",
    CourseState.READY: "read in",
    CourseState.PAUSED: "reading is paused",
}
_UNITS = {PageUnit.PAGE: "page", PageUnit.SLIDE: "slide", PageUnit.SECTION: "section"}


@material_tool(
    label=gettext_noop("Looking through your materials"),
    title=gettext_noop("Look through your materials"),
    summary=gettext_noop("See a course's slides, readings and pages, and which of them Homeroom has read"),
    usage_hint="Lists a course's slides, readings, files and pages by module, or what was posted on some days.",
    when=(
        "the student asks which slides or readings there are, or what was posted",
        "several readings have to be found before they are read, such as those of a week",
    ),
    when_not=("one material is named: read it", "something is looked for in the texts: search them"),
    examples=(
        Example(description="Which slides and readings does bio have?", arguments={"course": "bio"}),
        Example(description="What are the readings of week 5?", arguments={"course": "history", "module": "week 5"}),
        Example(
            description="Which slides were posted this week?",
            arguments={"posted_from": "2026-11-23", "posted_until": "2026-11-29"},
        ),
    ),
    timeout_s=40.0,
)
def materials_list(
    context: ToolExecutionContext,
    *,
    course: CourseFilter = None,
    module: Annotated[str | None, Field(max_length=200, description='Like "week 5" or "unit 2".')] = None,
    posted_from: Annotated[date | None, Field(description="First day.")] = None,
    posted_until: Annotated[date | None, Field(description="Last day, included.")] = None,
    kind: Annotated[
        Literal["file", "page", "syllabus", "link", "upload", "assignment", "announcement", "discussion"] | None,
        Field(description="Only these. The last three are listed only when asked for."),
    ] = None,
    search: Annotated[str, Field(max_length=100, description="Words of the title or file name.")] = "",
) -> ToolResult:
    """List the student's course materials by module: slides, readings, files, pages; titles and days, not their texts.

    Without any argument: the courses, and how much of each is read in.
    """
    if posted_from and posted_until and posted_until < posted_from:
        raise BadArguments(gettext("The end is before the start."), field="posted_until")
    courses, known = find_courses(context, course)
    if not any((course, module, posted_from, posted_until, kind, search)):
        return _courses_result(context, courses, known)
    there = list_materials(context, courses)
    pairs = [pair for pair in there.materials if _is_wanted_kind(pair[0], kind)]
    left_out = len(there.materials) - len(pairs) if kind is None else 0
    if module:
        pairs = _in_module(pairs, module)
    fitting = [pair for pair in pairs if _is_posted(pair[0], posted_from, posted_until, context)]
    fitting = [pair for pair in fitting if not search or contains_words(_title_words(pair[0]), search)]
    return _list_result(context, courses, there, fitting, left_out)


def _is_wanted_kind(listed: ListedMaterial, kind: str | None) -> bool:
    return listed.material.kind == kind if kind else listed.material.kind not in TALKED_OF


def _title_words(listed: ListedMaterial) -> str:
    return f"{listed.material.title} {listed.material.name.replace('_', ' ')}"


def _is_posted(listed: ListedMaterial, first: date | None, last: date | None, context: ToolExecutionContext) -> bool:
    if first is None and last is None:
        return True
    at = listed.material.dated_at
    on = at.astimezone(context.timezone).date() if at else None
    return on is not None and (first is None or first <= on) and (last is None or on <= last)


def _in_module(pairs: Sequence[Pair], wanted: str) -> list[Pair]:
    modules = list(dict.fromkeys(pair[0].material.module for pair in pairs if pair[0].material.module))
    found = best_matches(modules, wanted, lambda name: (name,))
    if not found:
        raise none_fits("module", wanted, [NameChoice(name=name) for name in modules])
    return [pair for pair in pairs if pair[0].material.module in found]


def _list_result(
    context: ToolExecutionContext,
    courses: Sequence[CourseStatus],
    there: KnownMaterials,
    fitting: Sequence[Pair],
    left_out: int,
) -> ToolResult:
    shown, public_url = fitting[:_MOST_SHOWN], context.container.settings.public_url
    names = courses[0].course.name if len(courses) == 1 else count(len(courses), "course")
    listings = there.listings
    as_of = min((listing.as_of for listing in listings), default=context.now())
    lines = [
        heading(
            f"{count(len(fitting), 'material')} in {names}",
            context,
            as_of,
            is_live=all(listing.is_live for listing in listings),
        )
    ]
    for (key, module), group in groupby(shown, key=lambda pair: (pair[1].course.key, pair[0].material.module)):
        pairs = list(group)
        of = f"{pairs[0][1].course.name} — " if len(courses) > 1 and key else ""
        lines.append(f"**{of}{one_line(module) or 'Outside the modules'}**")
        lines += [_line(pair[0], context, public_url) for pair in pairs]
    if left_out:
        lines.append(f"{count(left_out, 'assignment, announcement or discussion', 'others')} not listed: ask by kind.")
    notes = [note for note in (cut_note(len(shown), len(fitting)), *(f"Note: {note}" for note in there.notes)) if note]
    return ToolResult(
        output="\n".join([*lines, *_progress(listings), *notes]),
        data={
            "materials": [_data(pair, public_url) for pair in shown],
            "total": len(fitting),
            "courses": [_course_data(status) for status in courses],
            "notes": list(there.notes),
        },
        sources=tuple(_source(pair[0], public_url) for pair in shown),
        is_partial=bool(there.notes),
    )


def _line(listed: ListedMaterial, context: ToolExecutionContext, public_url: str) -> str:
    material = listed.material
    posted = material.dated_at.astimezone(context.timezone).date() if material.dated_at else None
    size = count(listed.pages, _UNITS[listed.unit]) if listed.pages and listed.unit else ""
    state = material.locked or listed.refusal or ("read in" if listed.is_read else "not read in yet")
    is_named = material.kind is MaterialKind.FILE and material.name not in ("", material.title)
    kind = one_line(material.name, 80) if is_named else str(material.kind)
    facts = [kind, size, f"posted {day(posted)}" if posted else "", one_line(state)]
    link = f"[open]({_source(listed, public_url).url})"
    told = " — ".join(fact for fact in facts if fact)
    return f"- **{title_of(material)}** — {told} — {link} (id: {material.id})"


def _source(listed: ListedMaterial, public_url: str) -> Source:
    material = listed.material
    return Source(title=title_of(material), url=material_address(public_url, material.id, 1))


def _progress(listings: Sequence[CourseMaterials]) -> Iterator[str]:
    for status in (listing.status for listing in listings):
        if status.state in (CourseState.QUEUED, CourseState.READING):
            yield f"Note: {status.course.name} is still being read in: {status.read} of {status.materials} are."


def _courses_result(context: ToolExecutionContext, courses: Sequence[CourseStatus], known: CourseList) -> ToolResult:
    lines = [heading(f"{count(len(courses), 'course')} with materials", context, known.as_of, is_live=known.is_live)]
    for status in courses:
        facts = [
            count(status.materials, "material") if status.materials else "",
            f"{status.read} read in" if status.read else "",
            count(status.pages, "page") if status.pages else "",
            count(status.uploads, "upload") if status.uploads else "",
            _STATES[status.state],
            one_line(status.trouble),
        ]
        code = f" ({status.course.code})" if status.course.code and status.course.code not in status.course.name else ""
        told = " — ".join(fact for fact in facts if fact)
        lines.append(f"- **{one_line(status.course.name)}**{code} — {told} (id: {status.course.key})")
    notes = [f"Note: {note}" for note in known.notes]
    return ToolResult(
        output="\n".join([*lines, *notes]),
        data={"courses": [_course_data(status) for status in courses], "notes": list(known.notes)},
        is_partial=bool(notes),
    )


def _data(pair: Pair, public_url: str) -> dict[str, Any]:
    listed, status = pair
    material = declare_material(listed.material)
    return {
        "id": material.id,
        "title": material.title,
        "course": status.course.name,
        "module": material.module,
        "kind": str(material.kind),
        "name": material.name,
        "posted_at": material.dated_at.isoformat() if material.dated_at else None,
        "pages": listed.pages,
        "unit": str(listed.unit) if listed.unit else None,
        "is_read": listed.is_read,
        "why_not_readable": material.locked or listed.refusal,
        "url": _source(listed, public_url).url,
        "original_url": material.url,
    }


def _course_data(status: CourseStatus) -> dict[str, Any]:
    return {
        "key": status.course.key,
        "name": status.course.name,
        "code": status.course.code,
        "state": str(status.state),
        "materials": status.materials,
        "read": status.read,
        "pages": status.pages,
    }
