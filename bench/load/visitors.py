"""Who asks beside the students of the live route: tabs of Streamlit, and programs that use the SDK alone."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import anthropic

from bench.load.crowd import Timing
from bench.load.live_client import LiveStudent
from bench.load.streamlit_client import StreamlitClient

MODEL = "claude-haiku-5-5"
_CLIENTS: WeakKeyDictionary[asyncio.AbstractEventLoop, anthropic.AsyncAnthropic] = WeakKeyDictionary()


@dataclass(kw_only=True)
class Watch:
    """Notes when the first and the last of the answer's words were seen."""

    words: int
    first_s: float = 0.0
    last_s: float = 0.0
    latest: str = ""

    def see(self, seconds: float, text: str) -> None:
        self.latest = text
        if not self.first_s and "word1" in text:
            self.first_s = seconds
        if not self.last_s and f"word{self.words}" in text:
            self.last_s = seconds

    def timing(self) -> Timing:
        assert self.last_s, f"the answer never arrived whole; the last that was seen: {self.latest[-200:]!r}"
        return Timing(first_s=self.first_s, last_s=self.last_s)


@dataclass(kw_only=True)
class Tab:
    """Has a tab open and asks in a new chat over Streamlit's websocket."""

    url: str
    cookies: Mapping[str, str]
    words: int
    text: str = ""
    """What is asked; without it the campus's model is told to say so many words."""
    _tab: StreamlitClient | None = field(default=None, init=False)
    _watch: Watch = field(default_factory=lambda: Watch(words=0), init=False)

    async def prepare(self) -> None:
        self._tab = await StreamlitClient(self.url, self.cookies).__aenter__()
        await self._tab.open()

    async def ask(self) -> None:
        assert self._tab is not None
        self._watch = Watch(words=self.words)
        async for seconds, text in self._tab.say(self.text or f"/say-long {self.words}"):
            self._watch.see(seconds, text)

    def timing(self) -> Timing:
        return self._watch.timing()

    async def leave(self) -> None:
        if self._tab is not None:
            await self._tab.__aexit__()


@dataclass(kw_only=True)
class Browser(LiveStudent):
    """Has the page open as well, which draws the chat when its answer has ended and the live route says so."""

    _tab: StreamlitClient | None = field(default=None, init=False)

    async def prepare(self) -> None:
        self._tab = await StreamlitClient(self.url, self.cookies).__aenter__()
        await self._tab.open()

    async def ask(self) -> None:
        await super().ask()
        assert self._tab is not None
        *_, end = self.events()
        await asyncio.sleep(end.data["redraw_in_ms"] / 1000)
        self._tab.page.query = f"c={self.conversation_id}"
        await self._tab.open()

    async def leave(self) -> None:
        await super().leave()
        if self._tab is not None:
            await self._tab.__aexit__()


@dataclass(kw_only=True)
class Program:
    """Asks the model through the SDK, with nothing in between; with the others of its process through one client."""

    model_url: str
    words: int
    _client: anthropic.AsyncAnthropic | None = field(default=None, init=False)
    _watch: Watch = field(default_factory=lambda: Watch(words=0), init=False)

    async def prepare(self) -> None:
        loop = asyncio.get_running_loop()
        if loop not in _CLIENTS:
            _CLIENTS[loop] = anthropic.AsyncAnthropic(base_url=self.model_url, api_key="demo", max_retries=0)
            await _CLIENTS[loop].messages.create(
                model=MODEL, max_tokens=10, messages=[{"role": "user", "content": "Hi"}]
            )
        self._client = _CLIENTS[loop]

    async def ask(self) -> None:
        assert self._client is not None
        text, began = "", time.perf_counter()
        self._watch = Watch(words=self.words)
        message = {"role": "user", "content": f"/say-long {self.words}"}
        async with self._client.messages.stream(model=MODEL, max_tokens=1000, messages=[message]) as stream:
            async for piece in stream.text_stream:
                text += piece
                self._watch.see(time.perf_counter() - began, text)

    def timing(self) -> Timing:
        return self._watch.timing()

    async def leave(self) -> None:
        if self._client is not None:
            await self._client.close()
