"""Pages of a school's system: signing in, courses with their tools, the frame of a tool, installing one."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus, acting_as
from sandbox.canvas.school import Row
from sandbox.lti.deep_links import DeepLinks
from sandbox.lti.flavour import CANVAS, FLAVOURS, Flavour
from sandbox.lti.launches import DEEP_LINKING, RESOURCE_LINK, LmsLaunches
from sandbox.lti.lms_page import carried_on, lms_message, lms_page, with_policy
from sandbox.lti.people import LmsPeople
from sandbox.lti.registration import LmsRegistration
from sandbox.lti.switches import LmsSwitches, changed
from sandbox.lti.tools import LmsTools, Tool
from sandbox.pages import esc, hidden_fields
from sandbox.people import Person
from sandbox.refusals import Refused

FRAME = 'style="width:100%;height:34rem;border:1px solid var(--line);border-radius:.5rem"'


class LmsWeb:
    """What people see; a person signs in by choosing who they are."""

    def __init__(self, campus: Campus, people: LmsPeople) -> None:
        self._campus, self._people, self._tools = campus, people, LmsTools(campus)
        self._launches, self._links = LmsLaunches(campus, people), DeepLinks(campus, people)
        self._registration, self._switches = LmsRegistration(campus), LmsSwitches(campus.state)

    def routes(self) -> list[BaseRoute]:
        """Every page, relative to /sandbox/lti."""
        site, course = "/{flavour}/{school}", "/{flavour}/{school}/courses/{course_id:int}"
        return [
            Route("/lms.js", self.script),
            Route(f"{site}/", self.home, methods=["GET"]),
            Route(f"{site}/login", self.login, methods=["GET", "POST"]),
            Route(f"{site}/tools", self.tools, methods=["GET", "POST"]),
            Route(f"{site}/post_message_forwarding", self.forwarding),
            Route(course, self.course),
            Route(f"{course}/tool", self.tool),
            Route(f"{course}/launch", self.launch),
        ]

    async def script(self, request: Request) -> Response:
        """The script of these pages."""
        code = Path(__file__).with_name("lms.js").read_text()
        return Response(code, media_type="text/javascript", headers={"cache-control": "no-store"})

    async def login(self, request: Request) -> Response:
        """Choose who you are."""
        flavour, school = _place(request)
        people, back = self._people.choices(request), request.query_params.get("to", "")
        site = flavour.site(self._campus, school)
        if request.method == "GET":
            buttons = "".join(
                f'<button class="wide" name="person" value="{esc(person.id)}">{esc(person.name)}'
                f"<small>{esc(person.role)}</small></button>"
                for person in people.values()
            )
            form = f'<form method="post">{hidden_fields({"to": back})}{buttons}</form>'
            return lms_page(flavour, f"Sign in to {school.title()}", form)
        form_fields = await request.form()
        person = people.get(str(form_fields.get("person", "")))
        if person is None:
            return lms_message(flavour, "Nobody by that name", "Go back and choose a person.")
        acting_as(request, person.id, write=False)
        wanted = str(form_fields.get("to", ""))
        target = wanted if wanted.startswith(f"{site}/") else f"{site}/"
        return self._people.sign_in(RedirectResponse(target, 303), person)

    async def home(self, request: Request) -> Response:
        """The courses of whoever is signed in."""
        flavour, school, person = self._visitor(request)
        site = flavour.site(self._campus, school)
        links = "".join(
            f'<li><a href="{esc(site)}/courses/{course["id"]}">{esc(course["name"])}</a></li>'
            for course in self._people.courses_of(person)
        )
        install = f'<p><a href="{esc(site)}/tools">Install a tool</a></p>' if person.role == "instructor" else ""
        body = f"<p>{esc(person.name)} · <a href='{esc(site)}/login'>somebody else</a></p><ul>{links}</ul>{install}"
        return lms_page(flavour, school.title(), body)

    async def course(self, request: Request) -> Response:
        """A course with the tools in its navigation, and the links that were made with them."""
        flavour, school, person = self._visitor(request)
        course, role = self._course(flavour, request, person)
        here = f"{flavour.site(self._campus, school)}/courses/{course['id']}"
        is_teaching, rows = role == "TeacherEnrollment", []
        for tool in self._tools.at(flavour, school):
            rows.append(_ways(here, tool["name"], {"client_id": tool["client_id"]}))
            if is_teaching:
                asked = urlencode({"client_id": tool["client_id"], "choose": "1"})
                rows.append(f'<p><a href="{esc(here)}/tool?{esc(asked)}">Add a link with {esc(tool["name"])}</a></p>')
        made = [
            _ways(here, link["title"], {"client_id": link["client_id"], "link": link["id"]})
            for link in self._links.links(flavour, school, course)
        ]
        links = f"<h2>Links</h2>{''.join(made)}" if made else ""
        none = "<p class='soft'>No tool is installed here.</p>" if not rows else ""
        names = {"TeacherEnrollment": "teacher", "StudentEnrollment": "student"}
        who = f"<p class='soft'>{esc(person.name)} · {esc(names.get(role, person.role))}</p>"
        return lms_page(flavour, course["name"], f"{who}<h2>Tools</h2>{''.join(rows)}{none}{links}")

    async def tool(self, request: Request) -> Response:
        """A tool in a frame, with the frame beside it that keeps its values where the platform has one."""
        flavour, school, person = self._visitor(request)
        course, _ = self._course(flavour, request, person)
        here = f"{flavour.site(self._campus, school)}/courses/{course['id']}"
        beside = ""
        if flavour.storage_target:
            address = f"{flavour.site(self._campus, school)}/post_message_forwarding"
            beside = f'<iframe name="{flavour.storage_target}" src="{esc(address)}" hidden title="Storage"></iframe>'
        body = (
            f'{beside}<iframe name="tool_content" title="Tool" {FRAME} '
            f'src="{esc(here)}/launch?{esc(urlencode(dict(request.query_params)))}"></iframe>'
            f'<p><a class="back" href="{esc(here)}">Back to the course</a></p>'
        )
        return lms_page(flavour, course["name"], body, script="close")

    async def forwarding(self, request: Request) -> Response:
        """The frame that tools' messages go to; Canvas's mobile apps have one that never answers."""
        flavour, _ = _place(request)
        is_silent = self._switches.of(flavour.name)["is_storage_silent"]
        return lms_page(flavour, "Storage", "", script="" if is_silent else "keep")

    async def launch(self, request: Request) -> Response:
        """Begin a launch: a form that goes to the tool's login address."""
        flavour, school, person = self._visitor(request)
        course, role = self._course(flavour, request, person)
        tool = self._tools.of_client(request.query_params.get("client_id", ""))
        if tool is None or tool["school"] != school:
            return lms_message(flavour, "This tool is not here", "It is not installed at this school.", status=404)
        is_choosing = bool(request.query_params.get("choose"))
        if is_choosing and role != "TeacherEnrollment":
            return lms_message(flavour, "Only teachers add links", "Ask your teacher.", status=403)
        asked = self._launches.begin(
            flavour,
            tool,
            person,
            course,
            message=DEEP_LINKING if is_choosing else RESOURCE_LINK,
            link=self._link(request),
            is_tab=bool(request.query_params.get("tab")),
        )
        switches = self._switches.of(flavour.name)
        fields = changed(asked, switches["login"])
        return carried_on(flavour, tool["initiate_login_uri"], fields, method=switches["login_method"] or "post")

    async def tools(self, request: Request) -> Response:
        """The tools of the school, and a field for the registration address of another one."""
        flavour, school, person = self._visitor(request)
        if person.role != "instructor":
            return lms_message(flavour, "Only for the administrator", "Sign in as one.", status=403)
        site = flavour.site(self._campus, school)
        if request.method == "POST":
            url = str((await request.form()).get("url", "")).strip()
            if not url.startswith(("http://", "https://")):
                return lms_message(flavour, "This is no address", "Paste the registration address of the tool.")
            frame = esc(self._registration.address(flavour, school, url))
            back = f'<p><a class="back" href="{esc(site)}/tools">Back</a></p>'
            body = f'<iframe title="Tool" {FRAME} src="{frame}"></iframe>{back}'
            return lms_page(flavour, "Install a tool", body, script="close")
        listed = "".join(f"<li>{_described(tool)}</li>" for tool in self._tools.at(flavour, school))
        form = (
            '<form method="post"><p><label>Registration address <input name="url" size="60" required></label></p>'
            '<button class="go">Install</button></form>'
        )
        return lms_page(flavour, "Tools of this school", f"<ul>{listed}</ul>{form}")

    def _link(self, request: Request) -> Row | None:
        number = request.query_params.get("link", "")
        return self._campus.state.get("lti.links", number) if number else None

    def _visitor(self, request: Request) -> tuple[Flavour, str, Person]:
        flavour, school = _place(request)
        person = self._people.signed_in(request)
        if person is None:
            there = f"{flavour.site(self._campus, school)}/login?{urlencode({'to': self._here(request)})}"
            raise Refused(with_policy(RedirectResponse(there, 303)))
        return flavour, school, person

    def _here(self, request: Request) -> str:
        path = request.scope["path"].partition("/lti/")[2]
        query = f"?{request.url.query}" if request.url.query else ""
        flavour, school = _place(request)
        return f"{flavour.site(self._campus, school).removesuffix(f'/{flavour.name}/{school}')}/{path}{query}"

    def _course(self, flavour: Flavour, request: Request, person: Person) -> tuple[Row, str]:
        course = self._people.course(request.path_params["course_id"])
        role = self._people.role_in(person, course) if course else None
        if course is None or role is None:
            raise Refused(lms_message(flavour, "Not your course", "You are not in this course.", status=403))
        return course, role


def _place(request: Request) -> tuple[Flavour, str]:
    flavour, school = FLAVOURS.get(request.path_params["flavour"]), request.path_params["school"]
    if flavour is None or school not in (*flavour.schools, flavour.shared):
        raise Refused(lms_message(CANVAS, "Page not found", "There is no such school.", status=404))
    return flavour, school


def _ways(here: str, title: str, query: dict[str, str]) -> str:
    inside, outside = urlencode(query), urlencode({**query, "tab": "1"})
    return (
        f'<p><strong>{esc(title)}</strong>: <a href="{esc(here)}/tool?{esc(inside)}">here</a> · '
        f'<a href="{esc(here)}/launch?{esc(outside)}" target="_blank" rel="noopener">in a new tab</a></p>'
    )


def _described(tool: Tool) -> str:
    facts: dict[str, Any] = {"Client ID": tool["client_id"], "Deployment ID": tool["deployments"][0]}
    return esc(tool["name"]) + "".join(f"<br>{esc(name)}: <code>{esc(value)}</code>" for name, value in facts.items())
