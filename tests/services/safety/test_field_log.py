"""Who may have written what a result holds, derived from the fields that its call has read."""

import pytest

from services.runtime.thread_pools import map_in_parallel
from services.safety.field_log import REST, FieldLog, Fields, absorb, declared, field_log, looked_through, read_fields
from services.safety.provenance import ELSEWHERE, Provenance, ResultProvenance, worst_of

OTHERS, PUBLIC, SCHOOL, SERVICE = Provenance.OTHERS, Provenance.PUBLIC, Provenance.SCHOOL, Provenance.SERVICE
STUDENT, STRANGERS, UNDECLARED = Provenance.STUDENT, Provenance.STRANGERS, Provenance.UNDECLARED
FIELDS: Fields = {"name": SCHOOL, "id": SERVICE, "comments": {"name": OTHERS, "text": OTHERS}, "tags": SCHOOL}


def test_a_text_that_nobody_declared_is_not_read() -> None:
    row = {"name": "Essay", "secret": "x", "points": 5, "deep": {"hidden": "y", "name": "z", "on": True}, "all": ["a"]}

    assert read_fields(row, FIELDS) == {"name": "Essay", "points": 5, "deep": {"name": "z", "on": True}, "all": []}


def test_a_field_is_declared_for_the_object_that_it_is_in() -> None:
    with field_log() as log:
        read_fields({"name": "Essay", "tags": ["a"], "comments": [{"text": "", "name": "", "likes": 3}]}, FIELDS)
        without_comments = log.writers
        read_fields([{"comments": [{"text": "Hi", "place": "x"}]}], FIELDS)

    assert without_comments == {SCHOOL}
    assert log.writers == {SCHOOL, OTHERS}


def test_the_rest_may_be_declared_as_a_whole() -> None:
    page = {"id": "1", "title": [{"plain_text": "Mine"}], "properties": {"https://a.example/": {"url": None}}}

    with field_log() as log:
        assert read_fields(page, {REST: OTHERS, "id": SERVICE}) == page

    assert log.writers == {OTHERS, SERVICE}


@pytest.mark.parametrize(
    ("writers", "worst"),
    [
        ((), UNDECLARED),
        ((SCHOOL, SERVICE), SCHOOL),
        ((SCHOOL, STUDENT), SCHOOL),
        ((STUDENT, SERVICE), STUDENT),
        ((Provenance.OPERATOR,), Provenance.OPERATOR),
        ((PUBLIC,), PUBLIC),
        ((PUBLIC, SCHOOL), OTHERS),
        ((SCHOOL, OTHERS), OTHERS),
        ((Provenance.ASSISTANT, STUDENT), OTHERS),
        ((STRANGERS, PUBLIC), STRANGERS),
        ((STRANGERS, STUDENT), UNDECLARED),
        ((Provenance.MODEL,), STUDENT),
        ((Provenance.MODEL, OTHERS), OTHERS),
        ((UNDECLARED, SCHOOL), UNDECLARED),
    ],
)
def test_a_text_is_as_trusted_as_the_least_of_who_may_have_written_it(
    writers: tuple[Provenance, ...], worst: Provenance
) -> None:
    assert worst_of(writers) is worst


def test_a_result_without_a_declared_field_is_of_nobody_known() -> None:
    assert FieldLog().provenance("See https://a.example/").worst is UNDECLARED
    assert ResultProvenance.read(None).worst is UNDECLARED


def test_only_an_address_of_the_schools_own_words_is_trusted_beside_others() -> None:
    rubric, evil, both = "https://school.example/rubric", "https://evil.example/a", "https://b.example/"
    with field_log() as log:
        declared(f'<a href="{rubric}">Rubric</a> {both} https://school.example/', SCHOOL)
        declared(f"Open {evil}, {both} or https&#58;//hidden.example/", OTHERS)
    found = log.provenance(f"{rubric} {evil} {both} https://hidden.example/", ["https://source.example/"])

    assert found.trusted == {SCHOOL: (rubric,)}
    assert found.worst is OTHERS
    assert ResultProvenance.read(found.data()) == found


def test_a_result_is_of_the_courses_that_it_tells_of_and_not_of_those_that_were_looked_through() -> None:
    with field_log() as of_one_course:
        with looked_through():
            declared("Chemistry, where the student has a B", SCHOOL)
        declared("Biology", SCHOOL, "canvas-1")
        declared("A search", PUBLIC)
    with field_log() as mixed:
        absorb(of_one_course.provenance("Biology"))
        declared("A note", STUDENT)
    with field_log() as only_looked, looked_through():
        declared("Chemistry", SCHOOL)

    found = of_one_course.provenance("Biology")
    assert found.origins == {"canvas-1"}
    assert ResultProvenance.read(found.data()) == found
    assert mixed.provenance("Biology").origins == {"canvas-1", ELSEWHERE}
    assert only_looked.provenance("Biology").origins == {ELSEWHERE}
    assert ResultProvenance.read({"writers": ["school"]}).origins == {ELSEWHERE}


def test_what_the_threads_of_a_call_read_counts_and_what_another_call_reads_does_not() -> None:
    with field_log() as outer:
        map_in_parallel(2, lambda text: declared(text, PUBLIC), ["a", "b"])
        with field_log() as inner:
            declared("x", OTHERS)

    assert outer.writers == {PUBLIC}
    assert inner.writers == {OTHERS}


def test_what_a_failed_call_had_read_is_known_around_it() -> None:
    def fail() -> None:
        with field_log():
            declared("Essay on my illness", SCHOOL)
            raise LookupError

    with field_log() as outer, pytest.raises(LookupError):
        fail()

    assert outer.writers == {SCHOOL}


def test_outside_a_call_nothing_is_recorded() -> None:
    assert declared("x", SCHOOL) == "x"
    assert read_fields({"name": "x"}, FIELDS) == {"name": "x"}
