"""Switch for notifications in this browser, drawn by `components/homeroom_live`: only the browser can take them."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import streamlit as st

from services.i18n import gettext
from services.reminders.push_subscriptions import PushSubscription, endpoint_hash

KEY = "push-switch"


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component("homeroom-live.chat", js="main.js", isolate_styles=False)


def draw_push_switch(server_key: str, devices: Sequence[PushSubscription]) -> None:
    """Draw it; the page runs again when the browser's subscription was added or taken off."""
    _component()(
        key=KEY,
        data={
            "part": "push",
            "key": server_key,
            "known": [endpoint_hash(device.endpoint) for device in devices],
            "words": _words(),
        },
        on_changed_change=lambda: None,
    )


def _words() -> dict[str, str]:
    return {
        "on": gettext("Notifications are on in this browser."),
        "off": gettext("Notifications are off in this browser."),
        "switch_on": gettext("Switch on in this browser"),
        "switch_off": gettext("Switch off in this browser"),
        "blocked": gettext(
            "This browser blocks notifications from Homeroom. Allow them in its settings for this page."
        ),
        "unsupported": gettext(
            "This browser takes no notifications. On an iPhone or iPad, add Homeroom to the home screen and open it "
            "from there."
        ),
        "failed": gettext("The browser could not switch notifications on. Try again in a moment."),
    }
