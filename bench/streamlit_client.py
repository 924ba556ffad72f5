"""A browser's side of Streamlit's websocket without a browser, so that a hundred students fit on one machine."""

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


@dataclass
class Page:
    """What has arrived of the page so far."""

    bytes_received: int = 0
    chat_input: str | None = None
    query: str = ""
    texts: list[tuple[float, str]] = field(default_factory=list)
    """(time.perf_counter seconds, Markdown body) of each text element, as it came."""


class StreamlitClient:
    """One open tab. Use `async with StreamlitClient(...)`."""

    def __init__(self, url: str, cookies: Mapping[str, str]) -> None:
        self._url = url
        self._cookies = dict(cookies)
        self._socket: ClientConnection | None = None
        self.page = Page()

    async def __aenter__(self) -> "StreamlitClient":
        host = urlsplit(self._url).netloc
        self._socket = await connect(
            f"ws://{host}/_stcore/stream",
            origin=self._url,
            subprotocols=["streamlit", self._cookies.get(XSRF_COOKIE, "none")],
            additional_headers={"Cookie": _cookie_header(self._cookies)},
            max_size=None,
            compression=None,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._socket is not None
        await self._socket.close()

    async def open(self, query: str = "") -> None:
        """Load the page and read it to the end of its run."""
        self.page.query = query
        await self._send(ClientState(query_string=query))
        async for _ in self._until_finished():
            pass

    async def say(self, text: str) -> AsyncIterator[tuple[float, str]]:
        """Send a chat message; yields (seconds since sending, text) for each text that arrives while it is answered."""
        assert self.page.chat_input, "the page has no chat input"
        widget = WidgetState(id=self.page.chat_input)
        widget.chat_input_value.data = text
        sent = time.perf_counter()
        await self._send(ClientState(query_string=self.page.query, widget_states=WidgetStates(widgets=[widget])))
        async for body in self._until_finished():
            yield time.perf_counter() - sent, body

    async def _send(self, state: ClientState) -> None:
        assert self._socket is not None
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    async def _until_finished(self) -> AsyncIterator[str]:
        """Texts of this run and of the runs that it asks for itself; ends with the last of them."""
        assert self._socket is not None
        async for raw in self._socket:
            self.page.bytes_received += len(raw)
            message = ForwardMsg.FromString(raw if isinstance(raw, bytes) else raw.encode())
            kind = message.WhichOneof("type")
            if kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return
            if kind == "page_info_changed":
                self.page.query = message.page_info_changed.query_string
            if kind == "delta" and (body := self._read(message.delta)) is not None:
                yield body

    def _read(self, delta: Delta) -> str | None:
        if delta.WhichOneof("type") != "new_element":
            return None
        element = delta.new_element
        if element.WhichOneof("type") == "chat_input":
            self.page.chat_input = element.chat_input.id
        return element.markdown.body if element.WhichOneof("type") == "markdown" else None


def _cookie_header(cookies: Mapping[str, str]) -> str:
    jar: SimpleCookie = SimpleCookie()
    for name, value in cookies.items():
        jar[name] = value
    return jar.output(header="", sep=";").strip()
