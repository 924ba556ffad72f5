"""Notifications in a real browser: switched on, tested, shown by the service worker, switched off."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.flows.person import Person

pytestmark = pytest.mark.browser

PUSH_SERVICE = """
const kept = () => JSON.parse(localStorage.getItem("subscription"))
const living = made => made && {
  ...made, toJSON: () => made, options: {}, unsubscribe: async () => localStorage.removeItem("subscription"),
}
PushManager.prototype.getSubscription = async () => living(kept())
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  if (applicationServerKey.length !== 65) throw new Error("not a key")
  const made = await (await fetch("/sandbox/push/devices", { method: "POST" })).json()
  localStorage.setItem("subscription", JSON.stringify(made))
  return living(made)
}
"""
"""The campus's push service in place of the browser maker's, which no test may ask."""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready
  for (const end = Date.now() + 10_000; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 50))) {
    const found = await registration.getNotifications()
    if (found.length) return found.map(({ title, body, data }) => [title, body, data.path])
  }
  return []
}"""
"""What the service worker has shown, once there is something."""


def test_a_browser_is_switched_on_tested_and_switched_off(visit: Callable[..., Person]) -> None:
    maya = visit("Maya Chen", permissions=["notifications"])
    maya.page.add_init_script(PUSH_SERVICE)
    maya.open("/settings")

    maya.press("Switch on in this browser")
    maya.sees("Notifications are on in this browser.")
    maya.press("Send me a test")
    maya.sees("The test is on its way.")
    devices = maya.app.campus("/push/devices.json")["devices"]
    protocol = maya.page.context.new_cdp_session(maya.page)
    found: list[str] = []
    protocol.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(each["registrationId"] for each in told["registrations"]),
    )
    protocol.send("ServiceWorker.enable")
    maya.page.wait_for_function("navigator.serviceWorker.controller !== null")
    message = devices[-1]["messages"][0]["payload"]
    protocol.send(
        "ServiceWorker.deliverPushMessage", {"origin": maya.app.url, "registrationId": found[0], "data": message}
    )

    assert "A test from Homeroom" in message
    assert maya.page.evaluate(SHOWN) == [["A test from Homeroom", "Reminders reach you here.", "/"]]
    maya.press("Switch off in this browser")
    expect(maya.page.get_by_text("Notifications are off in this browser.")).to_be_visible()
    assert maya.page.evaluate("localStorage.getItem('subscription')") is None
