"""The claims of a launch, as Canvas and Moodle each write them (LTI Core 1.3, Deep Linking 2.0)."""

from typing import Any

from sandbox.campus import Campus
from sandbox.canvas.school import Row
from sandbox.lti.flavour import CANVAS, Flavour
from sandbox.lti.launches import DEEP_LINKING, opaque_data
from sandbox.lti.people import context_id
from sandbox.lti.tools import ROSTER_SCOPE, Tool
from sandbox.people import Person

_CLAIM = "https://purl.imsglobal.org/spec/lti/claim"
_DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim"
_NRPS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
_MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
_INSTITUTION = "http://purl.imsglobal.org/vocab/lis/v2/institution/person"
_SYSTEM = "http://purl.imsglobal.org/vocab/lis/v2/system/person"
LIFETIME_S = {"canvas": 3600, "moodle": 60}
_NOTHING: dict[str, Any] = {"validation_context": None, "errors": {"errors": {}}}


def claims_of(
    campus: Campus, flavour: Flavour, tool: Tool, person: Person, course: Row, launch: dict[str, Any], *, role: str
) -> dict[str, Any]:
    """Every claim but the nonce. launch: as `LmsLaunches` noted it. role: the kind of enrollment."""
    school, now = tool["school"], int(campus.now().timestamp())
    names = person.name.split()
    common = {
        "iss": flavour.issuer(campus, school),
        "aud": tool["client_id"],
        "sub": launch["login_hint"],
        "iat": now,
        "exp": now + LIFETIME_S[flavour.name],
        "name": person.name,
        "given_name": names[0],
        "family_name": " ".join(names[1:]),
        "email": person.email,
        f"{_CLAIM}/message_type": launch["message"],
        f"{_CLAIM}/version": "1.3.0",
        f"{_CLAIM}/deployment_id": tool["deployments"][0],
        f"{_CLAIM}/target_link_uri": launch["target"],
        f"{_CLAIM}/roles": roles_of(flavour, role),
    }
    if launch["message"] == DEEP_LINKING:
        common[f"{_DEEP}/deep_linking_settings"] = _deep_linking(campus, flavour, tool, launch)
    else:
        common[f"{_CLAIM}/resource_link"] = launch["resource_link"]
    if ROSTER_SCOPE in tool["scopes"]:
        common[_NRPS] = {"context_memberships_url": roster_url(campus, flavour, school, course, launch)}
    more = _canvas(campus, tool, course, launch) if flavour is CANVAS else _moodle(campus, tool, course, person, launch)
    merged = {**common, **more}
    if _NRPS in common:
        versions = ["2.0"] if flavour is CANVAS else ["1.0", "2.0"]
        merged[_NRPS] = {**common[_NRPS], "service_versions": versions, **(_NOTHING if flavour is CANVAS else {})}
    return merged


_OF_KIND = {
    "TeacherEnrollment": ("Instructor", "Instructor"),
    "StudentEnrollment": ("Learner", "Student"),
    "TaEnrollment": ("Instructor", "Instructor"),
    "ObserverEnrollment": ("Mentor", "Observer"),
    "DesignerEnrollment": ("ContentDeveloper", "Instructor"),
}
"""Roles in the course and in the institution, as Canvas writes them for each kind of enrollment."""


def roles_of(flavour: Flavour, role: str) -> list[str]:
    """Canvas adds roles in the institution and the system, which say nothing of the course, and an assistant's sub-role
    beside that of an instructor. Moodle has two roles, by what somebody may do: an assistant launches as an instructor,
    and so does the site's administrator.
    """
    if flavour is not CANVAS:
        is_teaching = role in ("TeacherEnrollment", "TaEnrollment", "DesignerEnrollment", "")
        membership = f"{_MEMBERSHIP}#{'Instructor' if is_teaching else 'Learner'}"
        more = [f"{_SYSTEM}#Administrator", f"{_INSTITUTION}#Administrator"] if not role else []
        return [membership, *more]
    if not role:
        return [f"{_INSTITUTION}#Administrator", f"{_SYSTEM}#User"]
    of_course, of_institution = _OF_KIND[role]
    assistant = [f"{_MEMBERSHIP}/Instructor#TeachingAssistant"] if role == "TaEnrollment" else []
    return [f"{_INSTITUTION}#{of_institution}", *assistant, f"{_MEMBERSHIP}#{of_course}", f"{_SYSTEM}#User"]


