"""List of a course's materials by module, each a line with a link that opens the reader.

Of a long one, a module is drawn when it is opened.
"""

import re
from collections.abc import Sequence

import streamlit as st

from services.files.upload import extension, format_size
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.llm.citations import shorten_quote
from services.materials.material import Material, MaterialKind, PageUnit
from services.materials.results import CourseMaterials, ListedMaterial, MaterialHit
from services.navigation import material_address, practice_address, with_passage
from services.safety.text import literal, one_line
from ui import session
from ui.local_time import to_local

KIND_ICONS = {
    MaterialKind.FILE: ":material/description:",
    MaterialKind.PAGE: ":material/article:",
    MaterialKind.ASSIGNMENT: ":material/assignment:",
    MaterialKind.ANNOUNCEMENT: ":material/campaign:",
    MaterialKind.DISCUSSION: ":material/forum:",
    MaterialKind.SYLLABUS: ":material/list_alt:",
    MaterialKind.LINK: ":material/link:",
    MaterialKind.UPLOAD: ":material/upload_file:",
}
FILE_ICONS = {
    "pdf": ":material/picture_as_pdf:",
    **dict.fromkeys(("pptx", "ppt", "odp"), ":material/slideshow:"),
    **dict.fromkeys(("csv", "tsv", "xlsx"), ":material/table:"),
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp"), ":material/image:"),
}
"""Of files and uploads, by their extensions; else as of their kind."""
LOCKED_ICON = ":material/lock:"
LONGEST_NAME = 100
MOST_OPEN = 60
"""Materials of modules up to which every module stands open."""
KIND_NAMES = {
    MaterialKind.FILE: gettext_noop("Other files"),
    MaterialKind.PAGE: gettext_noop("Other pages"),
    MaterialKind.ASSIGNMENT: gettext_noop("Other assignments"),
    MaterialKind.DISCUSSION: gettext_noop("Discussions"),
    MaterialKind.ANNOUNCEMENT: gettext_noop("Announcements"),
    MaterialKind.LINK: gettext_noop("Other links"),
}
"""Of what stands in no module, in this order."""
LONGEST_TITLE, LONGEST_EXCERPT = 120, 260
_HEADING = re.compile(r"(?m)^#{1,6} .*$|^[-•*] ")
_WEB = re.compile(r"https?://[^\s<>]+")


def draw_materials(student: Student, listed: CourseMaterials) -> None:
    """Draw the syllabus, the modules in the course's order, and then what stands in none, by kind."""
    found = [item for item in listed.materials if item.material.kind is not MaterialKind.UPLOAD]
    modules: dict[str, list[ListedMaterial]] = {}
    by_kind: dict[MaterialKind, list[ListedMaterial]] = {}
    for item in found:
        material = item.material
        group = modules.setdefault(material.module, []) if material.module else by_kind.setdefault(material.kind, [])
        group.append(item)
    key = f"module-{listed.status.course.key}"
    if syllabus := by_kind.pop(MaterialKind.SYLLABUS, []):
        with st.container(key=f"{key}-syllabus"):
            st.markdown(_lines(student, syllabus))
    is_open = sum(map(len, modules.values())) <= MOST_OPEN
    for number, (module, items) in enumerate(modules.items()):
        _draw_group(student, one_line(module, LONGEST_NAME), items, is_open=is_open, key=f"{key}-{number}")
    for kind, name in KIND_NAMES.items():
        if items := by_kind.get(kind, []):
            _draw_group(student, gettext(name), items, is_open=not modules, key=f"{key}-{kind}")


def _draw_group(student: Student, name: str, items: Sequence[ListedMaterial], *, is_open: bool, key: str) -> None:
    """Draw a group that opens; of a closed one only its name."""
    folded = st.expander(f"{literal(name)} · {len(items)}", expanded=is_open, key=key, on_change="rerun")
    if folded.open:
        folded.markdown(_lines(student, items))


def _lines(student: Student, items: Sequence[ListedMaterial]) -> str:
    origin = session.services().settings.public_url
    return "\n".join(material_line(item, student, origin) for item in items)


def material_line(listed: ListedMaterial, student: Student, origin: str) -> str:
    """Line of a material; what cannot be read leads to the original. origin: Homeroom's public address."""
    material = listed.material
    obstacle = material.locked or listed.refusal
    icon = LOCKED_ICON if material.locked else _icon(material)
    if obstacle:
        title, facts = literal(_title(material)), [obstacle]
        if not material.locked and _WEB.fullmatch(material.url):
            title = f"[{title}](<{material.url}>)"
    else:
        title = f"[{literal(_title(material))}](<{material_address(origin, material.id, 1)}>)"
        facts = [
            _length(listed),
            _size(material),
            _day(material, student),
            gettext("read by Homeroom") if listed.is_read else "",
        ]
    shown = literal(" · ".join(fact for fact in facts if fact))
    practise = "" if obstacle else f" :small[[{gettext('Practise')}](<{practice_address(origin, material.id)}>)]"
    return f"- {icon} {title}" + (f" :small[:gray[{shown}]]" if shown else "") + practise


def hit_line(hit: MaterialHit, origin: str) -> str:
    """A search's hit: where it stands, as a link that opens the reader there, and the words around it."""
    address = with_passage(material_address(origin, hit.material.id, hit.page.number), shorten_quote(hit.mark))
    place = _title(hit.material)
    if hit.count > 1:
        place = f"{place}, {page_name(hit.unit, hit.page.number)}"
    excerpt = one_line(_HEADING.sub("", hit.passage), LONGEST_EXCERPT)
    return f"- {_icon(hit.material)} [{literal(place)}](<{address}>) :small[:gray[{literal(excerpt)}]]"


def page_name(unit: PageUnit, number: int) -> str:
    """A page in the middle of a sentence: "slide 12"."""
    names = {PageUnit.SLIDE: gettext("slide {n}", n=number), PageUnit.SECTION: gettext("section {n}", n=number)}
    return names.get(unit) or gettext("page {n}", n=number)


def _icon(material: Material) -> str:
    return FILE_ICONS.get(extension(material.name)) or KIND_ICONS[material.kind]


def _title(material: Material) -> str:
    return one_line(material.title or material.name, LONGEST_TITLE) or gettext("No title")


def _length(listed: ListedMaterial) -> str:
    match listed.unit:
        case None:
            return ""
        case PageUnit.SLIDE:
            return ngettext("{n} slide", "{n} slides", listed.pages)
        case PageUnit.SECTION:
            # Of one section nobody needs to hear.
            return ngettext("{n} section", "{n} sections", listed.pages) if listed.pages > 1 else ""
        case PageUnit.PAGE:
            return ngettext("{n} page", "{n} pages", listed.pages)


def _size(material: Material) -> str:
    """Of a file; that of a text in Canvas means nothing to anybody."""
    return format_size(material.size) if material.size and material.name else ""


def _day(material: Material, student: Student) -> str:
    return formats.short_day(to_local(material.dated_at, student).date()) if material.dated_at else ""
