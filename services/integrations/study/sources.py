"""Sources that a student's words mean: course materials, a module, pages of notes, this chat, or a pasted text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import Field

from services.errors import (
    BadArguments,
    ItemNotFound,
    NameUnknown,
    PermissionMissing,
    RequestRefused,
    ServiceUnavailable,
)
from services.files.upload import FileRefused
from services.i18n import gettext, gettext_noop
from services.integrations.kit.name_choices import NameChoice, none_fits
from services.integrations.kit.name_matcher import best_matches
from services.integrations.materials.access import (
    TALKED_OF,
    declare_material,
    find_courses,
    find_material,
    list_materials,
)
from services.integrations.materials.page_ranges import page_numbers, written_range
from services.materials.material import Material, MaterialKind
from services.runtime.thread_pools import map_in_parallel
from services.safety.text import one_line
from services.study.question import SourceKind
from services.study.quiz import SourceChoice
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow

MOST_SOURCES = 12
LONGEST_TEXT = 20_000
_AT_ONCE = 4
MATERIALS_LABEL = gettext_noop("Course materials")

Topic = Annotated[
    str, Field(max_length=200, description='What it is about, like "osmosis". Left out: all of the sources.')
]
MaterialNames = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=200)]],
    Field(max_length=MOST_SOURCES, description='By id or title, like "study guide" or "lecture 9".'),
]
Pages = Annotated[str, Field(max_length=200, description='Like "3-5, 9", or a heading.')]
Module = Annotated[str, Field(max_length=200, description='Like "unit 2" or "week 5".')]
NotePages = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=200)]],
    Field(max_length=5, description="Pages of the student's notes, by id or title."),
]
PastedText = Annotated[str, Field(max_length=LONGEST_TEXT, description="A text that the student has pasted.")]
FromChat = Annotated[bool, Field(description="What was said in this chat.")]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Arguments of a tool on what to make questions from."""

    topic: str = field(repr=False)
    materials: Sequence[str]
    pages: str
    module: str
    course: str | None
    notes: Sequence[str]
    text: str = field(repr=False)
    this_chat: bool


@dataclass(frozen=True, kw_only=True)
class FoundSources:
    """Sources that were found; none of them where the course is searched for the topic. title: of several together, ""
    where a topic or the one source gives it. notes: for the model.
    """

    topic: str = field(default="", repr=False)
    title: str = field(default="", repr=False)
    course_key: str = ""
    course: str = field(default="", repr=False)
    choices: tuple[SourceChoice, ...] = ()
    notes: tuple[str, ...] = ()

    def rows(self) -> list[PreviewRow]:
        """Card rows; materials and notes are pinned by their ids."""
        by_kind = {
            kind: [choice for choice in self.choices if choice.kind is kind]
            for kind in (SourceKind.MATERIAL, SourceKind.NOTE)
        }
        pinned = {
            SourceKind.MATERIAL: {"materials": [choice.id for choice in by_kind[SourceKind.MATERIAL]]},
            SourceKind.NOTE: {"notes": [choice.id for choice in by_kind[SourceKind.NOTE]]},
        }
        rows = [
            PreviewRow(label=gettext_noop("From"), value="\n".join(map(_written, choices)), resolved=pinned[kind])
            for kind, choices in by_kind.items()
            if choices
        ]
        rows += [
            PreviewRow(label=gettext_noop("From"), value=choice.title)
            for choice in self.choices
            if choice.kind not in pinned
        ]
        if not self.choices:
            rows.append(
                PreviewRow(label=gettext_noop("From"), value=self.course or gettext("materials of all courses"))
            )
        topic = [PreviewRow(label=gettext_noop("Topic"), value=self.topic)] if self.topic else []
        return [*topic, *rows]


