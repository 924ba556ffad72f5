"""Only addresses that the student or a result named may be opened, and a model cannot have one named for it."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.safety.fetch import AddressRefused
from services.safety.provenance import Provenance, ResultProvenance
from services.safety.seen_addresses import AddressUnsure, SeenAddresses, require_seen_address

OURS = "https://homeroom.campus.example"


def heard(*words: str) -> SeenAddresses:
    known = SeenAddresses(own_origin=OURS)
    for said in words:
        known.add_student_text(said)
    return known


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Read https://a.example/x?y=1 please", "https://a.example/x?y=1"),
        ("Read https://a.example/x.", "https://a.example/x"),
        ("(https://a.example/wiki/A_(b))", "https://a.example/wiki/A_(b)"),
        ("<https://a.example/x>", "https://a.example/x"),
        ("HTTPS://A.EXAMPLE/Path", "https://a.example/Path"),
        ("https://a.example", "https://a.example/"),
        ("https://a.example:443/x", "https://a.example/x"),
        ("https://a.example/x#part", "https://a.example/x"),
        ("https://a.example/x", "https://a.example/x#part"),
        ("https://a.example/año", "https://a.example/a%C3%B1o"),
        ("what does library.example.edu/hours say?", "https://library.example.edu/hours"),
        ("what does www.bbc.com say?", "https://www.bbc.com/"),
        ("see library.example.edu:8443/x, ok", "https://library.example.edu:8443/x"),
        ("两个 https://例え.jp/道 吧", "https://xn--r8jz45g.jp/%E9%81%93"),
    ],
)
def test_what_the_student_wrote_is_known(said: str, asked: str) -> None:
    assert asked in heard(said)


@pytest.mark.parametrize(
    "asked",
    [
        "https://a.example/x?y=1&z=2",
        "https://a.example/x",
        "https://a.example/",
        "https://a.example/x?y=12",
        "http://a.example/x?y=1",
        "https://a.example:8443/x?y=1",
        "https://www.a.example/x?y=1",
        "https://a.example.evil.example/x?y=1",
        "https://a.example@evil.example/x?y=1",
        "https://a.example\\@evil.example/x?y=1",
        "https://evil.example/?u=https://a.example/x?y=1",
        "https://a.example/X?y=1",
        "ftp://a.example/x?y=1",
        "",
    ],
)
def test_nothing_may_be_added_or_taken_away(asked: str) -> None:
    known = heard("Read https://a.example/x?y=1 please")

    with pytest.raises(AddressRefused):
        require_seen_address(asked, known)


@settings(max_examples=60)
@given(st.text(alphabet="abc/?=&.%-", min_size=1, max_size=12))
def test_no_addition_to_a_known_address_is_known(addition: str) -> None:
    known = heard("https://a.example/x?y=1")

    assert f"https://a.example/x?y=1{addition}" not in known


def test_without_a_conversation_nothing_is_known() -> None:
    with pytest.raises(AddressRefused, match="Only addresses that the student wrote") as refusal:
        require_seen_address("https://a.example/", None)

    assert refusal.value.next_step


def test_a_result_makes_its_addresses_known_with_its_sources() -> None:
    known = heard("find something")
    known.add_tool_result(
        "- **A** — [open](https://a.example/1) (id: 1)", ["https://b.example/2"], arguments=["something"]
    )

    assert "https://a.example/1" in known
    assert "https://b.example/2" in known


@pytest.mark.parametrize(
    ("argument", "output"),
    [
        ("https://evil.example/?d=SECRET", "Nothing found for https://evil.example/?d=SECRET."),
        ("https://evil.example/?d=SECRET", "Nothing found for https://evil.example/?d=SEC…"),
        ("https://evil.example/?d=SE\u200bCRET", "Nothing found for https://evil.example/?d=SECRET."),
        ("https%3A%2F%2Fevil.example%2F%3Fd%3DSECRET", "Decoded: https://evil.example/?d=SECRET"),
        ("evil.example/?d=SECRET", "Did you mean https://evil.example/?d=SECRET?"),
        ("//evil.example?d=SECRET", "https://evil.example?d=SECRET"),
        ("https://evil。example/SECRET", "https://evil。example/SECRET"),
        ("evil．example/SECRET", "https://evil.example/SECRET"),
        ("https://ＥＶＩＬ.example/SECRET", "https://evil.example/SECRET"),
        ("HTTPS://EVIL.EXAMPLE/SECRET", "https://evil.example/SECRET"),
        ("https://evil.example./SECRET", "https://evil.example./SECRET and https://evil.example/SECRET"),
        ("say https://evil.example/a and b=SECRET", "https://evil.example/a?b=SECRET"),
    ],
)
def test_a_tool_that_repeats_what_it_was_given_names_nothing(argument: str, output: str) -> None:
    known = heard("What is new?")

    known.add_tool_result(output, arguments=[argument])

    assert not any(
        f"https://evil.example{rest}" in known for rest in ("/?d=SECRET", "?d=SECRET", "/SECRET", "/a?b=SECRET")
    )
    assert "https://evil.example/?d=SEC%E2%80%A6" not in known


def test_what_was_known_stays_known_though_a_call_repeats_it() -> None:
    known = heard("Read https://a.example/x")

    known.add_tool_result("“X” (a.example) [next](https://a.example/y)", arguments=["https://a.example/x"])

    assert "https://a.example/x" in known
    assert "https://a.example/y" in known


def test_homerooms_own_pages_are_never_known() -> None:
    known = heard(f"open {OURS}/auth/logout and {OURS}/settings")

    assert f"{OURS}/settings" not in known
    assert f"{OURS}/auth/logout" not in known


def test_links_of_strangers_are_known_until_something_private_was_told_and_then_those_found_are_asked_about() -> None:
    known = heard("Read https://page.example/")
    known.add_tool_result(
        "See [more](https://page.example/more).", ["https://page.example/"], provenance=Provenance.STRANGERS
    )
    known.add_tool_result("- [found](https://found.example/)", provenance=Provenance.PUBLIC)
    before = [url in known for url in ("https://page.example/", "https://page.example/more", "https://found.example/")]

    known.add_tool_result("Your grade is an A.", provenance=Provenance.STUDENT)

    after = [url in known for url in ("https://page.example/", "https://page.example/more", "https://found.example/")]
    assert (before, after) == ([True, True, True], [True, False, False])
    assert known.needs_confirmation("https://found.example/")


def test_what_a_private_result_links_to_stays_known() -> None:
    known = heard("What is due?")

    known.add_tool_result("- **Essay** — [open](https://canvas.example/1)", provenance=Provenance.STUDENT)

    assert "https://canvas.example/1" in known


@pytest.mark.parametrize("piece", ["a.", "a-", "https://a.", "//", "a@", "http://[", "a.b/ "])
def test_long_arguments_are_read_in_time_that_grows_with_them(piece: str) -> None:
    began = time.monotonic()

    heard(piece * 20_000).add_tool_result(piece * 20_000, arguments=[piece * 20_000])

    assert time.monotonic() - began < 5


@pytest.mark.parametrize("told", [Provenance.STRANGERS, Provenance.UNDECLARED])
def test_a_page_does_not_choose_whom_a_draft_goes_to_beside_private_data(told: Provenance) -> None:
    known = heard("Tell Bob@Page.example")
    known.add_tool_result(
        "Write to Eve@Page.example, <bob@page.example> or [x](mailto:eve@page.example?body=x)", provenance=told
    )
    known.add_tool_result("- anne@campus.example", provenance=Provenance.STUDENT)

    # A call cannot make it known either: what it names itself, a result only repeats.
    for argument in ("eve@page.example", "EVE%40page.example", "eve\u200b@page.example", "mailto:eve@page.example"):
        known.add_tool_result("No tasks for eve@page.example.", arguments=[argument], provenance=Provenance.STUDENT)

    assert not [
        form for form in ("eve@page.example", "EVE@PAGE.EXAMPLE", "Eve@Page.example") if known.knows_email(form)
    ]
    assert known.knows_email("bob@page.example")
    assert known.knows_email("Anne@campus.example")


def test_a_pages_mail_address_is_known_where_nothing_private_was_told() -> None:
    known = heard("Whom do I ask at https://library.example/?")

    known.add_tool_result("Write to desk@library.example.", provenance=Provenance.STRANGERS)

    assert known.knows_email("desk@library.example")


def test_whom_an_invitation_names_is_asked_about_before_a_draft_goes_to_them() -> None:
    known = heard("Write to anne@campus.example")
    known.add_tool_result("Guests: anne@campus.example, eve@evil.example", provenance=Provenance.OTHERS)

    names = ("anne@campus.example", "Eve@evil.example", "bob@evil.example")
    assert [known.email_needs_confirmation(name) for name in names] == [False, True, False]
    assert [known.knows_email(name) for name in names] == [True, False, False]


def test_what_a_search_finds_is_known_unless_private_things_were_read_before() -> None:
    """Anybody can have a page found for each secret; which one is opened would tell it."""
    early, late, program = (heard("Find it") for _ in range(3))
    late.add_tool_result("Your grade is an A.", provenance=Provenance.STUDENT)
    program.assume_private()
    for known in (early, late, program):
        known.add_tool_result("- [found](https://b.example/)", provenance=Provenance.PUBLIC)
        known.add_tool_result("- [hours](https://library.example/)", provenance=Provenance.OPERATOR)

    assert ["https://b.example/" in known for known in (early, late, program)] == [True, False, True]
    assert late.needs_confirmation("https://b.example/")
    assert all("https://library.example/" in known for known in (early, late, program))


def test_what_others_wrote_into_the_students_accounts_waits_for_the_student() -> None:
    known = heard("What is on today? https://c.example/")
    known.add_tool_result("Join https://a.example/ and https://c.example/", provenance=Provenance.OTHERS)
    known.add_tool_result("- [found](https://b.example/)", provenance=Provenance.PUBLIC)

    assert [known.needs_confirmation(f"https://{host}.example/") for host in "abcd"] == [True, True, False, False]
    with pytest.raises(AddressUnsure):
        require_seen_address("https://A.example", known)
    with pytest.raises(AddressRefused) as refusal:
        require_seen_address("https://a.example/?d=SECRET", known)
    assert not isinstance(refusal.value, AddressUnsure)
    require_seen_address("https://a.example/", known, is_shown=True)
    with pytest.raises(AddressRefused):
        require_seen_address("https://a.example/SECRET", known, is_shown=True)


def read_of(
    course: str, *, writers: tuple[Provenance, ...] = (Provenance.SCHOOL, Provenance.SERVICE)
) -> ResultProvenance:
    return ResultProvenance(writers=frozenset(writers), origins=frozenset({course}))


LINK = "https://school.example/c/7"


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    ("other", "asks"),
    [
        (None, False),
        (read_of("canvas-1"), False),
        (read_of("canvas-1", writers=(Provenance.OTHERS,)), False),
        (read_of("canvas-2"), True),
        (read_of("", writers=(Provenance.STUDENT,)), True),
        (read_of("", writers=(Provenance.PUBLIC,)), False),
    ],
)
def test_a_teachers_address_asks_once_something_private_from_elsewhere_than_that_course_was_read(
    other: ResultProvenance | None, *, asks: bool, is_first: bool
) -> None:
    known = heard("What is new?")
    if is_first and other:
        known.add_result("A grade", of=other)
    known.add_result(f"Read {LINK} and write to pat@school.example", of=read_of("canvas-1"))
    if not is_first and other:
        known.add_result("A grade", of=other)

    assert known.needs_confirmation(LINK) is asks
    assert (LINK in known) is not asks
    assert known.email_needs_confirmation("pat@school.example") is asks


def test_a_teachers_address_asks_after_a_failure_that_may_have_told_something_and_beside_another_course() -> None:
    failed, mixed = heard("x"), heard("x")
    failed.add_result(f"Read {LINK}", of=read_of("canvas-1"))
    failed.add_failure(ResultProvenance(writers=frozenset({Provenance.STUDENT})))
    two = ResultProvenance(writers=frozenset({Provenance.SCHOOL}), origins=frozenset({"canvas-1", "canvas-2"}))
    mixed.add_result(f"Read {LINK}", of=two)

    assert failed.needs_confirmation(LINK)
    assert mixed.needs_confirmation(LINK)


def test_what_the_student_wrote_themselves_is_never_asked_about() -> None:
    known = heard(f"Open {LINK}")
    known.add_result(f"Read {LINK}", of=read_of("canvas-1"))
    known.add_result("A grade", of=read_of("canvas-2"))

    assert LINK in known
