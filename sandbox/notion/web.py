"""Pages of the campus's Notion for people: read a page, edit it, stop sharing it with Homeroom."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sandbox.campus import Campus, acting_as
from sandbox.notion.content import Json
from sandbox.notion.ids import read_id
from sandbox.notion.markdown import Node, normalized, parse
from sandbox.notion.richtext import runs_of
from sandbox.notion.shapes import page_url
from sandbox.notion.workspace import DATABASES, PAGES, Record, Workspace
from sandbox.pages import esc, message_page, page
from sandbox.refusals import Refused

SITE = "Notion"
TAGS = {"bulleted_list_item": "ul", "numbered_list_item": "ol"}
STYLES = (("code", "code"), ("bold", "strong"), ("italic", "em"), ("strikethrough", "s"))


class WorkspacePages:
    """Answers / (everyone's workspaces) and the web address of each page and database."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus

    async def index(self, request: Request) -> Response:
        """The top pages of every workspace."""
        body = ""
        for person_id in self._campus.people:
            workspace = Workspace(self._campus, person_id)
            tops = [record for record in self._records(person_id) if record["parent"]["type"] == "workspace"]
            body += f"<h2>{esc(workspace.name)}</h2><ul>{''.join(self._link(record) for record in tops)}</ul>"
        return page("Workspaces", body, site=SITE)

    async def show(self, request: Request) -> Response:
        """A page or a database, everything in it as text, and two forms."""
        record = self._find(request.path_params["slug"])
        if record is None:
            return message_page("Page not found", "This page does not exist.", site=SITE, status=404)
        workspace = Workspace(self._campus, record["person"])
        below = [child for _, child in workspace.children(record["id"])]
        below += workspace.rows(record["source"]) if "source" in record else []
        links = "".join(self._link(child) for child in below)
        body = html_of(parse(record.get("markdown", ""))) + (f"<ul>{links}</ul>" if links else "")
        return page(record["title"] or "Untitled", body + _forms(record, is_shared=workspace.sees(record)), site=SITE)

    async def change(self, request: Request) -> Response:
        """What a person does to a page in Notion itself: a new text, shared or not; the log counts no write."""
        record = self._find(request.path_params["slug"])
        if record is None:
            return message_page("Page not found", "This page does not exist.", site=SITE, status=404)
        acting_as(request, record["person"], write=False)
        form = await request.form()
        if form.get("action") in ("share", "unshare"):
            kind = DATABASES if "source" in record else PAGES
            self._campus.state.put(kind, record["id"], {**record, "private": form["action"] == "unshare"})
        elif "markdown" in record:
            markdown = normalized(str(form.get("markdown") or ""))
            workspace = Workspace(self._campus, record["person"])
            workspace.save({**record, "markdown": markdown}, by=workspace.user_id)
        return RedirectResponse(page_url(self._campus, record), status_code=303)

    def _find(self, slug: str) -> Record | None:
        try:
            object_id = read_id(slug[-32:], "slug")
        except Refused:
            return None
        return self._campus.state.get(PAGES, object_id) or self._campus.state.get(DATABASES, object_id)

    def _records(self, person_id: str) -> list[Record]:
        return [record for record in self._campus.state.all(PAGES, person=person_id) if not record["in_trash"]]

    def _link(self, record: Record) -> str:
        return f'<li><a href="{esc(page_url(self._campus, record))}">{esc(record["title"] or "Untitled")}</a></li>'


def html_of(nodes: list[Node]) -> str:
    """Page content as safe HTML."""
    return "".join(_block(node) for node in nodes)


def _block(node: Node) -> str:
    inner = _inline(node.text) + (html_of(node.children) if node.children else "")
    match node.kind:
        case "code" | "equation":
            return f"<pre>{esc(node.text)}</pre>"
        case "divider":
            return "<hr>"
        case "table":
            rows = ["".join(f"<td>{_inline(cell)}</td>" for cell in row) for row in node.rows]
            return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
        case "to_do":
            return f"<p>{'☑' if node.is_checked else '☐'} {inner}</p>"
        case "quote":
            return f"<blockquote>{inner}</blockquote>"
        case "bulleted_list_item" | "numbered_list_item":
            return f"<{TAGS[node.kind]}><li>{inner}</li></{TAGS[node.kind]}>"
        case "paragraph":
            return f"<p>{inner}</p>"
    level = int(node.kind[-1]) + 1
    return f"<h{level}>{inner}</h{level}>"


def _inline(markdown: str) -> str:
    return "".join(_run(run) for run in runs_of(markdown))


def _run(run: Json) -> str:
    html = esc(run["plain_text"]).replace("\n", "<br>")
    for name, tag in STYLES:
        if run["annotations"][name]:
            html = f"<{tag}>{html}</{tag}>"
    href = run["href"] or ""
    return f'<a href="{esc(href)}" rel="noreferrer">{html}</a>' if href.startswith(("http://", "https://")) else html


def _forms(record: Record, *, is_shared: bool) -> str:
    action, label = ("unshare", "Stop sharing with Homeroom") if is_shared else ("share", "Share with Homeroom")
    shared = "Homeroom can see this page." if is_shared else "Homeroom cannot see this page."
    button = f'<button name="action" value="{action}">{label}</button>'
    forms = f'<form method="post"><p class="soft">{shared}</p>{button}</form>'
    if "markdown" not in record:
        return forms
    area = (
        f'<textarea name="markdown" rows="12" style="width:100%" aria-label="Text">{esc(record["markdown"])}</textarea>'
    )
    return f'{forms}<form method="post"><h2>Edit</h2>{area}<button name="action" value="save">Save</button></form>'
