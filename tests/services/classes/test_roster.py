"""A list of addresses lets in who signs in with one of them, vouched for, and nobody else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.classes.roster import parse_list
from services.classes.school_class import ClassRole
from services.errors import BadArguments
from services.identity.roles import Role, Roles
from tests.fakes import FakeClock, FakeDocuments
from tests.services.classes.school import School


@pytest.fixture
def school() -> School:
    clock = FakeClock()
    return School(FakeDocuments(clock=clock), clock)


@pytest.mark.parametrize(
    ("written", "addresses"),
    [
        ("a@b.edu", ["a@b.edu"]),
        ("a@b.edu\nc@d.edu\r\ne@f.edu", ["a@b.edu", "c@d.edu", "e@f.edu"]),
        ("Ruiz, Ana <Ana.Ruiz@B.EDU>; Chen, Maya <maya@b.edu>", ["ana.ruiz@b.edu", "maya@b.edu"]),
        ('"Ruiz, Ana",ana@b.edu,Section 1\n"Chen, Maya",maya@b.edu,Section 2', ["ana@b.edu", "maya@b.edu"]),
        ("Name\tEmail\nAna\tana@b.edu\t93", ["ana@b.edu"]),
        ("mailto:ana@b.edu, ANA@b.edu", ["ana@b.edu"]),
        ("(ana@b.edu).", ["ana@b.edu"]),
        ("jürgen@müller.example", ["jürgen@müller.example"]),
        ("o+bio@sub.b.co.uk", ["o+bio@sub.b.co.uk"]),
    ],
)
def test_addresses_are_found_in_what_people_paste(written: str, addresses: list[str]) -> None:
    assert list(parse_list(written).addresses) == addresses


def test_what_looks_like_an_address_and_is_none_is_told() -> None:
    parsed = parse_list("ana@b.edu\nbroken@nowhere\n@b.edu\nana@@b.edu")

    assert parsed.addresses == ("ana@b.edu",)
    assert parsed.unread == ("broken@nowhere", "@b.edu", "ana@@b.edu")


@given(st.text(max_size=200))
def test_no_list_breaks_the_form(written: str) -> None:
    for address in parse_list(written).addresses:
        assert address.count("@") == 1
        assert parse_list(address).addresses == (address,)


def test_who_signs_in_with_a_listed_address_is_in_and_reads_of_it_once(school: School) -> None:
    made = school.make_class()
    school.roster.invite(school.anne, made.id, "MAYA@campus.example, ana@campus.example")
    maya = school.sign_in("maya")

    assert [invited.email for invited in school.roster.invited(school.anne, made.id)] == [
        "ana@campus.example",
        "maya@campus.example",
    ]
    assert school.roster.accept(maya) == 1
    assert school.roster.accept(maya) == 0
    assert school.classes.role_in(maya.id, made.id) is ClassRole.MEMBER
    assert school.memberships.untold(maya) == [made]
    school.memberships.mark_told(maya, made.id)
    assert school.memberships.untold(maya) == []
    assert [invited.email for invited in school.roster.invited(school.anne, made.id)] == ["ana@campus.example"]


def test_an_address_that_nobody_vouches_for_joins_nothing(school: School) -> None:
    made = school.make_class()
    school.roster.invite(school.anne, made.id, "maya@campus.example")

    assert school.roster.accept(school.sign_in("maya", is_email_verified=False)) == 0
    assert school.roster.accept(school.sign_in("nobody", email="")) == 0
    assert school.roster.accept(school.sign_in("maya")) == 1


@pytest.mark.parametrize("address", ["o\u212aafor@campus.example", "o\u212aAFOR@CAMPUS.example"])
def test_a_letter_of_another_alphabet_makes_nobody_somebody_else(school: School, address: str) -> None:
    """The Kelvin sign has "k" as its small letter, so that one mailbox would be taken for another one's."""
    made = school.make_class()
    school.roster.invite(school.anne, made.id, "okafor@campus.example")
    roles = Roles(operators=["okafor@campus.example", "ZOË@campus.example"])
    stranger, zoe = school.sign_in("stranger", email=address), school.sign_in("zoe", email="zoë@CAMPUS.example")

    assert school.roster.accept(stranger) == 0
    assert [roles.of(student) for student in (stranger, zoe)] == [Role.STUDENT, Role.OPERATOR]


def test_a_colleague_is_made_an_instructor_by_address(school: School) -> None:
    made, ben = school.make_class(), school.sign_in("ben")
    school.roster.invite(school.anne, made.id, "ben@campus.example")
    school.roster.invite(school.anne, made.id, "ben@campus.example", role=ClassRole.INSTRUCTOR)
    school.roster.invite(school.anne, made.id, "ben@campus.example")
    school.roster.accept(ben)

    assert school.classes.role_in(ben.id, made.id) is ClassRole.INSTRUCTOR


def test_an_invitation_that_was_taken_back_or_of_a_class_that_is_over_lets_nobody_in(school: School) -> None:
    made, over, maya = school.make_class(), school.make_class("Over"), school.sign_in("maya")
    for invited in (made, over):
        school.roster.invite(school.anne, invited.id, "maya@campus.example")
    for _ in range(2):
        school.roster.withdraw(school.anne, made.id, "Maya@campus.example")
    school.classes.archive(school.anne, over.id)

    assert school.roster.accept(maya) == 0
    school.classes.reopen(school.anne, over.id)
    assert school.roster.accept(maya) == 1


def test_a_list_without_an_address_and_one_that_is_too_long_are_refused(school: School) -> None:
    made = school.make_class()
    for written in ("", "nobody here", "x" * 200_001, "\n".join(f"s{number}@b.edu" for number in range(2_001))):
        with pytest.raises(BadArguments):
            school.roster.invite(school.anne, made.id, written)

    assert school.roster.invited(school.anne, made.id) == []


def test_an_invitation_is_used_up_by_whoever_joins_otherwise_except_one_to_teach(school: School) -> None:
    made, other = school.make_class(), school.make_class("Other")
    code = made.join_code
    for class_id in (made.id, other.id):
        school.roster.invite(school.anne, class_id, "maya@campus.example zoe@campus.example")
    school.roster.invite(school.anne, made.id, "ben@campus.example", role=ClassRole.INSTRUCTOR)
    for name, is_verified in (("maya", True), ("zoe", False), ("ben", True)):
        school.memberships.join(school.sign_in(name, is_email_verified=is_verified), code)

    assert [invited.email for invited in school.roster.invited(school.anne, made.id)] == [
        "ben@campus.example",
        "zoe@campus.example",
    ]
    assert len(school.roster.invited(school.anne, other.id)) == 2


def test_an_invitation_that_cannot_be_read_hides_no_other_and_stops_no_sign_in(school: School) -> None:
    made, other, maya = school.make_class(), school.make_class("Other"), school.sign_in("maya")
    for class_id in (made.id, other.id):
        school.roster.invite(school.anne, class_id, "maya@campus.example ana@campus.example")
    [damaged, *_] = school.store.shared.find("class_invitations", {"class_id": made.id, "email": "maya@campus.example"})
    school.store.shared.compare_and_set("class_invitations", damaged["id"], {}, {"role": "later role"})

    assert [invited.email for invited in school.roster.invited(school.anne, made.id)] == ["ana@campus.example"]
    assert school.roster.accept(maya) == 1
