"""A signed-in tab cannot fill the memory with files under names that it makes up (T23)."""

import asyncio
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from api.auth import SIGN_IN_COOKIE, SignInCookie
from api.middleware import upload_quota
from api.middleware.streamlit_guard import StreamlitGuard
from api.middleware.upload_quota import UPLOAD
from tests.api.sealed import SECRET, sealed
from ui.streamlit_compat import held_upload_bytes

TAB, SIGN_IN = 10_000, 15_000
HEADERS = {"cookie": f"{SIGN_IN_COOKIE}={sealed()}"}


class Memory:
    """What Streamlit holds, by tab and file."""

    def __init__(self) -> None:
        self.tabs: dict[str, dict[str, int]] = {}
        self.gate = asyncio.Event()
        self.gate.set()

    def held(self, tab: str) -> int:
        return sum(self.tabs.get(tab, {}).values())

    async def put(self, request: Request) -> Response:
        body = await request.body()
        await self.gate.wait()
        self.tabs.setdefault(request.path_params["tab"], {})[request.path_params["file"]] = len(body)
        return PlainTextResponse("taken")


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setattr(upload_quota, "LARGEST_TAB", TAB)
    monkeypatch.setattr(upload_quota, "LARGEST_STUDENT", SIGN_IN)
    return Memory()


def client_of(memory: Memory) -> httpx.AsyncClient:
    guard = Middleware(StreamlitGuard, cookie=SignInCookie(SECRET), held=memory.held)
    app = Starlette(routes=[Route(UPLOAD + "/{tab}/{file}", memory.put, methods=["PUT"])], middleware=[guard])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://homeroom", headers=HEADERS)


async def put(client: httpx.AsyncClient, tab: str, file: str, size: int, **more: Any) -> int:
    return (await client.put(f"{UPLOAD}/{tab}/{file}", content=b"x" * size, **more)).status_code


def test_a_tab_holds_only_so_much_and_is_free_again_once_it_is_closed(memory: Memory) -> None:
    async def upload() -> list[int]:
        async with client_of(memory) as client:
            codes = [await put(client, "first", str(number), 4_000) for number in range(4)]
            memory.tabs.clear()
            return [*codes, await put(client, "first", "again", 4_000)]

    assert asyncio.run(upload()) == [200, 200, 413, 413, 200]


def test_many_tabs_of_one_sign_in_share_a_quota(memory: Memory) -> None:
    async def upload() -> list[int]:
        async with client_of(memory) as client:
            return [await put(client, f"tab {number}", "file", 4_000) for number in range(5)]

    assert asyncio.run(upload()) == [200, 200, 200, 413, 413]


def test_signing_in_once_more_gives_a_student_no_more_room_and_leaves_others_theirs(memory: Memory) -> None:
    cookie = SignInCookie(SECRET)

    async def upload() -> list[int]:
        async with client_of(memory) as client:
            people = [{"iss": "a", "sub": "maya", "iat": number} for number in range(4)] + [{"iss": "b", "sub": "maya"}]
            cookies = [{"cookie": f"{SIGN_IN_COOKIE}={cookie.seal(claims)}"} for claims in people]
            return [await put(client, f"tab {at}", "file", 4_000, headers=own) for at, own in enumerate(cookies)]

    assert asyncio.run(upload()) == [200, 200, 200, 413, 200]


def test_a_refused_upload_says_when_to_try_again(memory: Memory) -> None:
    async def upload() -> str:
        async with client_of(memory) as client:
            return (await client.put(f"{UPLOAD}/tab/file", content=b"x" * (TAB + 1))).headers["retry-after"]

    assert asyncio.run(upload()) == "3"


def test_uploads_at_the_same_moment_count_before_they_have_arrived(memory: Memory) -> None:
    async def upload() -> list[int]:
        memory.gate.clear()
        async with client_of(memory) as client:
            sent = [asyncio.create_task(put(client, "first", str(number), 4_000)) for number in range(4)]
            while not all(task.done() for task in sent[2:]):
                await asyncio.sleep(0.01)
            memory.gate.set()
            return await asyncio.gather(*sent)

    assert asyncio.run(upload()) == [200, 200, 413, 413]


def test_what_arrives_at_once_is_bounded_over_all_sign_ins_too(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_quota, "MOST_ON_THEIR_WAY", 9_000)

    async def upload() -> list[int]:
        memory.gate.clear()
        async with client_of(memory) as client:
            sign_ins = [{"cookie": f"{SIGN_IN_COOKIE}={sealed()}; other={number}"} for number in range(3)]
            sent = [
                asyncio.create_task(put(client, f"tab {number}", "file", 4_000, headers=headers))
                for number, headers in enumerate(sign_ins)
            ]
            while not sent[2].done():
                await asyncio.sleep(0.01)
            memory.gate.set()
            first = await asyncio.gather(*sent)
            return [*first, await put(client, "tab 2", "file", 4_000)]

    assert asyncio.run(upload()) == [200, 200, 503, 200]


def test_a_body_that_does_not_say_its_length_counts_as_the_longest(memory: Memory) -> None:
    async def upload() -> int:
        async def pieces() -> Any:
            yield b"x"

        async with client_of(memory) as client:
            return (await client.put(f"{UPLOAD}/first/a", content=pieces())).status_code

    assert asyncio.run(upload()) == 413


def test_what_streamlit_holds_is_counted_by_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    manager = MemoryUploadedFileManager(UPLOAD)
    manager.add_file("first", UploadedFileRec(file_id="a", name="a.png", type="image/png", data=b"x" * 300))
    manager.add_file("first", UploadedFileRec(file_id="b", name="b.png", type="image/png", data=b"x" * 50))
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))

    assert [held_upload_bytes(tab) for tab in ("first", "second")] == [350, 0]
    manager.remove_session_files("first")
    assert held_upload_bytes("first") == 0