def find_sources(context: ToolExecutionContext, wanted: Wanted) -> FoundSources:
    """Find what is meant; raises `BadArguments` with the choices, or where nothing at all is named."""
    found = FoundSources(topic=wanted.topic)
    if wanted.materials or wanted.module:
        found = _with_materials(context, wanted, found)
    elif wanted.course:
        (status,), _ = find_courses(context, wanted.course)
        found = replace(found, course_key=status.course.key, course=status.course.name)
    more = [*(_note(context, page) for page in wanted.notes), *_said(context, wanted)]
    found = replace(found, choices=(*found.choices, *more))
    if not found.choices and not found.topic:
        if found.course_key:
            return _with_all_of_course(context, found)
        raise BadArguments(
            "topic: there is nothing to make questions from.",
            field="topic",
            next_step="Name a topic, a material, a module, a page of notes or a text, or ask the student which.",
            said=gettext("Say what it should be about: a topic, a lecture, a chapter, notes or a text."),
        )
    return found


def _with_materials(context: ToolExecutionContext, wanted: Wanted, found: FoundSources) -> FoundSources:
    notes: list[str] = []
    pairs: list[tuple[Material, str]] = []
    for name in wanted.materials:
        try:
            listed, status, remarks = find_material(context, name, course=wanted.course, module=wanted.module or None)
        except NameUnknown as unknown:
            raise _or_topic(unknown, "materials") from None
        notes += remarks
        pairs.append((_readable(listed.material), status.course.name))
    if not wanted.materials:
        pairs = _of_module(context, wanted.course, wanted.module)
        pairs, unreadable = _that_can_be_read(context, pairs)
        notes += unreadable
    if wanted.pages and len(pairs) > 1:
        raise BadArguments(gettext("Pages can be named for one material only."), field="pages")
    courses = {material.course_key: course for material, course in pairs}
    key, course = next(iter(courses.items())) if len(courses) == 1 else ("", "")
    choices = tuple(_choice(context, material, wanted.pages) for material, _ in pairs)
    title = pairs[0][0].module if not wanted.materials else ""
    return replace(found, choices=choices, title=title, course_key=key, course=course, notes=tuple(notes))


def _of_module(context: ToolExecutionContext, course: str | None, module: str) -> list[tuple[Material, str]]:
    """What can be read of a module, in its order; raises `BadArguments` with the modules."""
    courses, _ = find_courses(context, course)
    there = [pair for pair in list_materials(context, courses).materials if pair[0].material.kind not in TALKED_OF]
    modules = list(dict.fromkeys(pair[0].material.module for pair in there if pair[0].material.module))
    named = best_matches(modules, module, lambda name: (name,))
    if not named:
        raise _or_topic(none_fits("module", module, [NameChoice(name=name) for name in modules]), "module")
    fitting = [(listed.material, status.course.name) for listed, status in there if listed.material.module in named]
    if len({material.course_key for material, _ in fitting}) > 1:
        of = ", ".join(dict.fromkeys(course for _, course in fitting))
        raise BadArguments(
            f"module: several courses have it: {of}.",
            field="module",
            next_step="Ask the student which course they mean, then call again with the course.",
            said=gettext("Several courses have it: {courses}.", courses=of),
        )
    readable = [pair for pair in fitting if not (pair[0].locked or pair[0].kind is MaterialKind.LINK)]
    if not readable:
        raise PermissionMissing(gettext(MATERIALS_LABEL), gettext("Nothing in this module can be read now."))
    return [(declare_material(material), course) for material, course in readable]


