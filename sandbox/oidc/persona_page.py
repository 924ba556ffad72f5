"""The sign-in page of a demo's class: one free student for each visitor, and others to be instead."""

from collections.abc import Sequence

from starlette.responses import Response

from sandbox.campus import Campus
from sandbox.pages import esc, message_page, page
from sandbox.people import Person

SITE = "Campus sign-in"
TITLE = "Who you are in this demo"


def persona_page(
    campus: Campus, person: Person, *, free: Sequence[Person], fields: str, is_own: bool, is_second: bool
) -> Response:
    """The page with one large button. fields: the request's own, as hidden inputs. is_own: whether they have been this
    student before. is_second: whether the one they wanted was somebody else's by now.
    """
    courses = next(each.courses for each in campus.personas if each.person == person)
    lead = "Welcome back. You are" if is_own else "That one is taken. You can be" if is_second else "For today you are"
    verb = "Go on as" if is_own else "Start as"
    others = "".join(_button(other, "wide") for other in free)
    more = f"<details><summary>Be somebody else</summary>{others}</details>" if others and not is_own else ""
    another = '<button name="another" value="1">I am somebody else</button>' if is_own else ""
    return page(
        TITLE,
        f"<p>{lead} <strong>{esc(person.name)}</strong>, a student with {esc(', '.join(courses))}. "
        "This person is made up, and so is everything they have: no password is needed.</p>"
        f'<form method="post" action="/sandbox/oidc/authorize">{fields}'
        f'<button class="wide go" name="person" value="{esc(person.id)}">{verb} {esc(person.name)}</button>'
        f'{another}<button name="cancel" value="1">Cancel</button>{more}</form>',
        site=SITE,
    )


def class_is_full(campus: Campus) -> Response:
    """What a visitor reads when every student is somebody."""
    count = len(campus.personas) - 1
    sentence = f"All {count} students are taken. Look on with a neighbour, or ask the presenter to begin anew."
    return message_page("This class is full", sentence, site=SITE, status=200)


def _button(person: Person, look: str) -> str:
    return f'<button class="{look}" name="person" value="{esc(person.id)}">{esc(person.name)}</button>'
