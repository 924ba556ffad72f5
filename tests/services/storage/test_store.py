"""Two students never meet in the store, and nobody can ask it a question without an owner."""

from collections.abc import Callable
from typing import Any

import pytest

from services.errors import DuplicateDocument
from services.storage.documents import Documents
from services.storage.store import SharedDocuments, Store, StudentDocuments

pytestmark = pytest.mark.exact_documents


@pytest.fixture
def store(engine: Documents) -> Store:
    return Store(engine)


@pytest.fixture
def maya(store: Store) -> StudentDocuments:
    return store.for_student("maya")


@pytest.fixture
def diego(store: Store) -> StudentDocuments:
    return store.for_student("diego")


def test_equal_ids_of_two_students_are_two_documents(maya: StudentDocuments, diego: StudentDocuments) -> None:
    maya.insert("tasks", {"id": "t1", "title": "Maya's"})
    diego.insert("tasks", {"id": "t1", "title": "Diego's"})

    assert maya.get("tasks", "t1") == {"id": "t1", "title": "Maya's"}
    assert diego.find("tasks", {}) == [{"id": "t1", "title": "Diego's"}]


def test_several_owners_are_read_at_once_each_with_their_own(
    store: Store, maya: StudentDocuments, diego: StudentDocuments
) -> None:
    maya.insert("materials", {"id": "m1", "course_key": "a"})
    diego.insert("materials", {"id": "m1", "course_key": "b"})
    store.for_student("ana").insert("materials", {"id": "m1", "course_key": "c"})

    assert store.find_of(["maya", "diego", "nobody"], "materials") == {
        "maya": [{"id": "m1", "course_key": "a"}],
        "diego": [{"id": "m1", "course_key": "b"}],
        "nobody": [],
    }
    assert store.find_of([], "materials") == {}
    with pytest.raises(ValueError, match="not a collection"):
        store.find_of(["maya"], "students")


def test_a_unique_value_is_unique_for_each_student(maya: StudentDocuments, diego: StudentDocuments) -> None:
    message = {"conversation_id": "c1", "seq": 1}
    maya.insert("messages", {"id": "m1", **message})
    diego.insert("messages", {"id": "m1", **message})
    with pytest.raises(DuplicateDocument):
        maya.insert("messages", {"id": "m2", **message})

    assert len(diego.find("messages", {})) == 1


@pytest.mark.parametrize("id", ["t1", "maya/t1", "../maya/t1", "diego/../maya/t1"])
def test_no_verb_reaches_another_students_document(maya: StudentDocuments, diego: StudentDocuments, id: str) -> None:
    kept = {"id": "t1", "title": "Read chapter 4", "count": 1}
    maya.insert("tasks", kept)

    assert diego.get("tasks", id) is None
    assert diego.find("tasks", {"id": id}) == []
    assert diego.find("tasks", {"id": {"$in": [id, "t1"]}}) == []
    assert diego.find("tasks", {"id": {"$gte": ""}}) == []
    assert diego.count("tasks", {}) == 0
    assert diego.compare_and_set("tasks", id, {}, {"title": "stolen"}) is None
    assert diego.delete("tasks", {}) == 0
    assert diego.delete("tasks", {"id": id}) == 0
    diego.put("tasks", {"id": id, "title": "Diego's"})
    diego.increment("tasks", id, {"count": 10}, defaults={})
    assert maya.find("tasks", {}) == [kept]


@pytest.mark.parametrize(
    "ask",
    [
        lambda view: view.find("tasks", {"owner": "maya"}),
        lambda view: view.find("tasks", {"owner": {"$ne": ""}}),
        lambda view: view.find("tasks", {"owner.x": None}),
        lambda view: view.delete("tasks", {"owner": "maya"}),
        lambda view: view.compare_and_set("tasks", "t1", {"owner": "maya"}, {"title": "stolen"}),
        lambda view: view.compare_and_set("tasks", "t1", {}, {"owner": "diego"}),
        lambda view: view.compare_and_set("tasks", "t1", {}, {"id": "maya/t1"}),
        lambda view: view.insert("tasks", {"id": "t2", "owner": "maya"}),
        lambda view: view.put("tasks", {"id": "t2", "owner": "maya"}),
        lambda view: view.increment("tasks", "t2", {"owner": 1}, defaults={}),
        lambda view: view.increment("tasks", "t2", {"n": 1}, defaults={"owner": "maya"}),
        lambda view: view.find("students", {}),
        lambda view: view.get("leases", "l1"),
    ],
)
def test_an_owner_cannot_be_named_or_left_out(
    maya: StudentDocuments, diego: StudentDocuments, ask: Callable[[StudentDocuments], object]
) -> None:
    maya.insert("tasks", {"id": "t1"})
    with pytest.raises(ValueError):
        ask(diego)

    assert maya.find("tasks", {}) == [{"id": "t1"}]
    assert diego.find("tasks", {}) == []


