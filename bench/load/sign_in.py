"""Signs a person of the campus in, for clients that are no browser."""

import asyncio

import httpx

from bench.load.forms import press
from bench.load.streamlit_client import StreamlitClient


def sign_in(url: str, person: str = "Maya Chen") -> dict[str, str]:
    """The cookies of a browser in which this person signed in at `url`."""
    with httpx.Client(base_url=url, follow_redirects=True, timeout=30, trust_env=False) as client:
        client.get("/_stcore/health").raise_for_status()  # brings the cookie that proves a page of this origin
        choice = client.get(asyncio.run(_way_to_provider(url, dict(client.cookies))))
        press(client, choice, person).raise_for_status()
        return dict(client.cookies)


async def _way_to_provider(url: str, cookies: dict[str, str]) -> str:
    async with StreamlitClient(url, cookies) as tab:
        await tab.open()
        await tab.press("Sign in")
        assert tab.page.redirect, "the welcome page did not lead to the sign-in provider"
        return tab.page.redirect
