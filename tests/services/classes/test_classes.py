"""Classes are made once, changed by who teaches them, and gone with everything of them."""

from datetime import timedelta

import pytest

from services.classes.classes import MOST_CLASSES
from services.classes.school_class import ClassRole
from services.errors import BadArguments, ChangedElsewhere, ItemNotFound, PermissionMissing
from services.runtime.clock import stamp
from services.storage.collections import OF_CLASS, OF_MEMBERS
from tests.fakes import FakeClock, FakeDocuments
from tests.services.classes.school import School


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def school(clock: FakeClock) -> School:
    return School(FakeDocuments(clock=clock), clock)


def test_only_instructors_make_a_class_and_teach_what_they_made(school: School) -> None:
    made = school.classes.create(school.anne, name="  Biology\n201 ", term="Fall 2026")

    assert (made.name, made.term) == ("Biology 201", "Fall 2026")
    assert school.classes.of_student(school.anne.id) == [(made, ClassRole.INSTRUCTOR)]
    with pytest.raises(PermissionMissing):
        school.classes.create(school.sign_in("maya"), name="Biology 201")


def test_an_address_that_nobody_vouches_for_makes_no_class(school: School) -> None:
    with pytest.raises(PermissionMissing):
        school.classes.create(school.sign_in("ben", is_email_verified=False), name="Chemistry")

    assert school.classes.create(school.sign_in("ben"), name="Chemistry").name == "Chemistry"
    assert school.classes.create(school.sign_in("otto"), name="Physics").name == "Physics"


def test_a_form_that_is_sent_twice_makes_one_class(school: School) -> None:
    first, again = (school.classes.create(school.anne, name="Biology", request_id="form-1") for _ in range(2))
    other = school.classes.create(school.anne, name="Biology", request_id="form-2")

    assert first == again
    assert other.id != first.id
    assert len(school.classes.of_student(school.anne.id)) == 2
    theirs = school.classes.create(school.sign_in("ben"), name="Biology", request_id="form-1")
    assert theirs.id not in (first.id, other.id)


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "x" * 81])
def test_a_class_has_a_name_that_fits_on_a_line(school: School, name: str) -> None:
    with pytest.raises(BadArguments) as refused:
        school.classes.create(school.anne, name=name)

    assert refused.value.field == "name"


def test_nobody_fills_the_store_with_classes(school: School) -> None:
    for number in range(MOST_CLASSES):
        school.classes.create(school.anne, name=f"Class {number}")

    with pytest.raises(BadArguments):
        school.classes.create(school.anne, name="One more")


def test_of_two_who_change_a_class_at_once_the_second_is_told(school: School) -> None:
    made = school.make_class()
    changed = school.classes.change(
        school.anne, made.id, version=made.version, name="Biology", term="", most_members=30
    )

    assert (changed.name, changed.most_members, changed.version) == ("Biology", 30, made.version + 1)
    with pytest.raises(ChangedElsewhere):
        school.classes.change(school.anne, made.id, version=made.version, name="Bio", term="", most_members=3)
    assert school.classes.require_instructor(school.anne, made.id) == changed


def test_a_code_that_is_renewed_twice_at_once_is_renewed_once(school: School) -> None:
    made = school.make_class()
    renewed = school.classes.renew_code(school.anne, made.id, seen=made.join_code)
    again = school.classes.renew_code(school.anne, made.id, seen=made.join_code)

    assert renewed.join_code not in ("", made.join_code)
    assert again == renewed


def test_a_code_that_is_closed_ended_or_of_an_archived_class_lets_nobody_in(school: School, clock: FakeClock) -> None:
    maya, made = school.sign_in("maya"), school.make_class()

    def is_refused(code: str) -> bool:
        with pytest.raises(ItemNotFound):
            school.memberships.join(maya, code)
        return True

    ends = school.classes.set_code_end(school.anne, made.id, version=made.version, ends_at=clock() + timedelta(hours=1))
    clock.advance(hours=1)
    assert is_refused(ends.join_code)
    with pytest.raises(BadArguments):
        school.classes.set_code_end(school.anne, made.id, version=ends.version, ends_at=clock())
    renewed = school.classes.renew_code(school.anne, made.id, seen=ends.join_code)
    assert is_refused(ends.join_code)
    school.classes.close_code(school.anne, made.id)
    assert is_refused(renewed.join_code)
    school.classes.renew_code(school.anne, made.id, seen="")
    code = school.classes.require_instructor(school.anne, made.id).join_code
    school.classes.archive(school.anne, made.id)
    assert is_refused(code)
    assert school.classes.of_student(maya.id) == []


