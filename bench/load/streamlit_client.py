"""A browser's side of Streamlit's websocket without a browser, so that a hundred students fit on one machine."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect

XSRF_COOKIE = "_streamlit_xsrf"
LOOK_S = 0.5
"""How often an idle tab looks whether it is time to ask."""


@dataclass
class Page:
    """What has arrived of the page so far. session: its id at the server. buttons: widget ids by label.

    redirect: where sign-in leads. repeated: seconds after which the browser asks for each fragment anew.
    """

    session: str = ""
    query: str = ""
    chat_input: str = ""
    buttons: dict[str, str] = field(default_factory=dict)
    redirect: str = ""
    repeated: dict[str, float] = field(default_factory=dict)


class StreamlitClient:
    """One open tab. Use `async with StreamlitClient(...)`. cookies: those of the browser, from `sign_in`."""

    def __init__(self, url: str, cookies: Mapping[str, str]) -> None:
        self._url = url
        self._cookies = dict(cookies)
        self._socket: ClientConnection | None = None
        self.page = Page()
        self.received = 0
        """Bytes that the server has sent."""

    async def __aenter__(self) -> "StreamlitClient":
        self._socket = await connect(
            f"ws://{urlsplit(self._url).netloc}/_stcore/stream",
            origin=self._url,
            subprotocols=["streamlit", self._cookies.get(XSRF_COOKIE, "none")],
            additional_headers={"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())},
            max_size=None,
            compression=None,
            proxy=None,
            open_timeout=60,
            ping_interval=None,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._socket is not None
        await self._socket.close()

    @property
    def new_cookies(self) -> dict[str, str]:
        """Cookies that came as the tab connected, which a browser keeps."""
        assert self._socket is not None
        assert self._socket.response is not None
        told = self._socket.response.headers.get_all("Set-Cookie")
        return {name: cookie.value for line in told for name, cookie in SimpleCookie(line).items()}

    async def open(self, page: str = "") -> None:
        """Load a page by its name in the address, and read it to the end of its run."""
        await self._finish(ClientState(query_string=self.page.query, page_name=page))

    async def press(self, label: str) -> None:
        """Press a button and read the page to the end of its run."""
        widget = WidgetState(id=self.page.buttons[label], trigger_value=True)
        await self._finish(self._state(widget))

    async def say(self, text: str) -> AsyncIterator[tuple[float, str]]:
        """Send a chat message; yields (seconds since sending, text) for each text that arrives while it is answered."""
        assert self.page.chat_input, "the page has no chat input"
        widget = WidgetState(id=self.page.chat_input)
        widget.chat_input_value.data = text
        sent = time.perf_counter()
        await self._send(self._state(widget))
        async for body in self._until_finished():
            yield time.perf_counter() - sent, body

    async def stay(self) -> None:
        """Leave the page open for ever: ask for what it wants to be asked for, as a browser does in front of nobody."""
        asked = dict.fromkeys(self.page.repeated, time.monotonic())
        reading = asyncio.create_task(self._drain())
        try:
            while True:
                now = time.monotonic()
                for fragment, interval_s in list(self.page.repeated.items()):
                    if now - asked.setdefault(fragment, now) >= interval_s:
                        asked[fragment] = now
                        state = ClientState(query_string=self.page.query, fragment_id=fragment, is_auto_rerun=True)
                        await self._send(state)
                await asyncio.sleep(LOOK_S)
        finally:
            reading.cancel()

    async def _drain(self) -> None:
        while True:
            async for _ in self._until_finished():
                pass

    def _state(self, widget: WidgetState) -> ClientState:
        return ClientState(query_string=self.page.query, widget_states=WidgetStates(widgets=[widget]))

    async def _finish(self, state: ClientState) -> None:
        await self._send(state)
        async for _ in self._until_finished():
            pass

    async def _send(self, state: ClientState) -> None:
        assert self._socket is not None
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    async def _until_finished(self) -> AsyncIterator[str]:
        """Texts of this run and of the runs that it asks for itself; ends with the last of them."""
        assert self._socket is not None
        async for raw in self._socket:
            self.received += len(raw)
            message = ForwardMsg.FromString(raw)  # type: ignore[arg-type]
            kind = message.WhichOneof("type")
            if kind == "delta" and (body := self._read(message.delta)) is not None:
                yield body
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return
            elif kind == "auto_rerun":
                self.page.repeated[message.auto_rerun.fragment_id] = message.auto_rerun.interval
            elif kind == "stop_auto_rerun":
                for fragment in message.stop_auto_rerun.fragment_ids:
                    self.page.repeated.pop(fragment, None)
            elif kind == "new_session":
                self.page.session = message.new_session.initialize.session_id
            elif kind == "page_info_changed":
                self.page.query = message.page_info_changed.query_string
            elif kind == "auth_redirect":
                self.page.redirect = message.auth_redirect.url

    def _read(self, delta: Delta) -> str | None:
        if delta.WhichOneof("type") != "new_element":
            return None
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "chat_input":
            self.page.chat_input = element.chat_input.id
        elif kind == "button":
            self.page.buttons[element.button.label] = element.button.id
        return element.markdown.body if kind == "markdown" else None
