"""Sample course integration: a made-up course to try Homeroom with, without account, settings or network."""

from collections.abc import Mapping

from services.connections.connector import Account, Grant
from services.i18n import gettext_noop
from services.integrations.base import Integration
from services.integrations.sample_course.course import ID, LABEL, load_course
from services.integrations.sample_course.tools import SAMPLE_TOOLS

ORIGIN = "sample-course"


def integration(extension: Mapping[str, str]) -> Integration:
    """The integration, which is the same everywhere and has no settings."""
    return Integration(
        id=ID,
        label=LABEL,
        icon=":material/science:",
        category="courses",
        summary=gettext_noop("A made-up astronomy course with due dates, grades and announcements, to try things out."),
        reads=(gettext_noop("a course that Homeroom brings along; nothing of yours"),),
        writes=(),
        consent=gettext_noop(
            "Everything in the sample course is made up. Nothing of yours is read, and nothing is changed."
        ),
        origins=(ORIGIN,),
        oauth=None,
        identify=lambda _: Account(id=ID, name=load_course().name),
        client=lambda _: load_course(),
        tools=SAMPLE_TOOLS,
        begins=lambda: Grant(origin=ORIGIN, access_token=ID),
        gives_way_to="courses",
    )