def roster_url(campus: Campus, flavour: Flavour, school: str, course: Row, launch: dict[str, Any]) -> str:
    """Where the names of a course are; Canvas narrows it to one link for what was linked deeply."""
    if flavour is CANVAS:
        address = f"{flavour.site(campus, school)}/api/lti/courses/{course['id']}/names_and_roles"
        link = launch["resource_link"]["id"]
        return address if link == context_id(flavour, school, course) else f"{address}?rlid={link}"
    return f"{flavour.site(campus, school)}/mod/lti/services.php/CourseSection/{course['id']}/bindings/2/memberships"


def _deep_linking(campus: Campus, flavour: Flavour, tool: Tool, launch: dict[str, Any]) -> dict[str, Any]:
    site, course = flavour.site(campus, tool["school"]), launch["course_id"]
    if flavour is CANVAS:
        return {
            "deep_link_return_url": f"{site}/courses/{course}/deep_linking_response?data={launch['id']}",
            "accept_types": ["link", "file", "html", "ltiResourceLink", "image"],
            "accept_presentation_document_targets": ["embed", "iframe", "window"],
            "accept_media_types": "image/*,text/html,application/vnd.ims.lti.v1.ltilink,*/*",
            "auto_create": False,
            "accept_multiple": True,
            "accept_lineitem": False,
            **_NOTHING,
        }
    return {
        "deep_link_return_url": f"{site}/mod/lti/contentitem_return.php?course={course}&id={launch['id']}",
        "accept_types": ["ltiResourceLink"],
        "accept_presentation_document_targets": ["frame", "iframe", "window"],
        "accept_multiple": True,
        "auto_create": False,
        "accept_copy_advice": False,
        "title": "",
        "text": "",
        "data": opaque_data(flavour, launch["id"]),
    }


def _canvas(campus: Campus, tool: Tool, course: Row, launch: dict[str, Any]) -> dict[str, Any]:
    school = tool["school"]
    more: dict[str, Any] = {
        "azp": tool["client_id"],
        "locale": "en",
        "picture": f"{CANVAS.site(campus, school)}/images/messages/avatar-50.png",
        f"{_CLAIM}/context": {
            "id": context_id(CANVAS, school, course),
            "label": course["course_code"],
            "title": course["name"],
            "type": ["http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering"],
            **_NOTHING,
        },
        f"{_CLAIM}/tool_platform": {
            "guid": f"{school}:canvas-lms",
            "name": school.title(),
            "version": "cloud",
            "product_family_code": "canvas",
            **_NOTHING,
        },
        f"{_CLAIM}/launch_presentation": {
            "document_target": "window" if launch["is_tab"] else "iframe",
            "return_url": f"{CANVAS.site(campus, school)}/courses/{course['id']}",
            "locale": "en",
            **_NOTHING,
        },
        # Canvas leaves a variable as it is while there is nothing to fill in: nobody acts as somebody else here.
        f"{_CLAIM}/custom": tool.get("custom", {}),
        f"{_CLAIM}/lti11_legacy_user_id": launch["login_hint"].replace("-", ""),
        f"{_CLAIM}/lti1p1": {"user_id": launch["login_hint"].replace("-", ""), **_NOTHING},
        "https://www.instructure.com/placement": "course_navigation",
        "errors": {"errors": {}},
    }
    if launch["message"] != DEEP_LINKING:
        more[f"{_CLAIM}/resource_link"] = {**launch["resource_link"], "description": None, **_NOTHING}
    return more


def _moodle(campus: Campus, tool: Tool, course: Row, person: Person, launch: dict[str, Any]) -> dict[str, Any]:
    return {
        f"{_CLAIM}/context": {
            "id": str(course["id"]),
            "label": course["course_code"],
            "title": course["name"],
            "type": ["CourseSection"],
        },
        f"{_CLAIM}/tool_platform": {
            "guid": "127.0.0.1",
            "name": tool["school"].title(),
            "description": tool["school"].title(),
            "version": "2026041300",
            "product_family_code": "moodle",
        },
        f"{_CLAIM}/launch_presentation": {
            "locale": "en",
            "document_target": "window" if launch["is_tab"] else "iframe",
            "return_url": f"{campus.origin}/lti/moodle/{tool['school']}/mod/lti/return.php?course={course['id']}",
        },
        f"{_CLAIM}/ext": {"user_username": person.id, "lms": "moodle-2"},
        f"{_CLAIM}/lis": {"person_sourcedid": "", "course_section_sourcedid": ""},
    }
