"""Sources that a student's words mean: course materials, a module, pages of notes, this chat, or a pasted text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import Field

from services.errors import BadArguments, ItemNotFound, NameUnknown, PermissionMissing
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
from services.materials.material import Material
from services.study.question import SourceKind
from services.study.quiz import SourceChoice
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow

MOST_SOURCES = 12
LONGEST_TEXT = 20_000
MATERIALS_LABEL = gettext_noop("Course materials")

Topic = Annotated[
    str, Field(max_length=200, description="What it is about, in the student's words. Left out: all of the sources.")
]
MaterialNames = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=200)]],
    Field(max_length=MOST_SOURCES, description='Ids, or words of titles, like "study guide", "chapter 3", "lecture 9".'),
]
Pages = Annotated[str, Field(max_length=200, description='Of one material: "12", "3-5, 9", or words of a heading.')]
Module = Annotated[str, Field(max_length=200, description='All of a module, like "unit 2" or "week 5".')]
NotePages = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=200)]],
    Field(max_length=5, description="Pages of the student's own notes, by id or words of the title."),
]
PastedText = Annotated[
    str, Field(max_length=LONGEST_TEXT, description="The text itself, where the student has written or pasted it.")
]
FromChat = Annotated[bool, Field(description="From what was said in this chat.")]


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
    """Sources that were found; none of them where the course is searched for the topic. notes: for the model."""

    topic: str = field(default="", repr=False)
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
            SourceKind.MATERIAL: {"materials": [choice.id for choice in by_kind[SourceKind.MATERIAL]], "module": ""},
            SourceKind.NOTE: {"notes": [choice.id for choice in by_kind[SourceKind.NOTE]]},
        }
        rows = [
            PreviewRow(
                label=gettext_noop("From"), value="\n".join(map(_written, choices)), resolved=pinned[kind]
            )
            for kind, choices in by_kind.items()
            if choices
        ]
        rows += [
            PreviewRow(label=gettext_noop("From"), value=choice.title)
            for choice in self.choices
            if choice.kind not in pinned
        ]
        if not self.choices:
            rows.append(PreviewRow(label=gettext_noop("From"), value=self.course or gettext("your courses' materials")))
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
            said=gettext("Say what it should be about: a topic, a lecture, a chapter, your notes or a text."),
        )
    return found


def _with_materials(context: ToolExecutionContext, wanted: Wanted, found: FoundSources) -> FoundSources:
    pairs = [] if not wanted.module else _of_module(context, wanted.course, wanted.module)
    notes: list[str] = []
    for name in wanted.materials:
        listed, status, remarks = find_material(
            context, name, course=wanted.course, module=wanted.module or None
        ) if not wanted.module or name else (None, None, [])
        notes += remarks
        pairs.append((listed.material, status.course.name))
    if wanted.materials and wanted.module:
        pairs = pairs[len(pairs) - len(wanted.materials) :]
    if wanted.pages and len(pairs) > 1:
        raise BadArguments(gettext("Pages can be named for one material only."), field="pages")
    choices = [_choice(context, material, wanted.pages) for material, _ in pairs[:MOST_SOURCES]]
    if len(pairs) > MOST_SOURCES:
        notes.append(f"Only the first {MOST_SOURCES} of {len(pairs)} materials are used.")
    courses = {material.course_key: course for material, course in pairs}
    key, course = next(iter(courses.items())) if len(courses) == 1 else ("", "")
    return replace(found, choices=tuple(choices), course_key=key, course=course, notes=tuple(notes))
