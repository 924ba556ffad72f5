"""Browser binding: what a browser keeps between the login and the launch, in a cookie or in the platform's storage."""

import json
from collections.abc import Mapping
from html import escape
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from api.lti.page import button, form, lti_page
from services.classes.lti.launch_validation import VerifiedLaunch
from services.classes.lti.login_initiation import LASTS, LAUNCH, LOGIN, BegunLogin, LoginRequest, mark_of
from services.classes.lti.platform import origin_of
from services.i18n import gettext

FRAMED, FIRST_PARTY = "homeroom_lti_", "homeroom_lax_"
_PROBE = "homeroom_probe=1"
_PATH = "/lti"
_IN_FRAMES = "Secure; SameSite=None; Partitioned"
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")

# LTI Client Side postMessages 0.1, Platform Storage 0.1: the frame that the launch names is asked, then the parent.
_STORAGE = """\
const ask = (message, done) => {
  const host = window.opener || window.parent
  const id = crypto.getRandomValues(new Uint32Array(4)).join("-")
  let frame = host
  try { if (given.target !== "_parent") frame = host.frames[given.target] || host } catch { frame = host }
  let isOver = false
  const end = answer => { if (!isOver) { isOver = true; done(answer) } }
  window.addEventListener("message", event => {
    const { data, origin, source } = event
    if (origin !== given.origin || (source !== frame && source !== host)) return
    if (data?.message_id === id && data.subject === `${message.subject}.response`) end(data)
  })
  const post = to => { try { to.postMessage({ ...message, message_id: id }, given.origin) } catch {} }
  post(frame)
  if (frame !== host) setTimeout(() => { if (!isOver) post(host) }, 700)
  setTimeout(() => end(null), 1500)
}
"""
# Canvas and Moodle answer each launch once. So whether this frame keeps anything must be known before they are asked.
_PUT = """\
const goOn = () => location.replace(given.next)
const decide = answer => {
  if (document.cookie.split("; ").includes(given.probe) || (answer && !answer.error)) return goOn()
  document.getElementById("on").hidden = true
  document.getElementById("tab").hidden = false
}
if (window.parent === window && !window.opener) goOn()
else if (given.target) ask({ subject: "lti.put_data", key: given.key, value: given.value }, decide)
else decide(null)
"""
_GET = """\
const again = document.getElementById("again")
const showTab = () => { document.getElementById("tab").hidden = false }
document.getElementById("tab").hidden = true
if (window.parent === window) again.submit()
else if (given.target) ask({ subject: "lti.get_data", key: given.key }, answer => {
  if (typeof answer?.value !== "string") return showTab()
  again.elements.binding.value = answer.value
  again.submit()
})
else showTab()
"""


def begin_page(begun: BegunLogin, asked: LoginRequest) -> HTMLResponse:
    """Page of a launch in a frame: it leaves the binding in the platform's storage where there is one, and goes on to
    the platform. Where the frame keeps neither that nor a cookie, it offers to begin in a tab instead.
    """
    given = {
        "target": asked.lti_storage_target,
        "probe": _PROBE,
        "origin": origin_of(begun.platform.authorization_url),
        "key": FRAMED + mark_of(begun.state),
        "value": begun.binding,
        "next": begun.address,
    }
    go_on = gettext("Go on")
    return lti_page(
        gettext("One moment"),
        (gettext("Homeroom asks your school's system who you are."),),
        body=f'<p id="on"><a href="{escape(begun.address)}">{escape(go_on)}</a></p>'
        + _tab_form(asked).replace("<form ", "<form hidden ", 1),
        frames=begun.platform.frame_origins,
        forms=(origin_of(begun.platform.authorization_url), *begun.platform.frame_origins),
        script=f"const given = {_script_json(given)}\n{_STORAGE}{_PUT}",
    )


def binding_page(verified: VerifiedLaunch) -> HTMLResponse:
    """Page for a launch whose browser sent no cookie: it looks where else the binding may be, then asks for a tab.

    At top level the page posts once more from our own address, so that a cookie comes along which other sites' forms
    do not bring. In a frame it asks the platform's storage where there is one, and else offers to begin again in a tab.
    """
    request, platform = verified.request, verified.platform
    given = {
        "target": request.lti_storage_target,
        "origin": origin_of(platform.authorization_url),
        "key": FRAMED + verified.mark,
    }
    again = form(LAUNCH, {"ticket": verified.binding_ticket, "binding": ""}, "", name="again")
    return lti_page(
        gettext("Open Homeroom"),
        (gettext("Your browser keeps pages inside other pages apart. Homeroom opens in a tab of its own."),),
        body=again + _tab_form(request),
        frames=platform.frame_origins,
        forms=(origin_of(platform.authorization_url), *platform.frame_origins),
        script=f"const given = {_script_json(given)}\n{_STORAGE}{_GET}",
        status=403,
        refused="browser_unknown",
    )


def _tab_form(asked: LoginRequest) -> str:
    """The button that begins the same launch in a tab of its own."""
    begin = {name: value for name, value in vars(asked).items() if value and name != "lti_storage_target"}
    return form(LOGIN, begin, button(gettext("Open Homeroom in a new tab")), name="tab", target="_blank")


class BindingCookies:
    """Two cookies for each login: one that a frame may keep where the address allows it, and one for a tab of its own.

    A third one tells the script of `begin_page` whether its frame keeps any.
    """

    def __init__(self, public_url: str) -> None:
        parts = urlsplit(public_url)
        self._may_be_framed = parts.scheme == "https" or parts.hostname in _THIS_MACHINE

    def set(self, response: Response, begun: BegunLogin) -> None:
        for cookie in self._cookies(mark_of(begun.state), begun.binding, int(LASTS.total_seconds())):
            response.headers.append("set-cookie", cookie)
        if self._may_be_framed:
            response.headers.append("set-cookie", f"{_PROBE}; Path={_PATH}; Max-Age=600; {_IN_FRAMES}")

    def clear(self, response: Response, mark: str) -> None:
        for cookie in self._cookies(mark, "", 0):
            response.headers.append("set-cookie", cookie)

    def _cookies(self, mark: str, value: str, lasts_s: int) -> list[str]:
        kept = f"Path={_PATH}; Max-Age={lasts_s}; HttpOnly"
        framed = f"{FRAMED}{mark}={value}; {kept}; {_IN_FRAMES}"
        return [*([framed] if self._may_be_framed else []), f"{FIRST_PARTY}{mark}={value}; {kept}; SameSite=Lax"]


def kept_binding(request: Request, mark: str) -> str | None:
    """What this browser kept of the login with this mark."""
    cookies: Mapping[str, str] = request.cookies
    return cookies.get(FRAMED + mark) or cookies.get(FIRST_PARTY + mark)


def _script_json(value: Mapping[str, object]) -> str:
    """JSON that ends no script element, whatever a platform has written into it."""
    return json.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
