"""A demo's class on the campus: made-up students, each given out once, and a presenter who alone has the key (T47)."""

import re
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from sandbox.app import campus_app, campus_of
from sandbox.class_list.claims import Claims, write_class
from sandbox.class_list.enrolment import enrolled
from sandbox.class_list.personas import MOST_PERSONAS, personas, presenter
from sandbox.google.timetable import timetable_of
from sandbox.state import State

ORIGIN, KEY = "http://localhost:8501", "presenters-key"
AUTHORIZE = (
    "/sandbox/oidc/authorize?response_type=code&client_id=homeroom&scope=openid+email+profile&state=s"
    "&redirect_uri=http%3A%2F%2Flocalhost%3A8501%2Foauth2callback"
)
CONSENT = (
    "/sandbox/google/o/oauth2/v2/auth?response_type=code&client_id=homeroom&access_type=offline&state=s"
    "&scope=https://www.googleapis.com/auth/calendar.events"
    "&redirect_uri=http%3A%2F%2Flocalhost%3A8501%2Fconnections"
)
DATA = Path(campus_app.__code__.co_filename).parent / "canvas" / "data"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("campus") / "campus.sqlite"
    state = State(file)
    write_class(state, students=3, presenter_key=KEY)
    state.close()
    return file


@pytest.fixture
def app(database: Path, tmp_path: Path) -> Starlette:
    copied = tmp_path / "campus.sqlite"
    copied.write_bytes(database.read_bytes())
    for end in ("-wal", "-shm"):
        if (beside := Path(f"{database}{end}")).exists():
            Path(f"{copied}{end}").write_bytes(beside.read_bytes())
    return Starlette(routes=[Mount("/sandbox", campus_app(origin=ORIGIN, database=copied))])


@pytest.fixture
def claims(tmp_path: Path) -> Iterator[Claims]:
    state = State(tmp_path / "claims.sqlite")
    write_class(state, students=30, presenter_key=KEY)
    yield Claims(campus_of(state, ORIGIN))
    state.close()


def phone(app: Starlette) -> TestClient:
    return TestClient(app, base_url=ORIGIN, follow_redirects=False)


def offered(page: str) -> str:
    found = re.search(r'go" name="person" value="([^"]+)"', page)
    assert found, page
    return found[1]


def enter(visitor: TestClient) -> str:
    """Scan, and take whom one is given; their id."""
    person = offered(visitor.get(AUTHORIZE).text)
    answer = visitor.post(AUTHORIZE.partition("?")[0], data={**fields(), "person": person})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(f"{ORIGIN}/oauth2callback?code=")
    return person


def fields() -> dict[str, str]:
    return {
        "response_type": "code",
        "client_id": "homeroom",
        "scope": "openid email profile",
        "state": "s",
        "redirect_uri": f"{ORIGIN}/oauth2callback",
    }


def test_each_visitor_is_given_another_student_and_the_one_too_many_is_told(app: Starlette) -> None:
    taken = [enter(phone(app)) for _ in range(3)]

    page = phone(app).get(AUTHORIZE)

    assert len(set(taken)) == 3
    assert "All 3 students are taken" in page.text


def test_whoever_comes_back_is_the_same_student(app: Starlette) -> None:
    visitor = phone(app)
    person = enter(visitor)

    page = visitor.get(AUTHORIZE).text

    assert offered(page) == person
    assert "Welcome back" in page


def test_nobody_becomes_a_student_who_is_somebody_else_or_the_presenter(app: Starlette) -> None:
    first, second = phone(app), phone(app)
    person = enter(first)

    for wanted in (person, "hale", "maya", "okafor", "nobody"):
        answer = second.post(AUTHORIZE.partition("?")[0], data={**fields(), "person": wanted})
        assert answer.status_code == 200, wanted
        assert offered(answer.text) not in (person, "hale", "maya", "okafor")


def test_only_the_presenters_link_makes_a_presenter(app: Starlette) -> None:
    stranger, own = phone(app), phone(app)

    assert stranger.get("/sandbox/oidc/present?key=wrong").status_code == 403
    assert "code=" not in stranger.get(AUTHORIZE).headers.get("location", "")
    assert own.get(f"/sandbox/oidc/present?key={KEY}").headers["location"] == f"{ORIGIN}/presenter"
    assert "code=" in own.get(AUTHORIZE).headers["location"]


def test_a_visitor_connects_accounts_only_as_the_student_they_are(app: Starlette) -> None:
    visitor = phone(app)

    assert "Nobody is signed in here" in visitor.get(CONSENT).text
    person = enter(visitor)
    page = visitor.get(CONSENT).text

    assert re.findall(r'name="person" value="([^"]+)"', page) == [person]
    assert visitor.get("/sandbox/canvas/profile/settings").text.count('name="person"') == 1


def test_the_room_cannot_set_the_campus_back_or_read_its_log(app: Starlette) -> None:
    visitor = phone(app)

    refused = [
        visitor.post("/sandbox/reset"),
        visitor.get("/sandbox/log"),
        visitor.post("/sandbox/faults", json={}),
        visitor.delete("/sandbox/log"),
    ]

    assert {answer.status_code for answer in refused} <= {404, 405}


def test_thirty_at_once_are_thirty_students(claims: Claims) -> None:
    def come(number: int) -> str | None:
        person = claims.offer(f"visitor-{number}")
        claimed = person and claims.claim(f"visitor-{number}", person.id)
        return claimed.id if claimed else None

    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(come, range(31)))

    assert found.count(None) == 1
    assert len(set(found)) == 31


def test_a_student_who_was_given_back_is_free_again(claims: Claims) -> None:
    person = claims.offer("first")
    assert person is not None
    claims.claim("first", person.id)
    claims.release("first")

    assert claims.claimed_by("first") is None
    assert claims.claim("second", person.id) == person


def test_the_made_up_students_are_all_different_and_take_courses_that_do_not_collide() -> None:
    made = personas(MOST_PERSONAS)
    codes = {tomllib.loads(file.read_text())["code"] for file in DATA.glob("*.toml") if file.stem != "people"}

    assert len({each.person.id for each in made}) == len({each.person.name for each in made}) == MOST_PERSONAS
    assert all(set(each.courses) <= codes for each in (*made, presenter()))
    assert [each.person.id for each in made if _collides(each.courses)] == []


def _collides(courses: tuple[str, ...]) -> bool:
    """Whether two classes of these courses meet at the same time."""
    chosen = next(each for each in personas(MOST_PERSONAS) if each.courses == courses)
    weekly = [entry for entry in timetable_of(chosen)[0] if entry.is_class]
    spans = sorted(
        (day, hour * 60 + minute, hour * 60 + minute + entry.minutes)
        for entry in weekly
        for day in entry.days.split(",")
        for hour, minute in [entry.at]
    )
    return any(one_day == day and ends > begins for (one_day, _, ends), (day, begins, _) in pairwise(spans))


def test_everybody_has_a_canvas_token_and_something_due(database: Path) -> None:
    app = Starlette(routes=[Mount("/sandbox", campus_app(origin=ORIGIN, database=database))])
    canvas = phone(app)

    people = enrolled(database, ORIGIN)

    assert [person["id"] for person in people] == ["hale", *(each.person.id for each in personas(3))]
    for person in people:
        answer = canvas.get(
            "/sandbox/canvas/api/v1/users/self/upcoming_events",
            headers={"authorization": f"Bearer {person['canvas_token']}"},
        )
        assert answer.status_code == 200
        assert answer.json(), person["name"]
