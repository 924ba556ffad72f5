"""Who is in a demo's class, with a Canvas token for each, so that the class need not connect Canvas one by one."""

from contextlib import closing
from pathlib import Path
from typing import Any

from sandbox.app import campus_of
from sandbox.canvas.oauth import TOKEN_PREFIX
from sandbox.canvas.token_page import LIFETIME
from sandbox.grants import Grants
from sandbox.state import State


def enrolled(database: Path, origin: str) -> list[dict[str, Any]]:
    """The presenter, then the students: what their sign-in says of them, and their new tokens.

    database: of a campus that has its first data.
    """
    with closing(State(database)) as state:
        campus = campus_of(state, origin)
        grants = Grants(campus, "canvas")
        facts = []
        with state.transaction():
            for each in campus.personas:
                person, until = each.person, (campus.now() + LIFETIME).isoformat()
                grant = grants.open(person=person.id, purpose="Homeroom", is_oauth=False, until=until)
                token = grants.token(grant, "access", lifetime_s=int(LIFETIME.total_seconds()), prefix=TOKEN_PREFIX)
                facts.append({**vars(person), "canvas_token": token})
    return facts
