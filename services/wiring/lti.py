"""LTI 1.3: its parts, made once and shared."""

from collections.abc import Iterable
from functools import partial

from services.classes.assistants.assistant_record import record_of
from services.classes.assistants.published_assistants import ASSISTANTS
from services.classes.class_materials import course_key
from services.classes.class_repository import ClassRepository, library_owner
from services.classes.classes import Classes
from services.classes.lti.accounts import LtiAccounts
from services.classes.lti.course_bindings import CourseBindings
from services.classes.lti.course_rosters import CourseRosters
from services.classes.lti.deep_links import DeepLinking, LinkOption
from services.classes.lti.launch_completion import LaunchCompletion
from services.classes.lti.launch_targets import assistant_page, reading_page
from services.classes.lti.launch_tickets import LaunchTickets
from services.classes.lti.launch_validation import LaunchValidation
from services.classes.lti.login_initiation import LoginInitiation
from services.classes.lti.lti_tool import LtiTool
from services.classes.lti.operator_actions import LtiOperator
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.platform_keys import PlatformKeys
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.registration.dynamic_registration import Registration
from services.classes.lti.registration.invites import Invites
from services.classes.lti.roster_client import RosterClient
from services.classes.lti.tool_keys import ToolKeys
from services.classes.lti.waiting_requests import WaitingRequests
from services.classes.memberships import Memberships
from services.classes.roster import Roster
from services.classes.school_class import SchoolClass
from services.connections.vault import KeyRing, Vault
from services.i18n import gettext
from services.identity.roles import Roles
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import Clock
from services.safety.fetch import SafeFetch
from services.settings import Settings
from services.storage.records import read_all
from services.storage.store import Store
from services.wiring.repositories import Repositories


def platforms_of(settings: Settings, store: Store, clock: Clock) -> LtiPlatforms:
    """The registrations alone, for the operator's commands."""
    configured = [LtiPlatform(id="", **fields) for fields in settings.lti_platforms]
    return LtiPlatforms(store, clock, plain_http=settings.egress_allow, configured=configured)


def tool_keys_of(settings: Settings, store: Store, clock: Clock) -> ToolKeys:
    """The signing keys alone, for the operator's commands."""
    return ToolKeys(store, Vault(KeyRing.parse(settings.vault_keys)), clock)


def lti_tool_of(
    settings: Settings,
    repositories: Repositories,
    stored: ClassRepository,
    classes: Classes,
    memberships: Memberships,
    roster: Roster,
    roles: Roles,
    clock: Clock,
) -> LtiTool:
    """Make the parts of LTI; nothing is asked of a school's system before its first launch."""
    store, url = repositories.store, settings.public_url
    fetch = SafeFetch(allow=settings.egress_allow)
    platforms, keys, tickets = (
        platforms_of(settings, store, clock),
        tool_keys_of(settings, store, clock),
        LaunchTickets(store, clock),
    )
    logins = LoginInitiation(store, platforms, clock, public_url=url)
    accounts = LtiAccounts(store, repositories.students, clock)
    waiting = WaitingRequests(store, repositories.students, memberships, clock)
    courses = CourseBindings(store, stored, classes, memberships, waiting)
    invites = Invites(store, clock, public_url=url)
    client = RosterClient(fetch, keys, platforms)
    theirs = PlatformKeys(fetch, repositories.rate_limiter, clock)
    return LtiTool(
        platforms=platforms,
        keys=keys,
        logins=logins,
        launches=LaunchValidation(logins, platforms, theirs, tickets, clock, public_url=url),
        completion=LaunchCompletion(tickets, accounts, courses),
        accounts=accounts,
        courses=courses,
        deep_linking=DeepLinking(
            platforms,
            keys,
            tickets,
            accounts,
            courses,
            public_url=url,
            options_of_class=partial(_class_options, store, MaterialRepository(store, clock)),
        ),
        rosters=CourseRosters(client, platforms, courses, accounts, stored, classes, memberships, roster),
        invites=invites,
        registration=Registration(fetch, platforms, invites, public_url=url),
        operator=LtiOperator(roles, platforms, invites, keys),
    )


def _class_options(store: Store, materials: MaterialRepository, school_class: SchoolClass) -> Iterable[LinkOption]:
    """The published assistants of a class, and what can be read of its materials."""
    assistants = store.shared.find(ASSISTANTS, {"class_id": school_class.id}, order=[("created_at", 1)])
    for assistant in read_all(record_of, assistants):
        if assistant.published:
            about = gettext("A new chat with this assistant of the class")
            yield LinkOption(page=assistant_page(assistant.id), title=assistant.published.name, about=about)
    for record in materials.materials(library_owner(school_class.id), [course_key(school_class.id)]):
        about = gettext("A reading of the class, in the reader")
        yield LinkOption(page=reading_page(record.material.id), title=record.material.title, about=about)
