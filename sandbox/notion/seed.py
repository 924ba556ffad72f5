"""The workspaces on the first day: nested course pages with notes, two databases, one page that is not shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from sandbox.campus import Campus
from sandbox.class_list.personas import Persona
from sandbox.notion.ids import seeded_id
from sandbox.notion.markdown import normalized
from sandbox.notion.properties import new_option
from sandbox.notion.tables import BOOKS, BOTH, OWN, READING, STATUSES, TRACKER, Schema
from sandbox.notion.workspace import DATABASES, PAGES, SOURCES, Record


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """A page to make from a file in notes/; `age` is how many days ago it was last edited."""

    file: str
    icon: str = ""
    age: int = 10
    below: Sequence["Leaf"] = ()
    is_private: bool = False


CS_101 = (
    Leaf(file="cs101-recursion", age=6),
    Leaf(file="cs101-stacks", age=2),
    Leaf(file="cs101-project", age=3),
)
MATH_221 = (Leaf(file="math221-integration", age=40), Leaf(file="math221-series", age=4))
FORESTS: dict[str, tuple[Leaf, ...]] = {
    "maya": (
        Leaf(
            file="fall-maya",
            icon="🍁",
            age=1,
            below=(
                Leaf(
                    file="biol201",
                    icon="🧬",
                    below=(
                        Leaf(file="biol201-cell-cycle", age=5),
                        Leaf(file="biol201-signals", age=3),
                        Leaf(file="biol201-lab6", icon="🧅", age=2),
                    ),
                ),
                Leaf(file="cs101", icon="🐍", below=CS_101),
                Leaf(file="math221", icon="∑", below=MATH_221),
                Leaf(
                    file="hist142",
                    icon="🗺️",
                    below=(Leaf(file="hist142-bandung", age=4), Leaf(file="hist142-paper", age=8)),
                ),
                Leaf(file="writ110", icon="✍️", below=(Leaf(file="writ110-essay4", age=1),)),
            ),
        ),
        Leaf(file="studying", icon="🕯️", age=60),
        Leaf(file="japanese", icon="🍙", age=20),
        Leaf(file="summer", age=33),
        Leaf(file="imported", age=12),
        Leaf(file="journal", icon="🔒", age=0, is_private=True),
    ),
    "diego": (
        Leaf(
            file="fall-diego",
            icon="🍂",
            age=2,
            below=(
                Leaf(file="cs101", icon="🐍", below=CS_101),
                Leaf(file="math221", icon="∑", below=MATH_221),
                Leaf(
                    file="chem105",
                    icon="⚗️",
                    below=(Leaf(file="chem105-vsepr", age=3), Leaf(file="chem105-flames", age=1)),
                ),
                Leaf(file="psyc110", icon="🧠", below=(Leaf(file="psyc110-memory", age=25),)),
                Leaf(file="writ110", icon="✍️", below=(Leaf(file="writ110-essay4", age=5),)),
            ),
        ),
        Leaf(file="training", icon="🏃", age=1),
        Leaf(file="imported", age=14),
        Leaf(file="journal", icon="🔒", age=3, is_private=True),
    ),
    "okafor": (Leaf(file="teaching", icon="🔬", age=9),),
}


def seed_workspaces(campus: Campus) -> None:
    """Write everyone's workspace into the empty state."""
    for person_id, forest in (FORESTS | {each.person.id: _forest(each) for each in campus.personas}).items():
        planter = Planter(campus, person_id)
        for leaf in forest:
            planter.plant(leaf, {"type": "workspace", "workspace": True}, 0)
        if person_id in OWN:
            planter.add_tracker(forest[0])
            planter.add_reading(forest[0])


def _forest(persona: Persona) -> tuple[Leaf, ...]:
    """The notebook of a student of a demo's class: the notes of their courses."""
    known = {leaf.file: leaf for forest in (FORESTS["maya"], FORESTS["diego"]) for leaf in forest[0].below}
    files = [course.lower().replace(" ", "") for course in persona.courses]
    return (*(known[file] for file in files if file in known), Leaf(file="studying", icon="🕯️", age=60))


