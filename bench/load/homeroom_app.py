"""Homeroom with a class of students that are signed in, and a model in a process of its own."""

import urllib.request
from collections.abc import Mapping
from http.cookies import SimpleCookie
from pathlib import Path

from bench.load.app_server import AppServer
from bench.load.campus import set_pace
from bench.load.class_list import SETTINGS, enrol
from bench.load.live_client import LiveStudent
from bench.load.paced_model import EVERY_S, TOKENS
from bench.load.streamlit_client import XSRF_COOKIE
from bench.load.visitors import Browser, Tab

QUESTION = "Explain photosynthesis to me, please."


class HomeroomApp:
    """The app and its students. model_url: of the `PacedModel`; "" for the campus's model in the app's own process."""

    def __init__(self, data_dir: Path, *, model_url: str, size: int, settings: Mapping[str, str]) -> None:
        model = {"ANTHROPIC_API_KEY": "demo", "ANTHROPIC_BASE_URL": model_url} if model_url else {}
        self._is_paced = bool(model_url)
        self._server = AppServer(data_dir, {**SETTINGS, **model, **settings})
        self._cookies = enrol(data_dir, self._server.url, size)
        self._question = QUESTION if model_url else f"/say-long {TOKENS}"

    def start(self) -> "HomeroomApp":
        self._server.start()
        with urllib.request.urlopen(f"{self._server.url}/_stcore/health", timeout=10) as answer:
            jar = SimpleCookie(answer.headers["set-cookie"])
        # Without it a websocket of Streamlit reads no sign-in cookie.
        for cookies in self._cookies:
            cookies[XSRF_COOKIE] = jar[XSRF_COOKIE].value
        if not self._is_paced:
            set_pace(f"{self._server.url}/sandbox", 1 / EVERY_S)
        return self

    def stop(self) -> None:
        self._server.stop()

    @property
    def pid(self) -> int:
        return self._server.pid

    @property
    def log(self) -> str:
        return self._server.log

    def students(self, count: int) -> list[LiveStudent]:
        """So many of them, on the live route."""
        return [
            LiveStudent(url=self._server.url, cookies=cookies, words=TOKENS, text=self._question)
            for cookies in self._cookies[:count]
        ]

    def browsers(self, count: int) -> list[Browser]:
        """So many of them, on the live route, with their pages."""
        return [
            Browser(url=self._server.url, cookies=cookies, words=TOKENS, text=self._question)
            for cookies in self._cookies[:count]
        ]

    def tabs(self, count: int) -> list[Tab]:
        """So many of them, over the websocket of a page, as when the component cannot load."""
        return [
            Tab(url=self._server.url, cookies=cookies, words=TOKENS, text=self._question)
            for cookies in self._cookies[:count]
        ]
