"""Script of the presenter's page: eight steps, each of which opens the right thing in a tab of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.navigation import (
    ACTIVITY_PAGE,
    CHAT_PAGE,
    CLASSROOM_PAGE,
    CONNECTIONS_PAGE,
    MATERIALS_PAGE,
    PRESENTER_PAGE,
    STUDY_PAGE,
    AppPage,
)
from ui import session
from ui.chat.draft import save_draft_text
from ui.classroom.class_address import ASSISTANTS, CLASS, FIGURES, VIEW
from ui.streamlit_compat import redirect_browser

PARAMETER = "step"
Target = tuple[AppPage, Mapping[str, str]]


@dataclass(frozen=True, kw_only=True)
class PresenterStep:
    """Step of the script. says: what to do there, for whoever presents. finds: the page that it opens."""

    id: str
    title: str
    says: str
    finds: Callable[[Student], Target]


def _today(_: Student) -> Target:
    return CHAT_PAGE, {}


def _asking(words: str) -> Callable[[Student], Target]:
    """A new chat with a message that is written and not sent."""

    def find(_: Student) -> Target:
        save_draft_text(gettext(words))
        return CHAT_PAGE, {"new": "1"}

    return find


def _connections(_: Student) -> Target:
    return CONNECTIONS_PAGE, {}


def _material_page(_: Student) -> Target:
    """The page that was chosen when the demo was prepared, whatever has been read since."""
    shown = session.services().settings.demo_page
    return MATERIALS_PAGE, {"open": shown[0], "page": str(shown[1])} if shown else {}


def _quiz(_: Student) -> Target:
    """All of the material: its page alone gives few questions."""
    shown = session.services().settings.demo_page
    return STUDY_PAGE, {"practise": shown[0]} if shown else {}


def _class_view(view: str) -> Callable[[Student], Target]:
    def find(student: Student) -> Target:
        school_class = session.services().classroom.demo.school_class(student)
        return CLASSROOM_PAGE, {CLASS: school_class.id, VIEW: view}

    return find


STEPS = (
    PresenterStep(
        id="today",
        title=gettext_noop("Today"),
        says=gettext_noop("What is due and what the day holds, gathered from Canvas without a question."),
        finds=_today,
    ),
    PresenterStep(
        id="ask",
        title=gettext_noop("Ask, and see the source"),
        says=gettext_noop("Send the question that is written there. Each date and grade names where it was read."),
        finds=_asking(gettext_noop("What is due this week?")),
    ),
    PresenterStep(
        id="connect",
        title=gettext_noop("Connect an account"),
        says=gettext_noop("Connect Google Calendar: read what is agreed to, allow it, and its tools are there."),
        finds=_connections,
    ),
    PresenterStep(
        id="change",
        title=gettext_noop("Approve a change, and undo it"),
        says=gettext_noop(
            "With the calendar from step 3: send the wish, read the card, approve it. Then undo it under Activity."
        ),
        finds=_asking(gettext_noop("Put two hours of biology in my calendar tomorrow at 4 pm.")),
    ),
    PresenterStep(
        id="material",
        title=gettext_noop("A page of the course materials"),
        says=gettext_noop("The page itself, beside the chat. Ask about it from there."),
        finds=_material_page,
    ),
    PresenterStep(
        id="quiz",
        title=gettext_noop("A quiz from that material"),
        says=gettext_noop("Make a few questions. Each one quotes the page that it was made from."),
        finds=_quiz,
    ),
    PresenterStep(
        id="assistant",
        title=gettext_noop("The class's own assistant"),
        says=gettext_noop("What it may do, what students read of it, and when an exam closes it."),
        finds=_class_view(ASSISTANTS),
    ),
    PresenterStep(
        id="figures",
        title=gettext_noop("What an instructor learns"),
        says=gettext_noop("Figures of groups of five or more, never a person or a chat; students read the same page."),
        finds=_class_view(FIGURES),
    ),
)


def follow_step(student: Student) -> None:
    """Leave for the page of the step that the address names; stay without one."""
    step = next((step for step in STEPS if step.id == st.query_params.get(PARAMETER)), None)
    if step is None:
        return
    page, parameters = step.finds(student)
    if page is CHAT_PAGE:
        # In the same session, which holds the message that is written there.
        st.switch_page(page.script, query_params=dict(parameters))
    redirect_browser(f"{page.path}?{urlencode(parameters)}" if parameters else page.path)
    st.stop()


def draw_steps() -> None:
    """Draw the script."""
    for number, step in enumerate(STEPS, 1):
        with st.container(key=f"presenter-step-{step.id}", horizontal=True, border=True, vertical_alignment="center"):
            with st.container(gap=None):
                st.markdown(f"**{number}. {gettext(step.title)}**")
                st.caption(gettext(step.says))
            if step.id == "change":
                st.link_button(gettext("Activity"), ACTIVITY_PAGE.path, width="content")
            address = f"{PRESENTER_PAGE.path}?{PARAMETER}={step.id}"
            st.link_button(gettext("Open"), address, icon=":material/open_in_new:", width="content")
