"""Sources of a making: material of a course, a topic, the student's own text or file, a chat, a page in Notion."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from services.files.upload import Upload
from services.i18n import gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.materials.results import CourseStatus, ListedMaterial
from services.safety.text import one_line, plain
from services.study.generation.quizzes import MOST_SOURCES
from services.study.question import SourceKind
from services.study.quiz import SourceChoice
from ui import session
from ui.file_field import draw_file_field
from ui.materials.course_picker import course_label
from ui.materials.own_files import LARGEST_MB, TYPES
from ui.study.open_dialog import field_key

READING, TOPIC, TEXT, FILE, CHAT, NOTES = "reading", "topic", "text", "file", "chat", "notes"
TABS = {
    READING: gettext_noop("Course material"),
    TOPIC: gettext_noop("A topic"),
    TEXT: gettext_noop("My own text"),
    FILE: gettext_noop("A file"),
    CHAT: gettext_noop("A chat"),
    NOTES: gettext_noop("Notion"),
}
MODULE = "module:"
"""Before the name of a module that is chosen whole."""
MOST_CHATS, MOST_NOTES = 40, 20
ASKED_BY = gettext_noop("Study")
LONGEST_TEXT, LONGEST_TOPIC, LONGEST_TITLE = 40_000, 200, 90
_RANGE = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")
MOST_PAGES = 400


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What the choice begins with. shape: of what is made, one of `make_options.SHAPES`, "" for the usual."""

    shape: str = ""
    course_key: str = ""
    topic: str = ""
    material_id: str = ""
    page: int = 0


@dataclass(frozen=True, kw_only=True)
class MakeSources:
    """What was chosen. upload: a file that is still to be put on a shelf. missing: what is still to be said."""

    course_key: str = ""
    topic: str = ""
    chosen: tuple[SourceChoice, ...] = ()
    upload: Upload | None = None
    missing: str = ""


def draw_sources(student: Student, courses: Sequence[CourseStatus], wish: Wish) -> MakeSources:
    """Draw the choice of a source."""
    tabs = _tabs(student, courses)
    tab = st.pills(
        gettext("Make them from"),
        tabs,
        format_func=lambda tab: gettext(TABS[tab]),
        default=TOPIC if wish.topic and TOPIC in tabs else tabs[0],
        required=True,
        key=field_key("make-from"),
    )
    match tab:
        case "reading":
            return _draw_reading(student, _choose_course(courses, wish.course_key), wish)
        case "topic":
            return _draw_topic(_choose_course(courses, wish.course_key), wish)
        case "file":
            return _draw_file(courses, wish.course_key)
        case "chat":
            return _draw_chat(student, wish.course_key)
        case "notes":
            return _draw_notes(student, wish.course_key)
        case _:
            return _draw_text(wish.course_key)


def _tabs(student: Student, courses: Sequence[CourseStatus]) -> list[str]:
    """What there is to choose from: nothing connected leaves the student's own."""
    found = [READING, TOPIC] if courses else []
    found += [TEXT, FILE]
    if session.services().conversations.list(student.id, 1):
        found.append(CHAT)
    if "notion" in session.services().connections.all(student.id):
        found.append(NOTES)
    return found


def _choose_course(courses: Sequence[CourseStatus], wanted: str) -> str:
    by_key = {status.course.key: status for status in courses}
    keys = list(by_key)
    return str(
        st.selectbox(
            gettext("Course"),
            keys,
            index=keys.index(wanted) if wanted in by_key else 0,
            format_func=lambda key: course_label(by_key[key]),
            key=field_key("make-course"),
        )
    )


def _draw_reading(student: Student, course_key: str, wish: Wish) -> MakeSources:
    listed = session.services().materials.materials(student, course_key, live=False).materials
    known = {item.material.id: item for item in listed if not (item.material.locked or item.refusal)}
    if not known:
        words = gettext("Nothing of this course can be read yet. Open it in Materials once, or add a file of your own.")
        st.caption(words)
        return MakeSources(course_key=course_key, missing=words)
    modules = dict.fromkeys(item.material.module for item in known.values() if item.material.module)
    options = [*(MODULE + module for module in modules), *known]
    picked = st.multiselect(
        gettext("Files, pages or whole modules"),
        options,
        default=[wish.material_id] if wish.material_id in known else [],
        format_func=lambda option: _label(option, known),
        max_selections=MOST_SOURCES,
        placeholder=gettext("Choose what to practise"),
        select_all=False,
        key=field_key(f"make-materials-{course_key}"),
    )
    ids = dict.fromkeys(
        id
        for option in picked
        for id in ([option] if option in known else _of_module(option.removeprefix(MODULE), known))
    )
    pages: tuple[int, ...] = ()
    if len(picked) == 1 and len(ids) == 1:
        pages = _choose_pages(wish.page if wish.material_id in ids else 0)
    chosen = tuple(
        SourceChoice(kind=SourceKind.MATERIAL, id=id, title=one_line(known[id].material.title), pages=pages)
        for id in ids
    )
    missing = "" if chosen else gettext("Choose what to practise.")
    if len(chosen) > MOST_SOURCES:
        missing = gettext("Choose at most {n} materials: a module counts with all of its own.", n=MOST_SOURCES)
    return MakeSources(course_key=course_key, chosen=chosen, missing=missing)


def _of_module(module: str, known: dict[str, ListedMaterial]) -> list[str]:
    return [id for id, item in known.items() if item.material.module == module]


