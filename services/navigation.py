"""Registry of the pages: title, icon, address and audience, for the navigation, the return after sign-in, and tests."""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from services.i18n import gettext_noop
from services.settings import ROOT


class Audience(StrEnum):
    """Group of students who may see a page; a visitor who is not signed in sees none of them."""

    STUDENTS = "students"
    INSTRUCTORS = "instructors"
    PRESENTERS = "presenters"
    """Whoever presents a demo's class, in its deployment alone."""


class Place(StrEnum):
    """Where the navigation has a line for a page."""

    SIDEBAR = "sidebar"
    ACCOUNT_MENU = "account menu"
    """Behind the student's name, for what is opened once in a while."""
    NOWHERE = "nowhere"


@dataclass(frozen=True, kw_only=True)
class AppPage:
    """Page of the app. name: of its file in `pages/`."""

    name: str
    title: str
    icon: str | None = None
    path: str
    audience: Audience = Audience.STUDENTS
    place: Place = Place.SIDEBAR

    @property
    def script(self) -> str:
        """Whole path of its file, by which Streamlit links to it."""
        return str(ROOT / "pages" / f"{self.name}.py")

    def is_for(self, *, instructor: bool, presenter: bool = False) -> bool:
        """Whether a signed-in student, an instructor, or whoever presents a demo may see it."""
        if self.audience is Audience.PRESENTERS:
            return presenter
        return instructor or self.audience is Audience.STUDENTS


# With a chat in its address it shows that.
CHAT_PAGE = AppPage(name="chat", title=gettext_noop("Today"), icon=":material/today:", path="/")
WEEK_PAGE = AppPage(name="week", title=gettext_noop("This week"), icon=":material/calendar_view_week:", path="/week")
MATERIALS_PAGE = AppPage(
    name="materials", title=gettext_noop("Materials"), icon=":material/menu_book:", path="/materials"
)
STUDY_PAGE = AppPage(name="study", title=gettext_noop("Study"), icon=":material/school:", path="/study")
CONNECTIONS_PAGE = AppPage(
    name="connections",
    title=gettext_noop("Connections"),
    icon=":material/cable:",
    path="/connections",
    place=Place.ACCOUNT_MENU,
)
TOOLBOX_PAGE = AppPage(
    name="toolbox",
    title=gettext_noop("Tools"),
    icon=":material/construction:",
    path="/toolbox",
    place=Place.ACCOUNT_MENU,
)
ACTIVITY_PAGE = AppPage(
    name="activity",
    title=gettext_noop("Activity"),
    icon=":material/history:",
    path="/activity",
    place=Place.ACCOUNT_MENU,
)
INSIGHTS_PAGE = AppPage(
    name="insights",
    title=gettext_noop("Insights"),
    icon=":material/insights:",
    path="/insights",
    place=Place.ACCOUNT_MENU,
)
# In the sidebar of whoever teaches; a member's sidebar has the class itself (`ui.page_links`).
CLASSROOM_PAGE = AppPage(
    name="classroom",
    title=gettext_noop("Classroom"),
    icon=":material/groups:",
    path="/classroom",
    place=Place.ACCOUNT_MENU,
)
PRESENTER_PAGE = AppPage(
    name="presenter",
    title=gettext_noop("Presenter"),
    icon=":material/slideshow:",
    path="/presenter",
    audience=Audience.PRESENTERS,
)
# Reached from the list of recent chats.
CHATS_PAGE = AppPage(
    name="chats", title=gettext_noop("All chats"), icon=":material/list:", path="/chats", place=Place.NOWHERE
)
# Where Streamlit would open a dialog over Today.
NOT_FOUND_PAGE = AppPage(name="not_found", title=gettext_noop("Not found"), path="/not_found", place=Place.NOWHERE)
SETTINGS_PAGE = AppPage(
    name="settings", title=gettext_noop("Settings"), icon=":material/tune:", path="/settings", place=Place.ACCOUNT_MENU
)

PAGES = (
    CHAT_PAGE,
    WEEK_PAGE,
    MATERIALS_PAGE,
    STUDY_PAGE,
    CONNECTIONS_PAGE,
    TOOLBOX_PAGE,
    ACTIVITY_PAGE,
    INSIGHTS_PAGE,
    CLASSROOM_PAGE,
    PRESENTER_PAGE,
    CHATS_PAGE,
    SETTINGS_PAGE,
    NOT_FOUND_PAGE,
)
"""In the order of the navigation; the first one is what opens at "/"."""
PAGE_PATHS = frozenset(page.path for page in PAGES)


def material_address(public_url: str, material_id: str, page: int) -> str:
    """Address that opens a page of a course material in the reader; page: its number, from 1."""
    return f"{public_url}{MATERIALS_PAGE.path}?{urlencode({'open': material_id, 'page': page})}"


def opened_material(address: str) -> tuple[str, int] | None:
    """Material and page that an address of `material_address` opens; None for any other address."""
    parts = urlsplit(address)
    query = parse_qs(parts.query) if parts.path == MATERIALS_PAGE.path else {}
    material_id, page = query.get("open", [""])[0], query.get("page", [""])[0]
    return (material_id, int(page)) if material_id and page.isdecimal() and len(page) < 6 else None


def quiz_address(public_url: str, quiz_id: str) -> str:
    """Address that opens a quiz on the page Study."""
    return f"{public_url}{STUDY_PAGE.path}?{urlencode({'quiz': quiz_id})}"


def guided_address(public_url: str, about: str) -> str:
    """Address of a new chat with the assistant that guides, whose first message is written and not sent."""
    return f"{public_url}{CHAT_PAGE.path}?{urlencode({'guide': about})}"


def practice_address(public_url: str, material_id: str) -> str:
    """Address that opens the form which makes questions from a course material."""
    return f"{public_url}{STUDY_PAGE.path}?{urlencode({'practise': material_id})}"


def with_passage(address: str, words: str) -> str:
    """The address of a page with words to mark there, in the part that never leaves the browser; short ones."""
    return f"{address}#passage={quote(words, safe='')}" if words else address
