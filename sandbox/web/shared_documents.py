"""Public documents and slides at addresses like those of Google's, with their exports, under /sandbox/web/docs."""

from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.canvas.documents.html_text import fragment
from sandbox.canvas.documents.render import rendered
from sandbox.canvas.documents.source import LAYOUTS, Source, all_sources
from sandbox.canvas.files.download_key import OTHER_NAME
from sandbox.canvas.seeds.materials import document_id
from sandbox.pages import page

FORMATS = {"document": ("docx", "pdf", "txt", "html"), "presentation": ("pptx", "pdf", "txt")}
KINDS = {"document": "gdoc", "presentation": "gslides"}
SITE = "Shared documents"


def shared_document_routes(campus: Campus) -> list[BaseRoute]:
    """Relative to /sandbox/web."""

    def found(request: Request) -> Source | None:
        kind, number = KINDS.get(request.path_params["kind"]), request.path_params["number"]
        own = (each for each in all_sources() if each.kind == kind)
        return next((each for each in own if document_id(each) == number), None)

    def sign_in() -> Response:
        return RedirectResponse(f"{campus.origin}/web/docs/accounts/ServiceLogin?service=wise", 302)

    async def edit(request: Request) -> Response:
        source = found(request)
        if source is None:
            return _missing()
        if not source.head.get("shared", True):
            return sign_in()
        return page(source.title, await run_in_threadpool(fragment, source), site=SITE)

    async def export(request: Request) -> Response:
        """Send on to the host of exports, as Google does."""
        source, form = found(request), request.path_params.get("form") or request.query_params.get("format", "")
        if source is None or form not in FORMATS.get(request.path_params["kind"], ()):
            return _missing()
        if not source.head.get("shared", True):
            return sign_in()
        path = f"/sandbox/web/docs/exports/{request.path_params['kind']}/{request.path_params['number']}/{form}"
        return RedirectResponse(str(_at_other_name(request.url, path)), 307)

    async def send(request: Request) -> Response:
        source, form = found(request), request.path_params["form"]
        if source is None or form not in LAYOUTS or not source.head.get("shared", True):
            return _missing()
        content = await run_in_threadpool(rendered, replace(source, head={**source.head, "kind": form}))
        name = f'attachment; filename="{source.slug}.{form}"'
        return Response(content, media_type=LAYOUTS[form], headers={"content-disposition": name})

    async def service_login(request: Request) -> Response:
        field = "<label>Email or phone <input name='identifier'></label>"
        return page("Sign in", f"<form>{field} <button type='button'>Next</button></form>", site="Accounts")

    document = "/docs/{kind}/d/{number}"
    return [
        Route("/docs/accounts/ServiceLogin", service_login),
        Route("/docs/exports/{kind}/{number}/{form}", send),
        Route(f"{document}/edit", edit),
        Route(f"{document}/view", edit),
        Route(f"{document}/preview", edit),
        Route(f"{document}/export", export),
        Route(f"{document}/export/{{form}}", export),
    ]


def _at_other_name(asked: URL, path: str) -> URL:
    name = OTHER_NAME.get(asked.hostname or "", asked.hostname or "")
    return asked.replace(hostname=name, path=path, query="")


def _missing() -> Response:
    return HTMLResponse("<title>Page not found</title><p>The file you have requested does not exist.</p>", 404)
