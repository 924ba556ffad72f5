"""Canvas integration: courses, assignments, grades, discussions and course materials, read only."""

import logging
from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from services.connections.connector import Grant
from services.errors import SettingsError
from services.i18n import gettext_noop
from services.integrations.base import ConfigField, Integration
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.materials.listing_caches import ListingCaches
from services.integrations.canvas.materials.open_quizzes import open_quizzes
from services.integrations.canvas.materials.source import CanvasMaterials
from services.integrations.canvas.oauth import PERMISSIONS, CanvasOAuth, canvas_account, end_token
from services.integrations.canvas.people import TeachingCache
from services.integrations.canvas.tools.announcements import canvas_list_announcements
from services.integrations.canvas.tools.assignment import canvas_get_assignment
from services.integrations.canvas.tools.assignments import canvas_list_assignments
from services.integrations.canvas.tools.courses import canvas_get_syllabus, canvas_list_courses
from services.integrations.canvas.tools.discussions import canvas_get_discussion, canvas_list_discussions
from services.integrations.canvas.tools.forecast import canvas_forecast_grade
from services.integrations.canvas.tools.grades import canvas_get_grades
from services.integrations.canvas.tools.modules import canvas_list_modules
from services.integrations.canvas.tools.priorities import canvas_rank_priorities
from services.integrations.canvas.tools.study_plan import canvas_propose_study_plan
from services.integrations.canvas.tools.todo import canvas_list_todo
from services.integrations.canvas.tools.workload import canvas_get_workload
from services.integrations.canvas.transport import CanvasTimeouts, GuardedAdapter, canvas_address
from services.integrations.kit.config_fields import parse_addresses, parse_switch
from services.materials.source import MATERIALS
from services.runtime.total_timeout import TotalTimeoutAdapter
from services.safety.fetch import SafeFetch

SETUP = gettext_noop(
    "Set CANVAS_BASE_URL. With a developer key of that Canvas that leads back to this Homeroom's address and "
    "/connections, set CANVAS_CLIENT_ID and CANVAS_CLIENT_SECRET, too; without one, students paste tokens of their own."
)
CONFIGURATION = (
    ConfigField(
        env="CANVAS_BASE_URL",
        description="The address of your Canvas, such as https://canvas.example.edu; several with commas between.",
        required=True,
        kind="addresses",
    ),
    ConfigField(
        env="CANVAS_CLIENT_ID",
        description="The id of a developer key of that Canvas, for sign-in by OAuth.",
        needs=("CANVAS_CLIENT_SECRET",),
    ),
    ConfigField(
        env="CANVAS_CLIENT_SECRET",
        description="The secret of that developer key.",
        is_secret=True,
        needs=("CANVAS_CLIENT_ID",),
    ),
    ConfigField(
        env="CANVAS_ANY_PUBLIC",
        description="1 lets students paste a token of any public Canvas whose address they type; docs/deploy.md tells "
        "what that means.",
        kind="switch",
    ),
)
_STUDENT_TOKENS_LIVE = timedelta(days=120)
_POOL = 32
_TOKEN_HELP = gettext_noop(
    "In Canvas, open Account, then Settings, find Approved Integrations and press “+ New Access Token”. "
    "Name it Homeroom, choose an end date, and copy the whole token: Canvas shows it only once. A token lets Homeroom "
    "read all that you can see there, and some schools do not allow it; use Canvas's own sign-in where it is offered."
)
TOOLS = (
    canvas_list_courses,
    canvas_list_assignments,
    canvas_get_assignment,
    canvas_get_grades,
    canvas_forecast_grade,
    canvas_list_announcements,
    canvas_get_syllabus,
    canvas_list_modules,
    canvas_list_discussions,
    canvas_get_discussion,
    canvas_list_todo,
    canvas_get_workload,
    canvas_rank_priorities,
    canvas_propose_study_plan,
)


def integration(
    extension: Mapping[str, str], fetch: SafeFetch | None = None, *, timeouts: CanvasTimeouts | None = None
) -> Integration:
    """Build the integration for the operator's addresses, and for others through `fetch` if the operator allows it.

    Raises `SettingsError` for an address that is wrong.
    """
    # canvasapi logs every address, and ours name courses and assignments of a student.
    logging.getLogger("canvasapi").setLevel(logging.WARNING)
    timeouts, adapter, teaching = timeouts or CanvasTimeouts(), TotalTimeoutAdapter(pool_maxsize=_POOL), TeachingCache()
    origins, outside = _origins(extension["BASE_URL"]), fetch or SafeFetch()
    guarded, caches = GuardedAdapter(outside), ListingCaches()

    def client(grant: Grant) -> CanvasClient:
        transport = adapter if grant.origin in origins else guarded
        return CanvasClient(grant, timeouts=timeouts, adapter=transport, teaching=teaching)

    return Integration(
        id="canvas",
        label=LABEL,
        icon=":material/school:",
        category="courses",
        summary=gettext_noop("Your courses, due dates, grades and announcements."),
        reads_briefly=gettext_noop("your courses, assignments, grades, announcements, discussions and files"),
        reads=(
            gettext_noop("your courses, their syllabus and modules"),
            gettext_noop("assignments, what you handed in and what was said about it"),
            gettext_noop("your grades"),
            gettext_noop("announcements and discussions"),
            gettext_noop("files, pages and links of your courses, as far as you may open them yourself"),
            gettext_noop("your Canvas to-do list"),
        ),
        writes=(),
        consent=gettext_noop(
            "When a question needs it, Homeroom reads your courses, assignments, grades, announcements, discussions "
            "and course materials in Canvas and sends what it found, without classmates' names, to Anthropic's Claude, "
            "which writes the answer. It keeps the text of the materials that it read on its own server, for you "
            "alone, at the latest until you disconnect Canvas. "
            "Homeroom keeps your Canvas sign-in sealed on its own server and only uses it for your questions; it never "
            "sells your data and never uses it to train a model."
        ),
        origins=origins,
        oauth=_oauth(extension, timeouts),
        identify=lambda grant: canvas_account(client(grant), grant),
        client=client,
        tools=TOOLS,
        materials=lambda client: CanvasMaterials(client, outside, caches),
        open_quizzes=open_quizzes,
        capabilities=frozenset({MATERIALS}),
        accepts_token=True,
        token_help=_TOKEN_HELP,
        token_lifetime=_STUDENT_TOKENS_LIVE,
        read_origin=partial(canvas_address, fetch=outside) if parse_switch(extension.get("ANY_PUBLIC", "")) else None,
        revoke_token=lambda grant: end_token(grant, timeouts, None if grant.origin in origins else guarded),
        permissions=PERMISSIONS,
    )


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(dict.fromkeys(address.rstrip("/") for address in parse_addresses(text)))
    if any("?" in origin for origin in origins):
        raise SettingsError("CANVAS_BASE_URL", "has a query in it.", next_step="Set scheme, host and path alone.")
    return origins


def _oauth(extension: Mapping[str, str], timeouts: CanvasTimeouts) -> CanvasOAuth | None:
    id, secret = extension.get("CLIENT_ID"), extension.get("CLIENT_SECRET")
    return CanvasOAuth(client_id=id, client_secret=secret, timeouts=timeouts) if id and secret else None