@pytest.mark.parametrize("id", ["", "maya/x", "/"])
def test_a_student_id_that_could_reach_into_another_is_refused(store: Store, id: str) -> None:
    with pytest.raises(ValueError):
        store.for_student(id)


@pytest.mark.parametrize(
    "ask",
    [
        lambda shared: shared.find("tasks", {}),
        lambda shared: shared.get("tasks", "maya/t1"),
        lambda shared: shared.insert("tasks", {"id": "maya/t2"}),
        lambda shared: shared.put("tasks", {"id": "maya/t1"}),
        lambda shared: shared.compare_and_set("tasks", "maya/t1", {}, {}),
        lambda shared: shared.increment("tasks", "maya/t1", {"n": 1}, defaults={}),
        lambda shared: shared.delete("tasks", {}),
    ],
)
def test_an_owned_collection_is_not_shared(store: Store, ask: Callable[[SharedDocuments], object]) -> None:
    with pytest.raises(ValueError):
        ask(store.shared)


def test_the_owner_never_shows(maya: StudentDocuments) -> None:
    maya.insert("tasks", {"id": "t/1", "n": 1})
    maya.increment("tasks", "t/1", {"n": 1}, defaults={})
    maya.increment("tasks", "t2", {"n": 1}, defaults={"due_at": None})

    assert maya.compare_and_set("tasks", "t/1", {"id": "t/1", "n": 2}, {"n": 3}) == {"id": "t/1", "n": 3}
    assert maya.find("tasks", {}, order=[("id", -1)], limit=1) == [{"id": "t2", "due_at": None, "n": 1}]
    assert maya.find("tasks", {"id": {"$in": ["t/1"]}}) == [{"id": "t/1", "n": 3}]


def test_a_job_learns_whose_documents_match_and_nothing_else(
    store: Store, maya: StudentDocuments, diego: StudentDocuments
) -> None:
    for view, status in ((maya, "running"), (diego, "running"), (diego, "done")):
        view.insert("turns", {"id": f"turn/{status}", "conversation_id": "c", "started_at": "x", "status": status})

    assert sorted(store.owners("turns", {"status": "running"})) == [("diego", "turn/running"), ("maya", "turn/running")]
    assert len(store.owners("turns", {"status": "running"}, limit=1)) == 1
    for where in ({"owner": "maya"}, {"id": "maya/turn"}):
        with pytest.raises(ValueError):
            store.owners("turns", where)
    with pytest.raises(ValueError):
        store.owners("students", {})


def test_the_caller_keeps_its_own_document(maya: StudentDocuments) -> None:
    task: dict[str, Any] = {"id": "t1", "title": "Read"}
    maya.insert("tasks", task)

    assert task == {"id": "t1", "title": "Read"}


def test_shared_documents_are_everybodys(store: Store) -> None:
    store.shared.insert("leases", {"id": "sweep", "holder": None})
    store.shared.increment("leases", "sweep", {"fence": 1}, defaults={})

    assert store.shared.compare_and_set("leases", "sweep", {"holder": None}, {"holder": "a"}) is not None
    assert store.shared.compare_and_set("leases", "sweep", {"holder": None}, {"holder": "b"}) is None
    assert store.shared.find("leases", {"holder": "a"}) == [{"id": "sweep", "holder": "a", "fence": 1}]
    store.ping()


def test_later_stamps_of_all_students_are_told_with_their_ids_and_nothing_else(store: Store) -> None:
    for student in ("maya", "diego"):
        mine = store.for_student(student)
        mine.insert("conversations", {"id": "c1", "title": "Private", "changed_at": "2026-11-22T10:00:00.000000+00:00"})
        mine.insert("conversations", {"id": "c2", "title": "Private", "changed_at": "2026-11-22T08:00:00.000000+00:00"})
        mine.insert("conversations", {"id": "c3", "title": "Private"})

    later = "2026-11-22T10:00:00.000000+00:00"
    assert sorted(store.stamps_after("conversations", "changed_at", "2026-11-22T09:00:00.000000+00:00")) == [
        ("diego", "c1", later),
        ("maya", "c1", later),
    ]
    for collection, field in (("students", "changed_at"), ("conversations", "owner"), ("conversations", "id")):
        with pytest.raises(ValueError):
            store.stamps_after(collection, field, "")
