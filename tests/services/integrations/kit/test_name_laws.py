"""Laws of the matching of names, over real catalogues of courses and of their work."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments, NameUnknown
from services.integrations.canvas.courses import Course, find_course
from services.integrations.kit.name_matcher import best_matches, near_matches
from services.integrations.kit.name_words import name_words, without_accents

CATALOGUE = Path(__file__).parent / "catalogue"
LISTS = [
    line.split("|")
    for line in (CATALOGUE / "assignments.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
SCHOOLS = [
    [tuple(part.strip() for part in line.split("|")) for line in school.splitlines()[1:] if "|" in line]
    for school in (CATALOGUE / "courses.txt").read_text(encoding="utf-8").split("\n## ")[1:]
]
WORK = [(title, f"Course {number}") for number, titles in enumerate(LISTS) for title in titles]
ROMANS = {"1": "I", "2": "II", "3": "III", "4": "IV"}
CARDINALS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "10": "ten", "11": "eleven"}


def found(titles: list[str], wanted: str) -> list[str]:
    return best_matches(titles, wanted, lambda title: (title,))


def found_anywhere(work: list[tuple[str, str]], wanted: str) -> list[tuple[str, str]]:
    return best_matches(work, wanted, lambda pair: (pair[0],), place=lambda pair: (pair[1],))


def without_signs(text: str) -> str:
    return " ".join(re.sub(r"[^\w.\-–−½ⁿₙ]+", " ", text).split())


def with_romans(text: str) -> str:
    return re.sub(r"(?<=[a-z] )([2-4](?= |$)|1(?=$|[:,)]))", lambda match: ROMANS[match[1]], text)


def with_digits(text: str) -> str:
    return re.sub(r"(?<=[a-z] )(I{1,3}|IV)(?=\W|$)", lambda match: str([*ROMANS.values()].index(match[1]) + 1), text)


def with_cardinals(text: str) -> str:
    return re.sub(r"(?<=[a-z] )(\d+)(?![.\w])", lambda match: CARDINALS.get(match[1], match[1]), text, count=1)


def number_signs(text: str) -> str:
    return re.sub(r"(?<=[a-z] )#?(\d+)(?=\W|$)", r"#\1", text, count=1)


def turned(text: str) -> str:
    """The parts in the reverse order, each number with its word: "Lab 1: Hello" as "Hello, Lab 1"."""
    return ", ".join(reversed(re.split(r"[:(]\s*", text.rstrip(")"))))


WAYS: list[Callable[[str], str]] = [
    str,
    str.upper,
    str.lower,
    without_accents,
    without_signs,
    with_romans,
    with_digits,
    with_cardinals,
    number_signs,
    turned,
    lambda text: f"  the  {text} ",
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_name_finds_just_its_item_however_it_is_written(way: Callable[[str], str]) -> None:
    strange = {(title, way(title)): found(titles, way(title)) for titles in LISTS for title in titles}

    assert {key: hits for key, hits in strange.items() if hits != [key[0]]} == {}


NUMBERED = re.compile(r"([^\W\d_]+)s?,? #?(\d+(?:\.\d+)?(?:–\d+)?)")


def numbers_of(title: str) -> dict[str, set[str]]:
    """The numbers right behind each word: {"quiz": {"2"}, "chapter": {"4", "5"}}."""
    own: dict[str, set[str]] = {}
    for word, number in NUMBERED.findall(title.lower()):
        first, _, last = number.partition("–")
        span = {str(n) for n in range(int(first), int(last) + 1)} if last else {first.lstrip("0") or "0"}
        own.setdefault(re.sub(r"s$", "", word), set()).update(span)
    return own


NOUNS = sorted({noun for titles in LISTS for title in titles for noun in numbers_of(title)})
TELLING = ("chapter", "homework", "lab", "quiz", "week")


@pytest.mark.parametrize(
    "noun", [noun if noun in TELLING else pytest.param(noun, marks=pytest.mark.soak) for noun in NOUNS]
)
def test_a_number_meets_no_other_number_of_its_word(noun: str) -> None:
    wrong = [
        (number, title)
        for number in range(25)
        for title, _ in found_anywhere(WORK, f"{noun} {number}")
        if str(number) not in numbers_of(title).get(re.sub(r"s$", "", noun), {str(number)})
    ]

    assert wrong == []


def test_a_number_is_no_beginning_of_a_longer_one_and_needs_its_word() -> None:
    everything = [title for titles in LISTS for title in titles]

    assert found(everything, "WeBWorK 1") == ["WeBWorK 1: Substitution review"]
    assert "Quiz 2 (chapters 4–5)" not in found(everything, "quiz 5")
    assert found(everything, "homework 2.1") == ["MyLab Homework 2.1"]
    assert found(LISTS[0], "quiz 4") == []
    assert near_matches(LISTS[0], "quiz 4", lambda title: (title,)) == [t for t in LISTS[0] if t.startswith("Quiz")]


@given(st.sampled_from(LISTS), st.data())
def test_a_match_stays_when_unrelated_work_is_added(titles: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(titles)).split(":")[0].split("(")[0]
    words = {word.text for word in name_words(wanted)}
    others = [
        title
        for title, _ in WORK
        if title not in titles and not any(word.text[:2] == w[:2] for word in name_words(title) for w in words)
    ]
    added = data.draw(st.lists(st.sampled_from(others), max_size=8, unique=True))
    mixed = data.draw(st.permutations([*titles, *added]))

    assert sorted(found(mixed, wanted)) == sorted(found(titles, wanted))


@given(st.sampled_from(WORK), st.data())
def test_one_is_never_returned_when_another_fits_alike(work: tuple[str, str], data: st.DataObject) -> None:
    title, _ = work
    wanted = " ".join(
        data.draw(st.lists(st.sampled_from(re.findall(r"[^\W\d_]+|\d+", title)), min_size=1, max_size=3, unique=True))
    )
    elsewhere = [(title, "Another course") for title, course in WORK if course == work[1]]

    hits = found_anywhere([pair for pair in WORK if pair[1] == work[1]] + elsewhere, wanted)

    assert len(hits) != 1
    assert {t for t, course in hits if course != work[1]} == {t for t, course in hits if course == work[1]}


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("midterm", {"Midterm 1", "Midterm 2", "Midterm A", "Midterm B", "Midterm exam (bluebook)"}),
        ("midterm exam", {"Midterm 1", "Midterm 2", "Midterm A", "Midterm B", "Midterm exam (bluebook)"}),
        (
            "final exam",
            {"Final Exam", "Final exam", "Final exam (bluebook)", "Final exam (ACS standard)", "Exam III (final)"},
        ),
        ("quiz 5", {"Quiz 5: recursion", "Recitation quiz 5"}),
        ("exam 2", {"Exam 2", "Exam II", "Exam 2 (chapters 4–6)"}),
        ("hw 3a", {"HW 3a: Spell checker"}),
        ("hw 3", {"HW 3a: Spell checker", "HW 3b: Spell checker, faster"}),
        ("problem set 2", {"Problem Set 2: Macromolecules"}),
        ("case study 3", {"Case Study III: Hospitals"}),
        ("part b", {"Group Presentation (Part B)"}),
        ("second draft memo", {"Memo 2nd draft"}),
        ("journal entry 7", {"Journal entry 7"}),
        ("clinical reflection week 3", {"Clinical reflection, week 3"}),
        ("parcial", {"Examen parcial", "Midterm 1", "Midterm 2", "Midterm A", "Midterm B", "Midterm exam (bluebook)"}),
        ("práctica 1", {"Práctica 1: Bucles"}),
    ],
)
def test_what_fits_alike_in_all_courses_is_listed_whole(wanted: str, meant: set[str]) -> None:
    named = {title for title, _ in found_anywhere(WORK, wanted)}

    assert meant <= named
    assert len(named) <= len(meant) + 2


def courses_of(taken: list[tuple[str, str]]) -> list[Course]:
    return [Course(id=at, name=title, code=code, term="", url="") for at, (code, title) in enumerate(taken, 9000)]


TAKEN = st.sampled_from(SCHOOLS).flatmap(
    lambda school: st.tuples(
        st.lists(st.sampled_from(school), min_size=3, max_size=7, unique=True), st.sampled_from(school)
    )
)


def chosen(courses: list[Course], wanted: str) -> Course | None:
    try:
        return find_course(courses, wanted)
    except BadArguments:
        return None


@given(TAKEN)
def test_a_course_is_found_by_its_code_and_by_its_title(
    drawn: tuple[list[tuple[str, str]], tuple[str, str]],
) -> None:
    courses = courses_of(drawn[0])

    for course in courses:
        forms = (course.code, course.code.lower(), course.code.replace(" ", ""), f"{course.code}: {course.name}")
        twins = [other for other in courses if other.name == course.name]

        assert [chosen(courses, form) for form in forms] == [course] * len(forms)
        assert len(twins) > 1 or chosen(courses, without_accents(course.name)) == course


@given(TAKEN)
def test_another_course_of_the_catalogue_is_not_taken_for_ones_own(
    drawn: tuple[list[tuple[str, str]], tuple[str, str]],
) -> None:
    taken, (code, title) = drawn
    courses = courses_of([pair for pair in taken if pair[0] != code])

    by_code, by_title = chosen(courses, code), chosen(courses, title)

    assert by_code is None
    if by_title:
        numbers = {value for word in name_words(title) for value in word.values}
        own = {value for word in name_words(f"{by_title.name}: {by_title.code}") for value in word.values}
        assert numbers <= own
        assert telling(title) <= telling(f"{by_title.name} {by_title.code}")


def telling(title: str) -> set[str]:
    """The words that tell one course from another, the first letters of each: "biol" for biology and biological."""
    levels = r"(intro|general|principle|fundament|foundat|elementary|survey|advanced|topics|world|basic|college|stud)"
    return {
        word.text[:3] for word in name_words(title) if not word.values and not re.match(levels, word.text) and word.text
    }


@pytest.mark.parametrize(
    ("own", "wanted"),
    [
        ("Macroeconomics", "microeconomics"),
        ("Psychology", "physiology"),
        ("Organic Chemistry I", "inorganic chemistry"),
        ("The Modern World", "histology"),
        ("Statistics", "statics"),
        ("Biology", "biochemistry"),
        ("Calculus II", "calculus iii"),
        ("Physics I", "physics 2"),
        ("Data Structures", "data science"),
        ("Introduction to Algorithms", "introduction to machine learning"),
    ],
)
def test_a_neighbouring_subject_is_not_the_course(own: str, wanted: str) -> None:
    courses = courses_of([("HIST 142" if "World" in own else "X 100", own), ("ART 230", "Printmaking")])

    with pytest.raises(NameUnknown, match="none is called"):
        find_course(courses, wanted)


def test_the_catalogues_are_large_enough_to_tell() -> None:
    assert len(WORK) > 180
    assert sum(map(len, SCHOOLS)) > 170
    assert all(len(set(titles)) == len(titles) for titles in LISTS)
    assert all(first != second for first, second in pairwise(sorted(code for school in SCHOOLS for code, _ in school)))
