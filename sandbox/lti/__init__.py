"""The campus's LTI 1.3 platforms: Canvas and Moodle with their quirks, in the browser and for programs."""

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.lti.authorization import Authorization
from sandbox.lti.deep_links import DeepLinks
from sandbox.lti.flavour import CANVAS, FLAVOURS, lms_base
from sandbox.lti.keys import LmsKeys
from sandbox.lti.people import LmsPeople
from sandbox.lti.registration import LmsRegistration
from sandbox.lti.services import LmsServices
from sandbox.lti.switches import LmsSwitches
from sandbox.lti.tools import HOMEROOM_CLIENT, LmsTools, homeroom
from sandbox.lti.web import LmsWeb

__all__ = ["lms_base", "routes", "seed"]


def routes(campus: Campus) -> list[BaseRoute]:
    """Every route, relative to /sandbox/lti."""
    people = LmsPeople(campus)
    parts = (
        Authorization(campus, people),
        LmsServices(campus, people),
        DeepLinks(campus, people),
        LmsRegistration(campus),
        LmsWeb(campus, people),
    )
    control = [] if campus.personas else _control(campus)
    keys = [Route(f"/{name}/{{school}}{flavour.keys}", _keys(campus, name)) for name, flavour in FLAVOURS.items()]
    # The control routes and the fixed addresses before those that take any school.
    return [*control, *keys, *(route for part in parts for route in part.routes())]


def seed(campus: Campus) -> None:
    """Install Homeroom at the first Canvas school, as its administrator has done by hand."""
    origin = campus.origin.removesuffix("/sandbox")
    LmsTools(campus).install(homeroom(origin, CANVAS, CANVAS.schools[0], HOMEROOM_CLIENT))


def _keys(campus: Campus, flavour: str) -> object:
    async def answer(request: Request) -> Response:
        keys = LmsKeys(campus.state, flavour).public()
        return JSONResponse(keys, headers={"cache-control": "max-age=864000"})

    return answer


def _control(campus: Campus) -> list[BaseRoute]:
    switches = LmsSwitches(campus.state)

    async def put(request: Request) -> Response:
        try:
            return JSONResponse(switches.put(dict(json.loads(await request.body()))), 201)
        except (ValueError, TypeError) as error:
            return JSONResponse({"error": str(error)}, 400)

    async def clear(request: Request) -> Response:
        switches.clear()
        return Response(status_code=204)

    async def rotate(request: Request) -> Response:
        if request.path_params["flavour"] not in FLAVOURS:
            return JSONResponse({"error": "no such flavour"}, 404)
        return JSONResponse({"kid": LmsKeys(campus.state, request.path_params["flavour"]).rotate()}, 201)

    async def install(request: Request) -> Response:
        try:
            return JSONResponse(LmsTools(campus).install(dict(json.loads(await request.body()))), 201)
        except (ValueError, TypeError, KeyError) as error:
            return JSONResponse({"error": str(error)}, 400)

    return [
        Route("/switches", put, methods=["POST"]),
        Route("/switches", clear, methods=["DELETE"]),
        Route("/tools", install, methods=["POST"]),
        Route("/keys/{flavour}", rotate, methods=["POST"]),
    ]