def test_the_class_of_a_course_makes_nobody_an_instructor_who_comes_later(school: School) -> None:
    first = school.classes.create_for_course(school.anne, id="c0ffee", name="Biology")
    again = school.classes.create_for_course(school.sign_in("maya"), id="c0ffee", name="Mine now")

    assert again == first
    assert school.names_in(first) == ["Anne"]


def test_an_archived_class_opens_again_and_keeps_its_people(school: School) -> None:
    maya, made = school.sign_in("maya"), school.make_class()
    school.memberships.join(maya, made.join_code)
    archived = school.classes.archive(school.anne, made.id)
    again = school.classes.archive(school.anne, made.id)

    assert archived.archived_at == again.archived_at is not None
    with pytest.raises(BadArguments):
        school.classes.renew_code(school.anne, made.id, seen="")
    opened = school.classes.reopen(school.anne, made.id)
    assert (opened.archived_at, opened.join_code) == (None, "")
    assert school.names_in(made) == ["Anne", "Maya"]


@pytest.mark.exact_documents
def test_a_deleted_class_leaves_nothing_in_any_collection(school: School) -> None:
    maya, made, other = school.sign_in("maya"), school.make_class(), school.make_class("Another")
    for kept in (made, other):
        school.memberships.join(maya, kept.join_code)
        school.roster.invite(school.anne, kept.id, "ana@campus.example")
    for collection in set(OF_CLASS) - {"class_members", "class_invitations"}:
        school.store.shared.insert(collection, {"id": f"one-{collection}", "class_id": made.id})
    for collection in OF_MEMBERS:
        for kept in (made, other):
            school.store.for_student(maya.id).insert(collection, {"id": kept.id, "class_id": kept.id})
    school.store.for_student(f"class.{made.id}").insert("material_courses", {"id": "shelf"})

    school.classes.delete(school.anne, made.id)

    assert _left_of(school, made.id) == []
    assert school.store.for_student(f"class.{made.id}").find("material_courses", {}) == []
    assert [found for found, _ in school.classes.of_student(maya.id)] == [other]
    assert [len(school.store.for_student(maya.id).find(collection, {})) for collection in OF_MEMBERS] == [1] * len(
        OF_MEMBERS
    )
    assert school.store.shared.get("classes", made.id) == {"id": made.id, "deleted_at": stamp(school.clock())}
    with pytest.raises(ItemNotFound):
        school.classes.delete(school.anne, made.id)


def test_a_deletion_that_was_cut_short_is_completed_and_seen_by_nobody_meanwhile(school: School) -> None:
    maya, made = school.sign_in("maya"), school.make_class()
    school.memberships.join(maya, made.join_code)
    school.repository.begin_deletion(made.id)

    assert school.classes.of_student(maya.id) == []
    assert school.classes.role_in(maya.id, made.id) is None
    with pytest.raises(ItemNotFound):
        school.memberships.join(school.sign_in("ana"), made.join_code)
    assert school.classes.finish_deletions() == 1
    assert school.classes.finish_deletions() == 0
    assert school.store.shared.find("class_members", {}) == []


def test_what_is_written_of_a_deleted_class_by_what_still_ran_goes_an_hour_later(
    school: School, clock: FakeClock
) -> None:
    maya, made = school.sign_in("maya"), school.make_class()
    school.classes.delete(school.anne, made.id)
    school.store.shared.insert("budget_totals", {"id": f"class.{made.id}", "class_id": made.id})
    school.store.shared.insert("class_invitations", {"id": "late", "class_id": made.id, "email": "ana@campus.example"})
    school.store.for_student(maya.id).insert("budget_shares", {"id": f"class.{made.id}", "class_id": made.id})

    assert school.classes.finish_deletions() == 0
    clock.advance(hours=1)
    assert school.classes.finish_deletions() == 1
    assert (_left_of(school, made.id), school.store.shared.find("classes", {})) == ([], [])


def _left_of(school: School, class_id: str) -> list[str]:
    """Collections with something of a class in them."""
    shared = [name for name in OF_CLASS if school.store.shared.find(name, {"class_id": class_id})]
    return [*shared, *(name for name in OF_MEMBERS if school.store.owners(name, {"class_id": class_id}))]
