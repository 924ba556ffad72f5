"""This week in Chromium: time from the click to the drawn calendar, bytes, and layout shift, with quick and slow services."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from bench.load.app_server import AppServer
from bench.load.forms import press
from bench.load.page_load import FIELD, LoadRecorder, size
from bench.load.sign_in import sign_in
from bench.pages import WIDTHS, chromium, signed_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

TITLE = "Week: from the click in the navigation to the drawn calendar, and what a reload of its address sends and moves"
HEAD = ("services", "width", "first time", "again", "KB, cold cache", "KB, warm", "layout shift")
SLOW_MS = 300
DRAWN = ".hc-event"
SERVICES = ("canvas", "google_calendar")
_CLOCK = "() => performance.now()"
_DRAWN_AT = f"""() => new Promise(resolve => {{
  const look = () => document.querySelector({DRAWN!r}) ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
}})"""