class Planter:
    """Writes one person's workspace."""

    def __init__(self, campus: Campus, person_id: str) -> None:
        self._campus = campus
        self._person_id = person_id

    def plant(self, leaf: Leaf, parent: Record, order: int) -> None:
        """A page and all below it."""
        title, markdown = _note(leaf.file)
        page_id = self._id(leaf.file)
        self._put(
            PAGES,
            page_id,
            leaf.age,
            order,
            parent=parent,
            title=title,
            icon={"type": "emoji", "emoji": leaf.icon} if leaf.icon else None,
            markdown=markdown,
            values={},
            private=leaf.is_private,
        )
        for place, child in enumerate(leaf.below):
            self.plant(child, {"type": "page_id", "page_id": page_id}, place)

    def add_tracker(self, home: Leaf) -> None:
        """The database of assignments."""
        rows = [
            (
                task[0],
                {
                    "Course": task[1],
                    "Status": task[2],
                    "Due": self._day(task[3]),
                    "Weight": task[4] / 100,
                    "Hours": task[5],
                    "Submitted": task[2] == "Done",
                    "Tags": list(task[6]),
                    "Notes": "",
                },
            )
            for task in (*OWN[self._person_id], *BOTH)
        ]
        self._add_database("Assignment tracker", "📋", TRACKER, home, rows)

    def add_reading(self, home: Leaf) -> None:
        """The database of books."""
        rows = [
            (
                title,
                {
                    "Author": author,
                    "Kind": kind,
                    "Pages": pages,
                    "Status": status,
                    "Favourite": status == "Done" and pages < 250,
                },
            )
            for title, author, kind, pages, status in BOOKS
        ]
        self._add_database("Reading list", "📚", READING, home, rows)

    def _add_database(
        self, title: str, icon: str, schema: Schema, home: Leaf, rows: Sequence[tuple[str, dict[str, Any]]]
    ) -> None:
        database_id, source_id = self._id(title, "database"), self._id(title, "source")
        parent = {"type": "page_id", "page_id": self._id(home.file)}
        shown = {"type": "emoji", "emoji": icon}
        self._put(DATABASES, database_id, 2, 0, parent=parent, title=title, icon=shown, source=source_id, private=False)
        filled = _with_options(schema, [values for _, values in rows])
        source = {"id": source_id, "person": self._person_id, "database": database_id, "title": title, "schema": filled}
        self._campus.state.put(SOURCES, source_id, source)
        place = {"type": "data_source_id", "data_source_id": source_id, "database_id": database_id}
        for order, (name, values) in enumerate(rows):
            row_id = self._id(title, name)
            self._put(
                PAGES, row_id, 7, order, parent=place, title=name, icon=None, markdown="", values=values, private=False
            )

    def _put(self, kind: str, object_id: str, age: int, order: int, **facts: Any) -> None:
        edited = self._campus.local(-age, 12) + timedelta(minutes=order)
        made = edited - timedelta(days=7)
        self._campus.state.put(
            kind,
            object_id,
            {
                "id": object_id,
                "person": self._person_id,
                "cover": None,
                "in_trash": False,
                "created_by": self._id("user"),
                "last_edited_by": self._id("user"),
                "created_time": _stamp(made),
                "last_edited_time": _stamp(edited),
                **facts,
            },
        )

    def _id(self, *names: str) -> str:
        return seeded_id(self._person_id, *names)

    def _day(self, days: int) -> Record:
        return {"start": (self._campus.today + timedelta(days=days)).isoformat(), "end": None, "time_zone": None}


@cache
def _note(name: str) -> tuple[str, str]:
    """Title and content of a file in notes/."""
    text = (files("sandbox.notion") / "notes" / f"{name}.md").read_text("utf-8")
    head, _, rest = text.partition("\n")
    return head.removeprefix("# "), normalized(rest)


def _with_options(schema: Schema, rows: Sequence[dict[str, Any]]) -> Schema:
    """The schema with the options that its rows use."""
    filled: Schema = {}
    for name, spec in schema.items():
        filled[name] = dict(spec)
        if spec["type"] == "status":
            filled[name]["options"] = [new_option(option, index) for index, option in enumerate(STATUSES)]
        elif spec["type"] in ("select", "multi_select"):
            values = [row.get(name) for row in rows]
            used = {option: None for value in values for option in (value if isinstance(value, list) else [value])}
            filled[name]["options"] = [new_option(str(option), index) for index, option in enumerate(used)]
    return filled


def _stamp(moment: Any) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
