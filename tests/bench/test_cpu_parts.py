"""CPU of an answer is charged to the part that asked for it."""

from bench.cpu_parts import AFTER, AFTER_FRAME, OTHER, PARTS, by_part, in_store, part_of
from bench.load.app_server import ROOT
from bench.load.sampler import Seen

SERVER = f"{ROOT}/.venv/lib/python3.11/site-packages/uvicorn/server.py:run"
STORE = f"{ROOT}/services/storage/sqlite.py:find"


def _ours(*frames: str) -> str:
    return ";".join((SERVER, *(f"{ROOT}/{frame}" for frame in frames)))


def _is_there(place: str) -> bool:
    file, _, function = place.partition(":")
    return any(path.is_dir() or f"def {function}" in path.read_text() for path in ROOT.glob(f"{file.rstrip('/')}*"))


def test_work_of_the_store_is_charged_to_who_asked() -> None:
    stack = f"{_ours('api/live/messages.py:submit', 'services/turns/start.py:start_chat')};{STORE}"

    assert part_of(stack) == "taking the message in"
    assert in_store({stack: 2.0, SERVER: 1.0}) == 2.0


def test_what_is_left_for_after_the_end_is_a_part_of_its_own() -> None:
    stack = _ours("services/runtime/deferred_work.py:run_each", "services/discovery/metrics.py:count")

    assert part_of(stack) == AFTER


def test_every_place_that_stands_for_a_part_is_there() -> None:
    places = [place for _, files in PARTS for place in files if not place.startswith("/")]

    assert [place for place in (*places, AFTER_FRAME) if not _is_there(place)] == []


def test_the_innermost_part_counts() -> None:
    stack = _ours("api/live/feed.py:add", "services/safety/markdown/html.py:render")

    assert part_of(stack) == "sanitising words"


def test_what_is_not_ours_is_the_servers() -> None:
    assert by_part({SERVER: 1.0, "<frozen runpy>:_run_code": 0.5}) == {
        "HTTP, websockets and middleware": 1.0,
        OTHER: 0.5,
    }


def test_time_of_a_thread_that_was_missed_at_work_goes_where_its_kind_was_met() -> None:
    seen = Seen()
    seen.add("turns", "run;write", 3.0)
    seen.add("turns", "run;read", 1.0)
    seen.add("turns", "run;/lib/threading.py:wait", 4.0)
    seen.add("loop", "run;/lib/selectors.py:select", 1.0)

    assert seen.counted() == {"run;write": 6.0, "run;read": 2.0, "run;/lib/selectors.py:select": 1.0}
