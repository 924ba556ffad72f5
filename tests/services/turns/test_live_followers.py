"""Who follows an answer live, as a page script asks."""

import threading
import time

from services.turns.live_followers import LiveFollowers


def test_a_script_hears_at_once_that_its_tab_follows() -> None:
    followers = LiveFollowers()
    assert not followers.wait_for("tab", 0.01)
    opened = threading.Event()

    def follow() -> None:
        with followers.following("maya", "tab"):
            opened.set()
            time.sleep(0.3)

    threading.Timer(0.05, follow).start()
    assert followers.wait_for("tab", 5)
    assert opened.wait(5)
    assert not followers.wait_for("another tab", 0.01)


def test_a_tab_that_has_gone_follows_no_more() -> None:
    followers = LiveFollowers()
    with followers.following("maya", "tab"), followers.following("maya", "tab"):
        pass
    assert not followers.wait_for("tab", 0.01)
