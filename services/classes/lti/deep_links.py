"""`DeepLinking`: links to parts of Homeroom that an instructor puts into a course (LTI Deep Linking 2.0)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.classes.lti import claim_names as names
from services.classes.lti.accounts import LtiAccounts
from services.classes.lti.course_bindings import CourseBindings
from services.classes.lti.launch import Launch
from services.classes.lti.launch_targets import page_of
from services.classes.lti.launch_tickets import LaunchTickets, TicketKind
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.refusals import LaunchRefused
from services.classes.lti.tool_keys import ToolKeys
from services.classes.school_class import SchoolClass
from services.i18n import gettext
from services.navigation import STUDY_PAGE

MOST_LINKS = 20
LAUNCH = "/lti/launch"


@dataclass(frozen=True, kw_only=True)
class LinkOption:
    """Part of Homeroom that a course can link to. page: path with parameters. about: a few words for the list."""

    page: str
    title: str
    about: str


OptionsOfClass = Callable[[SchoolClass], Iterable[LinkOption]]


@dataclass(frozen=True, kw_only=True)
class LinkList:
    """What an instructor chooses from. token: of the answer. is_confirmed: unless the course has a class, and those who
    teach it have not said that this person does.
    """

    token: str = field(repr=False)
    options: Sequence[LinkOption]
    takes_several: bool
    course: str
    has_class: bool
    is_confirmed: bool = True


@dataclass(frozen=True, kw_only=True)
class LinkAnswer:
    """Signed answer for the school's system. return_url: where the browser posts it, as the field `JWT`."""

    return_url: str = field(repr=False)
    jwt: str = field(repr=False)


class DeepLinking:
    def __init__(
        self,
        platforms: LtiPlatforms,
        keys: ToolKeys,
        tickets: LaunchTickets,
        accounts: LtiAccounts,
        courses: CourseBindings,
        *,
        public_url: str,
        options_of_class: OptionsOfClass,
    ) -> None:
        """options_of_class: assistants and materials of a class."""
        self._platforms, self._keys, self._tickets = platforms, keys, tickets
        self._accounts, self._courses, self._public_url = accounts, courses, public_url
        self._options_of_class = options_of_class

    def offer(self, launch: Launch, platform: LtiPlatform) -> LinkList:
        """The list for a deep linking request; raises `LaunchRefused` for who does not teach the course."""
        asked = launch.deep_link
        if asked is None:
            raise LaunchRefused("message_unknown")
        if not launch.is_teaching:
            raise LaunchRefused("role_insufficient")
        if not self._platforms.is_reachable_address(asked.return_url):
            raise LaunchRefused("return_refused")
        school_class = self._courses.class_of(launch)
        return LinkList(
            token=self._tickets.issue(TicketKind.DEEP_LINK, launch, platform_id=platform.id),
            options=self._options(launch, school_class),
            takes_several=asked.takes_several,
            course=launch.context_title,
            has_class=school_class is not None,
            is_confirmed=school_class is None or self._is_confirmed(launch),
        )

    def answer(self, token: str, chosen: Sequence[str]) -> LinkAnswer:
        """The signed answer with the pages that were chosen; none ends the choice without a link.

        Raises `LaunchRefused`, also for a page that was not in the list.
        """
        ticket = self._tickets.use(TicketKind.DEEP_LINK, token)
        launch, platform = ticket.launch, self._platforms.get(ticket.more["platform_id"])
        asked = launch.deep_link
        if platform is None or asked is None:
            raise LaunchRefused("platform_unknown")
        options = {option.page: option for option in self._options(launch, self._courses.class_of(launch))}
        pages = list(dict.fromkeys(chosen))
        if len(pages) > (MOST_LINKS if asked.takes_several else 1) or not set(pages) <= set(options):
            raise LaunchRefused("request_malformed")
        claims: dict[str, Any] = {
            "iss": platform.client_id,
            "aud": [platform.issuer],
            names.MESSAGE_TYPE: names.DEEP_LINKING_RESPONSE,
            names.VERSION: names.LTI_VERSION,
            names.DEPLOYMENT_ID: launch.deployment_id,
            names.CONTENT_ITEMS: [self._item(options[page]) for page in pages],
        }
        if asked.data is not None:
            claims[names.DEEP_LINKING_DATA] = asked.data
        return LinkAnswer(return_url=asked.return_url, jwt=self._keys.sign(claims))

    def _is_confirmed(self, launch: Launch) -> bool:
        return self._courses.is_confirmed(launch, self._accounts.student_of(launch.issuer, launch.subject))

    def _options(self, launch: Launch, school_class: SchoolClass | None) -> Sequence[LinkOption]:
        """What every course can link to, and for who teaches its class in Homeroom, too, what is the class's own."""
        is_own = school_class is not None and self._is_confirmed(launch)
        mine = list(self._options_of_class(school_class)) if school_class is not None and is_own else []
        return [
            LinkOption(page=LAUNCH, title=gettext("Homeroom"), about=gettext("The class, from its first page")),
            LinkOption(
                page=STUDY_PAGE.path, title=gettext("Study"), about=gettext("Quizzes, flashcards and exam plans")
            ),
            *(option for option in mine if page_of(f"{self._public_url}{option.page}")),
        ]

    def _item(self, option: LinkOption) -> Mapping[str, Any]:
        return {"type": "ltiResourceLink", "title": option.title, "url": f"{self._public_url}{option.page}"}