def _that_can_be_read(
    context: ToolExecutionContext, pairs: Sequence[tuple[Material, str]]
) -> tuple[list[tuple[Material, str]], list[str]]:
    """Those of several materials whose text can be read, and a note for each other: nobody has named it."""
    library, student = context.container.materials, context.student

    def trouble(pair: tuple[Material, str]) -> str:
        try:
            library.pages(student, pair[0].id, progress=context.progress)
        except (FileRefused, PermissionMissing, ItemNotFound, RequestRefused, ServiceUnavailable) as error:
            return str(error)
        return ""

    chosen = pairs[:MOST_SOURCES]
    troubles = map_in_parallel(_AT_ONCE, trouble, chosen)
    readable = [pair for pair, told in zip(chosen, troubles, strict=True) if not told]
    notes = [
        f"Note: {one_line(pair[0].title)} is left out: {told}"
        for pair, told in zip(chosen, troubles, strict=True)
        if told
    ]
    if not readable:
        raise PermissionMissing(gettext(MATERIALS_LABEL), next(told for told in troubles if told))
    if len(pairs) > MOST_SOURCES:
        notes.append(f"Note: only the first {MOST_SOURCES} of {len(pairs)} materials are used.")
    return readable, notes


def _with_all_of_course(context: ToolExecutionContext, found: FoundSources) -> FoundSources:
    """The materials of a course that was named without anything else: those posted last."""
    courses, _ = find_courses(context, found.course_key)
    there = [listed for listed, _ in list_materials(context, courses).materials]
    readable = [
        listed.material
        for listed in there
        if listed.material.kind in (MaterialKind.FILE, MaterialKind.PAGE, MaterialKind.UPLOAD)
        and not (listed.material.locked or listed.refusal)
    ]
    if not readable:
        raise PermissionMissing(gettext(MATERIALS_LABEL), gettext("Nothing in this course can be read now."))
    newest = sorted(readable, key=lambda material: (material.dated_at is not None, material.dated_at), reverse=True)
    pairs, notes = _that_can_be_read(context, [(declare_material(material), found.course) for material in newest])
    choices = tuple(_choice(context, material, "") for material, _ in pairs)
    return replace(found, choices=choices, title=found.course, notes=tuple(notes))


def _choice(context: ToolExecutionContext, material: Material, pages: str) -> SourceChoice:
    numbers: Sequence[int] = ()
    if pages.strip():
        read = context.container.materials.pages(context.student, material.id, progress=context.progress)
        numbers, _ = page_numbers(pages, read.pages, read.count)
    return SourceChoice(kind=SourceKind.MATERIAL, id=material.id, pages=tuple(numbers), title=material.title)


def _note(context: ToolExecutionContext, page: str) -> SourceChoice:
    """A page of the student's notes, looked up by the tool that reads it."""
    found = context.call("notion_read_page", page=page)
    if not found.success:
        raise ItemNotFound("Notion", found.trouble, next_step=gettext("Name the page as it is called there."))
    return SourceChoice(kind=SourceKind.NOTE, id=str(found.data["id"]), title=str(found.data["title"]))


def _said(context: ToolExecutionContext, wanted: Wanted) -> Iterator[SourceChoice]:
    if wanted.text.strip():
        yield SourceChoice(kind=SourceKind.TEXT, title=gettext("Your text"), text=wanted.text)
    if not wanted.this_chat:
        return
    if not context.conversation_id:
        raise BadArguments(gettext("There is no chat to make questions from."), field="this_chat")
    yield SourceChoice(kind=SourceKind.CHAT, id=context.conversation_id, title=gettext("This chat"))


def _readable(material: Material) -> Material:
    declare_material(material)
    if material.locked:
        raise PermissionMissing(gettext(MATERIALS_LABEL), material.locked)
    return material


def _or_topic(unknown: NameUnknown, field: str) -> NameUnknown:
    """The error with one more way: words that are no title may be what it is to be about."""
    return NameUnknown(
        str(unknown).removesuffix(unknown.choices).strip(),
        choices=unknown.choices,
        field=field,
        next_step=f"If it is a subject and no title, call again with it as topic. {unknown.next_step}".strip(),
        said=unknown.said,
    )


def _written(choice: SourceChoice) -> str:
    if not choice.pages:
        return choice.title
    return gettext("{title}, pages {pages}", title=choice.title, pages=written_range(choice.pages))
