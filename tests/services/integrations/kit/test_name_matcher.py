"""Which course or assignment the student means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments
from services.integrations.canvas.courses import Course, find_course, read_courses
from services.integrations.kit.name_matcher import best_matches

NAMES = {
    "BIOL 201": "Cell Biology",
    "BIOL 201L": "Cell Biology Lab",
    "CS 101": "Introduction to Programming",
    "CS 201": "Data Structures",
    "WRIT 110": "College Writing: Arguing with Evidence",
    "HIST 142": "The Modern World since 1789",
    "PSYC 110": "Einführung in die Psychologie",
}
COURSES = [
    Course(id=number, name=name, code=code, term="", url="") for number, (code, name) in enumerate(NAMES.items(), 4200)
]
TITLES = ["Lab Report 1: Osmosis", "Lab Report 6: Mitosis", "Lab Report 16: Review", "Quiz 1", "Quiz 2", "Essay 1"]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ("CS 101", "CS 101"),
        ("cs101", "CS 101"),
        ("cs-101", "CS 101"),
        ("my writing class", "WRIT 110"),
        ("writing", "WRIT 110"),
        ("the programming course", "CS 101"),
        ("progamming", "CS 101"),
        ("intro to programming", "CS 101"),
        ("history", "HIST 142"),
        ("psychology", "PSYC 110"),
        ("modern world", "HIST 142"),
        ("ds", "CS 201"),
        ("data", "CS 201"),
        ("einfuhrung", "PSYC 110"),
        ("PSYCHOLOGIE", "PSYC 110"),
        ("bio lab", "BIOL 201L"),
        ("cell biology", "BIOL 201"),
        ("biol 201", "BIOL 201"),
        ("4203", "CS 201"),
    ],
)
def test_a_course_is_found_by_the_students_own_words(wanted: str, code: str) -> None:
    assert find_course(COURSES, wanted).code == code


@pytest.mark.parametrize("wanted", ["bio", "biology", "110", "cs", "computer science"])
def test_words_that_fit_several_courses_are_asked_back(wanted: str) -> None:
    with pytest.raises(BadArguments, match=r"^course: \d fit “[^”]*”: “") as raised:
        find_course(COURSES, wanted)

    assert raised.value.field == "course"


@pytest.mark.parametrize("wanted", ["Introduction to Chemistry", "modern physics", "calculus 3", "biology 101"])
def test_a_course_that_shares_a_word_or_a_subject_with_another_is_not_taken_for_it(wanted: str) -> None:
    with pytest.raises(BadArguments, match=r"^course: none is called “[^”]*”\. There are: .*Calculus II"):
        find_course(CAMPUS, wanted)


@pytest.mark.parametrize("wanted", ["quantum cookery", "???", "the class", "9999"])
def test_words_that_fit_no_course_list_all_of_them(wanted: str) -> None:
    with pytest.raises(BadArguments) as raised:
        find_course(COURSES, wanted)

    assert all(code in str(raised.value) for code in NAMES)


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        ("lab report 6", "Lab Report 6: Mitosis"),
        ("report 16", "Lab Report 16: Review"),
        ("osmosis", "Lab Report 1: Osmosis"),
        ("quiz 2", "Quiz 2"),
        ("mitossis", "Lab Report 6: Mitosis"),
    ],
)
def test_a_number_in_a_title_is_taken_at_its_word(wanted: str, title: str) -> None:
    assert best_matches(TITLES, wanted, lambda name: (name,)) == [title]


def test_a_course_that_canvas_keeps_closed_is_counted_and_not_named() -> None:
    courses, closed = read_courses(
        [{"id": 1, "name": "Bio"}, {"id": 2, "access_restricted_by_date": True}], "https://c"
    )

    assert [course.id for course in courses] == [1]
    assert closed == 1


@given(st.text(max_size=60))
def test_any_words_find_one_course_or_are_asked_back(wanted: str) -> None:
    try:
        found = find_course(COURSES, wanted)
    except BadArguments:
        return

    assert found in COURSES


SPANISH = [
    ("biología", "BIOL 201"),
    ("mi clase de biologia", "BIOL 201"),
    ("escritura", "WRIT 110"),
    ("la clase de redacción", "WRIT 110"),
    ("historia", "HIST 142"),
    ("programación", "CS 101"),
    ("informática", "CS 101"),
    ("cálculo", "MATH 221"),
    ("mates", "MATH 221"),
    ("calc", "MATH 221"),
    ("math", "MATH 221"),
    ("coding", "CS 101"),
    ("bilogy", "BIOL 201"),
    ("wriitng", "WRIT 110"),
    ("calculas", "MATH 221"),
]
CAMPUS = [
    Course(id=4000 + at, name=f"{code}: {name}", code=code, term="", url="")
    for at, (code, name) in enumerate(
        {
            "BIOL 201": "Cell Biology",
            "CS 101": "Introduction to Programming",
            "WRIT 110": "College Writing: Arguing with Evidence",
            "HIST 142": "The Modern World since 1789",
            "MATH 221": "Calculus II",
        }.items()
    )
]


@pytest.mark.parametrize(("wanted", "code"), SPANISH)
def test_other_languages_short_forms_and_typos_find_the_course(wanted: str, code: str) -> None:
    assert find_course(CAMPUS, wanted).code == code


def test_past_courses_are_looked_at_only_when_no_active_one_fits() -> None:
    asked: list[bool] = []

    def past() -> list[Course]:
        asked.append(True)
        return [Course(id=1, name="First-Year Seminar", code="FYS 100", term="", url="")]

    assert find_course(CAMPUS, "bio", past).code == "BIOL 201"
    assert not asked
    assert find_course(CAMPUS, "seminar fys", past).code == "FYS 100"


CODES = st.builds("{} {}".format, st.text("ABCDEFGHKLMNPQRSTUVWXYZ", min_size=2, max_size=4), st.integers(100, 499))
SUBJECTS = st.text("abcdefghijklmnoprstuvy", min_size=6, max_size=12).filter(lambda word: not word.endswith("s"))
TAKEN = st.lists(st.tuples(CODES, SUBJECTS), min_size=1, max_size=6, unique_by=lambda pair: pair[0])


def courses_of(taken: list[tuple[str, str]]) -> list[Course]:
    return [Course(id=at, name=name.title(), code=code, term="", url="") for at, (code, name) in enumerate(taken, 9000)]


@given(TAKEN, st.data())
def test_a_code_finds_its_course_however_it_is_written(taken: list[tuple[str, str]], data: st.DataObject) -> None:
    courses = courses_of(taken)
    meant = data.draw(st.sampled_from(courses))
    written = data.draw(
        st.sampled_from(
            [meant.code, meant.code.lower(), meant.code.replace(" ", ""), meant.code.replace(" ", "-"), str(meant.id)]
        )
    )

    assert find_course(courses, written) is meant


@given(CODES, SUBJECTS, st.data())
def test_a_slip_of_the_finger_still_finds_the_course(code: str, subject: str, data: st.DataObject) -> None:
    (meant,) = courses_of([(code, subject)])
    at = data.draw(st.integers(1, len(subject) - 2))
    letter = data.draw(st.sampled_from("aeiou"))
    slips = [
        subject[:at] + subject[at + 1 :],
        subject[:at] + letter + subject[at:],
        subject[:at] + letter + subject[at + 1 :],
    ]

    assert [find_course([meant], slip) for slip in slips] == [meant] * 3


@given(TAKEN, st.text(max_size=40))
def test_the_answer_is_always_one_course_or_a_question_that_names_courses(
    taken: list[tuple[str, str]], wanted: str
) -> None:
    courses = courses_of(taken)
    outcome: object = None

    try:
        outcome = find_course(courses, wanted)
    except BadArguments as error:
        outcome = str(error)

    assert outcome in courses or any(course.code in str(outcome) for course in courses)
