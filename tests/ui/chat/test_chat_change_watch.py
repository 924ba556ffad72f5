"""A chat that is open in two tabs shows in both what was asked in one, over the real server's websockets."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from bench.load.app_server import AppServer
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import XSRF_COOKIE, StreamlitClient
from services.conversations.change_watch import LOOK_EVERY_S

WITHIN_S = 20.0 + LOOK_EVERY_S


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    server = AppServer(tmp_path_factory.mktemp("two-tabs")).start()
    yield server
    server.stop()


class SecondTab(StreamlitClient):
    """A tab that draws a chat, then asks for nothing."""

    session = ""

    async def draw(self, query: str) -> None:
        self.page.query = query
        await self.open()

    async def shows(self, text: str) -> None:
        """Read what the server sends by itself, until it draws this."""
        async with asyncio.timeout(WITHIN_S):
            assert self._socket is not None
            async for raw in self._socket:
                message = ForwardMsg.FromString(raw)  # type: ignore[arg-type]
                self._note_session(message)
                if message.WhichOneof("type") == "delta" and text in (self._read(message.delta) or ""):
                    return
        raise AssertionError("the server has ended the connection")

    def _note_session(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "new_session":
            self.session = message.new_session.initialize.session_id

    async def come_back(self) -> None:
        """Connect again as a browser does whose line was lost: as the same session, and without asking for a run."""
        assert self.session
        self._socket = await reconnect(self._url, self._cookies, self.session)


async def reconnect(url: str, cookies: dict[str, str], session: str) -> ClientConnection:
    return await connect(
        url.replace("http", "ws", 1) + "/_stcore/stream",
        origin=url,
        subprotocols=["streamlit", cookies[XSRF_COOKIE], session],
        additional_headers={"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())},
        max_size=None,
        proxy=None,
    )


async def ask(tab: StreamlitClient, text: str) -> None:
    async for _ in tab.say(text):
        pass


async def follow_from_a_second_tab(url: str, cookies: dict[str, str]) -> None:
    async with StreamlitClient(url, cookies) as first:
        await first.open()
        await ask(first, "/say periwinkle")
        second = SecondTab(url, cookies)
        async with second:
            await second.draw(first.page.query)
            await ask(first, "/say marigold")
            await second.shows("marigold")
        await ask(first, "/say foxglove")
        await second.come_back()
        await second.shows("foxglove")
        await second.__aexit__()


@pytest.mark.soak
def test_a_second_tab_draws_by_itself_what_was_asked_in_the_first_also_after_a_lost_line(server: AppServer) -> None:
    def follow() -> None:
        asyncio.run(follow_from_a_second_tab(server.url, sign_in(server.url)))

    # On a thread of its own: a browser that an earlier test has opened keeps its event loop on this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(follow).result()
