"""Small libraries in memory, to search in."""

from collections.abc import Sequence
from datetime import UTC, datetime

from services.materials.material import Material, MaterialKind, MaterialPage, MaterialText, PageUnit
from services.materials.search.library_index import IndexedMaterial, LibraryIndex
from services.materials.search.material_index import decode_index, index_text

SLIDES = {
    "Lecture 4: Membranes": (
        "Lecture 4: Membranes\nBIOL 201\nDr Okafor",
        "Osmosis\nOsmosis is the net movement of water across a membrane that lets water pass and not what is solved.",
        "Tonicity\nIn a hypertonic solution an animal cell shrivels. In a hypotonic one it swells and may burst.",
        "The sodium pump\nThe pump moves three sodium ions out and two potassium ions in, and spends one ATP.",
    ),
    "Lecture 5: Enzymes": (
        "Lecture 5: Enzymes\nBIOL 201\nDr Okafor",
        "Catalysis\nAn enzyme lowers the activation energy of a reaction. Water takes part in many of these reactions.",
        "Inhibitors\nA competitive inhibitor binds the active site. Cholesterol synthesis is inhibited by statins.",
        "Fotosíntesis\nLas plantas convierten la luz en energía química. El agua se rompe y se libera oxígeno.",
    ),
}
POSTED = {"Lecture 4: Membranes": datetime(2026, 11, 17, 8, tzinfo=UTC)}


def text_of(pages: Sequence[str], *, labels: Sequence[str] = (), notes: Sequence[str] = ()) -> MaterialText:
    return MaterialText(
        unit=PageUnit.SLIDE,
        pages=[
            MaterialPage(
                number=number,
                label=labels[number - 1] if labels else "",
                text=page,
                notes=notes[number - 1] if notes else "",
                is_blank=not page,
            )
            for number, page in enumerate(pages, start=1)
        ],
    )


def library(slides: dict[str, tuple[str, ...]] | None = None, *, course: str = "bio") -> LibraryIndex:
    """A library of these decks, each with a course of its own where the title names one before a "|"."""
    return LibraryIndex(entries(slides or SLIDES, course=course))


def entries(slides: dict[str, tuple[str, ...]] = SLIDES, *, course: str = "bio") -> list[IndexedMaterial]:
    return [_entry(title, text_of(pages), course) for title, pages in slides.items()]


def _entry(title: str, text: MaterialText, course: str) -> IndexedMaterial:
    own_course, _, own_title = title.rpartition("|")
    material = Material(
        id=title,
        course_key=own_course or course,
        kind=MaterialKind.FILE,
        title=own_title,
        module="Week 3",
        dated_at=POSTED.get(own_title),
    )
    return IndexedMaterial(material=material, index=decode_index(index_text(text).encode()))