def _label(option: str, known: dict[str, ListedMaterial]) -> str:
    if item := known.get(option):
        material = item.material
        title = one_line(material.title or material.name, LONGEST_TITLE)
        return f"{title} · {one_line(material.module, 40)}" if material.module else title
    module = option.removeprefix(MODULE)
    return ngettext(
        "All of “{module}” ({n} material)",
        "All of “{module}” ({n} materials)",
        len(_of_module(module, known)),
        module=one_line(module, LONGEST_TITLE),
    )


def _choose_pages(page: int) -> tuple[int, ...]:
    written = st.text_input(
        gettext("Only these pages"),
        value=str(page) if page else "",
        placeholder=gettext("All of it, or such as 12-20, 25"),
        key=field_key(f"make-pages-{page}"),
        max_chars=100,
    )
    return page_numbers(written)


def page_numbers(written: str) -> tuple[int, ...]:
    """Numbers of pages as a person writes them: "12-14, 20" is (12, 13, 14, 20); () for none."""
    found: dict[int, None] = {}
    for first, last in _RANGE.findall(written):
        end = min(int(last or first), int(first) + MOST_PAGES)
        found.update(dict.fromkeys(range(int(first), end + 1)))
    return tuple(number for number in found if number)[:MOST_PAGES]


def _draw_topic(course_key: str, wish: Wish) -> MakeSources:
    topic = plain(
        st.text_input(
            gettext("What about"),
            wish.topic[:LONGEST_TOPIC],
            placeholder=gettext("Such as “osmosis” or “chapter 3”"),
            max_chars=LONGEST_TOPIC,
            key=field_key("make-topic"),
        )
    ).strip()
    st.caption(gettext("Homeroom looks for it in the materials of the course."))
    return MakeSources(course_key=course_key, topic=topic, missing="" if topic else gettext("Say what about."))


def _draw_text(course_key: str) -> MakeSources:
    text = plain(
        st.text_area(
            gettext("Your text"),
            placeholder=gettext("Paste notes, a summary or a list of words"),
            max_chars=LONGEST_TEXT,
            height=160,
            key=field_key("make-text"),
        )
    ).strip()
    heading = text.partition("\n")[0].lstrip("#*->• \t")
    chosen = (SourceChoice(kind=SourceKind.TEXT, text=text, title=one_line(heading, 60)),) if text else ()
    return MakeSources(course_key=course_key, chosen=chosen, missing="" if text else gettext("Paste a text first."))


def _draw_file(courses: Sequence[CourseStatus], course_key: str) -> MakeSources:
    file = draw_file_field(gettext("Your file"), types=TYPES, largest_mb=LARGEST_MB, key=field_key("make-file"))
    st.caption(
        gettext(
            "PDF, slides (.pptx), Word (.docx), a spreadsheet (.xlsx, .ods), .odt, .rtf, .epub, a notebook, text or "
            "an image, up to {megabytes} MB. It stays with your materials "
            "until you remove it there.",
            megabytes=LARGEST_MB,
        )
    )
    if courses:
        course_key = _choose_course(courses, course_key)
    if file is None:
        return MakeSources(course_key=course_key, missing=gettext("Choose a file first."))
    return MakeSources(course_key=course_key, upload=file[1])


def _draw_chat(student: Student, course_key: str) -> MakeSources:
    chats = {chat.id: chat for chat in session.services().conversations.list(student.id, MOST_CHATS)}
    id = st.selectbox(
        gettext("Which chat"),
        list(chats),
        format_func=lambda id: one_line(chats[id].title, LONGEST_TITLE),
        key=field_key("make-chat"),
    )
    if id is None:
        return MakeSources(course_key=course_key, missing=gettext("There is no chat yet."))
    chosen = SourceChoice(kind=SourceKind.CHAT, id=id, title=one_line(chats[id].title, LONGEST_TITLE))
    return MakeSources(course_key=course_key, chosen=(chosen,))


def _draw_notes(student: Student, course_key: str) -> MakeSources:
    query = st.text_input(
        gettext("Page in Notion"),
        placeholder=gettext("Words of its title"),
        max_chars=LONGEST_TOPIC,
        key=field_key("make-notes"),
    ).strip()
    call = {"query": query, "limit": MOST_NOTES}
    result = session.services().gateway.call(student, "notion_search", call, asked_by=ASKED_BY, by_hand=True)
    found = (result.data or {}).get("results", [])
    pages = {str(page["id"]): one_line(str(page.get("title") or ""), LONGEST_TITLE) for page in found}
    if not pages:
        words = result.trouble or gettext("No page with these words in its title.")
        st.caption(words)
        return MakeSources(course_key=course_key, missing=words)
    id = st.selectbox(
        gettext("Which page"),
        list(pages),
        format_func=lambda id: pages[id] or gettext("No title"),
        key=field_key(f"make-note-{query}"),
    )
    chosen = SourceChoice(kind=SourceKind.NOTE, id=str(id), title=pages[str(id)])
    return MakeSources(course_key=course_key, chosen=(chosen,))


def with_upload(student: Student, sources: MakeSources) -> MakeSources:
    """The sources with the file read in and put on the shelf of its course, or on one of its own."""
    if sources.upload is None:
        return sources
    library = session.services().materials
    key = sources.course_key
    if not key:
        name = gettext("My files")
        own = [status.course for status in library.courses(student, live=False).courses if status.course.name == name]
        key = own[0].key if own else library.add_own_course(student, name).key
    material = library.add_upload(student, key, sources.upload)
    chosen = SourceChoice(kind=SourceKind.MATERIAL, id=material.id, title=one_line(material.title))
    return replace(sources, course_key=key, chosen=(chosen,), upload=None)
