"""Who joins is in once and never beyond the limit; a class always has somebody who teaches it (R91, T41)."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from services.classes.class_repository import ClassFull, memberships_read_once
from services.classes.school_class import ClassRole, SchoolClass
from services.errors import BadArguments, HomeroomError, ItemNotFound, Throttled
from services.identity.students import Student
from services.runtime.clock import utc_now
from services.storage.documents import Documents
from tests.fakes import FakeClock, FakeDocuments
from tests.room_fixtures import engine, engine_clock  # noqa: F401 - fixtures
from tests.services.classes.school import School

AT_ONCE = 20


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def school(clock: FakeClock) -> School:
    return School(FakeDocuments(clock=clock), clock)


def at_once(acts: Iterable[Callable[[], object]]) -> list[object]:
    """Do these at the same moment; what each returned, or the error that it raised."""
    acts = list(acts)
    barrier = Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return act()
        except HomeroomError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def limit(school: School, made: SchoolClass, most: int) -> SchoolClass:
    return school.classes.change(school.anne, made.id, version=made.version, name=made.name, term="", most_members=most)


def test_twenty_who_join_at_once_on_two_replicas_fill_a_class_exactly(engine: Documents) -> None:  # noqa: F811
    replicas = [School(engine, utc_now) for _ in range(2)]
    made = limit(replicas[0], replicas[0].make_class(), 7)
    students = [replicas[0].sign_in(f"student{number}") for number in range(AT_ONCE)]

    def joins(number: int, student: Student) -> Callable[[], object]:
        return lambda: replicas[number % 2].memberships.join(student, made.join_code)

    results = at_once(joins(number, student) for number, student in enumerate(students))

    assert sum(isinstance(result, SchoolClass) for result in results) == 7
    assert sum(isinstance(result, ClassFull) for result in results) == AT_ONCE - 7
    assert len(replicas[1].repository.members(made.id, role="member")) == 7


def test_who_joins_many_times_at_once_is_in_once(engine: Documents) -> None:  # noqa: F811
    school = School(engine, utc_now)
    made, maya = school.make_class(), school.sign_in("maya")

    results = at_once([lambda: school.memberships.join(maya, made.join_code)] * 8)

    assert all(isinstance(result, SchoolClass) for result in results)
    assert school.names_in(made) == ["Anne", "Maya"]


def test_a_limit_that_was_lowered_lets_nobody_in_until_there_is_room(school: School) -> None:
    made = limit(school, school.make_class(), 6)
    students = [school.sign_in(f"student{number}") for number in range(6)]
    for student in students:
        school.memberships.join(student, made.join_code)
    limit(school, school.classes.require_instructor(school.anne, made.id), 3)
    late = school.sign_in("late")

    for student in students[:4]:
        with pytest.raises(ClassFull):
            school.memberships.join(late, made.join_code)
        school.memberships.leave(student, made.id)

    school.memberships.join(late, made.join_code)
    with pytest.raises(ClassFull):
        school.memberships.join(students[0], made.join_code)


def test_a_code_is_read_as_people_type_it(school: School) -> None:
    made, maya = school.make_class(), school.sign_in("maya")
    code = made.join_code

    for typed in (
        code.lower(),
        f" {code[:4]}-{code[4:]} ",
        f"{code[:4]} {code[4:]}",
        f"https://h.example/join/{code}/",
    ):
        assert school.memberships.invitation(maya, typed).school_class == made
    for wrong in ("", "-", code[:-1], f"{code}X", "0" * 8, "x" * 100_000, "\x00" * 8, "ß" * 8):
        with pytest.raises(ItemNotFound):
            school.memberships.invitation(school.sign_in(f"somebody{len(wrong)}"), wrong)


def test_who_tries_many_codes_waits_even_with_the_right_one(school: School, clock: FakeClock) -> None:
    made, maya = school.make_class(), school.sign_in("maya")
    for _ in range(20):
        with pytest.raises(ItemNotFound):
            school.memberships.invitation(maya, "ABCDEFGH")

    with pytest.raises(Throttled) as refused:
        school.memberships.join(maya, made.join_code)
    assert refused.value.retry_after_s
    assert school.memberships.join(school.sign_in("ana"), made.join_code) == made
    clock.advance(minutes=2)
    assert school.memberships.join(maya, made.join_code) == made


def test_an_invitation_tells_the_class_and_who_teaches_it_before_one_joins(school: School) -> None:
    made, maya = school.make_class(), school.sign_in("maya")

    invitation = school.memberships.invitation(maya, made.join_code)

    assert [instructor.name for instructor in invitation.instructors] == ["Anne"]
    assert invitation.role is None
    assert school.classes.of_student(maya.id) == []
    school.memberships.join(maya, made.join_code)
    assert school.memberships.invitation(maya, made.join_code).role is ClassRole.MEMBER


def test_the_last_instructor_stays_until_there_is_another(school: School) -> None:
    made, ben = school.make_class(), school.sign_in("ben")
    school.memberships.join(ben, made.join_code)
    for refused in (
        lambda: school.memberships.leave(school.anne, made.id),
        lambda: school.memberships.remove(school.anne, made.id, school.anne.id),
        lambda: school.memberships.make_member(school.anne, made.id, school.anne.id),
    ):
        with pytest.raises(BadArguments):
            refused()

    school.memberships.make_instructor(school.anne, made.id, ben.id)
    school.memberships.leave(school.anne, made.id)

    assert school.classes.role_in(school.anne.id, made.id) is None
    with pytest.raises(BadArguments):
        school.memberships.leave(ben, made.id)


def test_instructors_who_leave_or_remove_each_other_at_once_never_leave_a_class_alone(
    engine: Documents,  # noqa: F811
) -> None:
    school = School(engine, utc_now)
    made, ben = school.make_class(), school.sign_in("ben")
    school.memberships.admit(made.id, ben.id, ClassRole.INSTRUCTOR, joined_by="list")
    at_once(
        [
            lambda: school.memberships.leave(school.anne, made.id),
            lambda: school.memberships.leave(ben, made.id),
            lambda: school.memberships.remove(ben, made.id, school.anne.id),
            lambda: school.memberships.make_member(school.anne, made.id, ben.id),
        ]
    )

    assert school.repository.members(made.id, role="instructor")


def test_a_mark_that_a_crash_left_holds_up_nobody_for_long(school: School, clock: FakeClock) -> None:
    made, ben = school.make_class(), school.sign_in("ben")
    school.memberships.admit(made.id, ben.id, ClassRole.INSTRUCTOR, joined_by="list")
    mark = "2020-01-01T00:00:00.000000+00:00"
    school.repository.change_member(made.id, ben.id, {}, leaving_at=mark)

    school.memberships.leave(school.anne, made.id)

    assert school.classes.role_in(ben.id, made.id) is ClassRole.INSTRUCTOR
    assert not school.repository.dismiss(made.id, ben.id, leaving_at=mark)


def test_who_is_removed_or_leaves_is_a_stranger_again(school: School) -> None:
    made = school.make_class()
    for act in (school.memberships.leave, lambda who, id: school.memberships.remove(school.anne, id, who.id)):
        maya = school.sign_in("maya")
        school.memberships.join(maya, made.join_code)
        act(maya, made.id)

        with pytest.raises(ItemNotFound):
            school.classes.require_member(maya, made.id)
        with pytest.raises(ItemNotFound):
            school.memberships.leave(maya, made.id)


def test_a_deleted_account_leaves_its_classes_and_closes_those_that_nobody_teaches_then(school: School) -> None:
    ben, maya = school.sign_in("ben"), school.sign_in("maya")
    shared, alone, empty = (school.make_class(name) for name in ("Shared", "Alone", "Empty"))
    school.memberships.admit(shared.id, ben.id, ClassRole.INSTRUCTOR, joined_by="list")
    for made in (shared, alone):
        school.memberships.join(maya, made.join_code)

    for _ in range(2):
        school.memberships.forget(school.anne.id)

    assert school.classes.of_student(school.anne.id) == []
    told = {found.name: found.archived_at is None for found, _ in school.classes.of_student(maya.id)}
    assert told == {"Shared": True, "Alone": False}
    assert school.repository.get(empty.id) is None
    school.memberships.leave(maya, alone.id)


def test_an_abandoned_class_stays_so_when_both_who_teach_it_delete_their_accounts_at_once(
    engine: Documents,  # noqa: F811
) -> None:
    school = School(engine, utc_now)
    made, ben, maya = school.make_class(), school.sign_in("ben"), school.sign_in("maya")
    school.memberships.admit(made.id, ben.id, ClassRole.INSTRUCTOR, joined_by="list")
    school.memberships.join(maya, made.join_code)

    at_once([lambda: school.memberships.forget(school.anne.id), lambda: school.memberships.forget(ben.id)])

    ((found, role),) = school.classes.of_student(maya.id)
    assert found.archived_at is not None
    assert role is ClassRole.MEMBER


def test_a_role_that_the_school_names_rises_and_never_falls(school: School) -> None:
    made, maya = school.make_class(), school.sign_in("maya")
    for role in (ClassRole.MEMBER, ClassRole.INSTRUCTOR, ClassRole.MEMBER):
        school.memberships.admit(made.id, maya.id, role, joined_by="lti")

    assert school.classes.role_in(maya.id, made.id) is ClassRole.INSTRUCTOR
    school.classes.archive(school.anne, made.id)
    school.memberships.admit(made.id, maya.id, ClassRole.MEMBER, joined_by="lti")
    with pytest.raises(ItemNotFound):
        school.memberships.admit(made.id, school.sign_in("ana").id, ClassRole.MEMBER, joined_by="lti")


def test_who_is_named_comes_in_although_the_class_is_full(school: School) -> None:
    made = limit(school, school.make_class(), 1)
    school.memberships.join(school.sign_in("maya"), made.join_code)
    school.memberships.admit(made.id, school.sign_in("ana").id, ClassRole.MEMBER, joined_by="lti")

    assert school.names_in(made) == ["Anne", "Ana", "Maya"]
    with pytest.raises(ClassFull):
        school.memberships.join(school.sign_in("late"), made.join_code)


def test_the_parts_of_one_request_read_memberships_once_and_the_next_request_reads_them_anew(clock: FakeClock) -> None:
    documents = FakeDocuments(clock=clock)
    school, other_replica = School(documents, clock), School(documents, clock)
    made, maya = school.make_class(), school.sign_in("maya")
    school.repository.admit(made, maya.id, ClassRole.MEMBER, joined_by="code")

    with memberships_read_once():
        before = documents.reads
        first = school.repository.memberships(maya.id)
        other_replica.repository.dismiss(made.id, maya.id)
        same = school.repository.memberships(maya.id)
        reads = documents.reads - before

    with memberships_read_once():
        later = school.repository.memberships(maya.id)
    assert ([member.class_id for member in first], same, reads) == ([made.id], first, 1)
    assert (list(later), list(school.repository.memberships(maya.id))) == ([], [])
