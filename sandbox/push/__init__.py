"""The campus's push service (RFC 8030), and pretend phones whose lock screens show what arrived.

A phone's page makes its keys, as a browser does, and hands the address to Homeroom's own route with the cookie of
whoever is signed in. The service is as strict as real ones: it checks the signature, the times and the sizes.
"""

import json
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus, acting_as
from sandbox.pages import esc, page
from sandbox.push.devices import Devices, PushRefused

SITE = "Campus push service"
_SCRIPT = Path(__file__).with_name("phone.js")


def routes(campus: Campus) -> list[BaseRoute]:
    """The routes below /sandbox/push."""
    devices = Devices(campus)

    async def phones(request: Request) -> Response:
        shown = "".join(
            f"<h2>{esc(device.name)}{' (switched off)' if device.is_gone else ''}</h2>"
            + ("".join(_notification(message) for message in device.messages) or "<p>Nothing has arrived yet.</p>")
            for device in devices.all()
        )
        body = (
            "<p>A pretend phone stands for a browser that takes notifications. Sign in to Homeroom in this browser, "
            "then make one; what Homeroom sends to it appears here, as on a lock screen.</p>"
            f'<form id="phone"><button class="go">Make a phone</button></form><p id="told" role="status"></p>{shown}'
            f'<script src="{esc(campus.origin)}/push/phone.js"></script>'
        )
        return page("Pretend phones", body, site=SITE)

    async def script(request: Request) -> Response:
        return Response(_SCRIPT.read_text(), media_type="text/javascript", headers={"cache-control": "no-store"})

    async def make(request: Request) -> Response:
        return JSONResponse(devices.make(), 201)

    async def switch_off(request: Request) -> Response:
        devices.switch_off(request.path_params["id"])
        return Response(status_code=204)

    async def listed(request: Request) -> Response:
        return JSONResponse({"devices": [device.as_json() for device in devices.all()]})

    async def take(request: Request) -> Response:
        acting_as(request, "", write=False)
        try:
            devices.take(request.path_params["id"], dict(request.headers), await request.body())
        except PushRefused as refused:
            return JSONResponse({"error": str(refused)}, refused.status)
        return Response(status_code=201, headers={"location": f"{campus.origin}/push/messages"})

    return [
        Route("/", phones),
        Route("/phone.js", script),
        Route("/devices", make, methods=["POST"]),
        Route("/devices/{id}", switch_off, methods=["DELETE"]),
        Route("/devices.json", listed),
        Route("/send/{id}", take, methods=["POST"]),
    ]


def seed(campus: Campus) -> None:
    """There are no phones in the beginning."""


def _notification(message: dict[str, str]) -> str:
    told = json.loads(message["payload"])
    return (
        f"<p><strong>{esc(told.get('title', ''))}</strong><br>{esc(told.get('body', ''))}<br>"
        f'<span class="soft">{esc(message["at"])} UTC</span></p>'
    )
