"""School systems: the operator's section with what is registered, who waits, links to register by, and the keys."""

import streamlit as st

from services.classes.lti.platform import LtiPlatform
from services.classes.lti.registration.presets import with_canvas, with_moodle
from services.errors import HomeroomError
from services.i18n import gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.local_time import local_day
from ui.session_guard import guarded_callback, guarded_dialog

LINK = "school-systems-link"
CANVAS, MOODLE, OTHER = "canvas", "moodle", "other"
KINDS = {
    CANVAS: gettext_noop("Canvas, hosted by Instructure"),
    MOODLE: gettext_noop("Moodle"),
    OTHER: gettext_noop("Another system"),
}


def draw_school_systems(student: Student) -> None:
    """Everything about school systems, for the operator; folded while nothing waits for them."""
    platforms = session.services().classroom.lti.operator.platforms(student)
    waiting = sum(len(platform.waiting) for platform in platforms)
    label = gettext("School systems")
    if waiting:
        label = gettext("School systems: {n} waiting to be allowed", n=waiting)
    with st.expander(label, icon=":material/hub:", expanded=bool(waiting) or LINK in st.session_state):
        st.caption(
            gettext("Canvas, Moodle and others open Homeroom from a course by LTI 1.3, and sign their students in.")
        )
        for platform in platforms:
            _draw_platform(student, platform)
        if not platforms:
            st.caption(gettext("None is registered yet."))
        _draw_invite(student)
        _draw_addresses()
        _draw_form(student)
        _draw_keys(student)


def _draw_platform(student: Student, platform: LtiPlatform) -> None:
    with st.container(border=True, key=f"school-system-{platform.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            facts = literal(f"{platform.issuer} · {platform.client_id}")
            allowed = ngettext("{n} deployment may launch", "{n} deployments may launch", len(platform.deployments))
            st.markdown(f"**{literal(platform.name)}**  \n:small[:gray[{facts} · {literal(allowed)}]]", width="stretch")
            label = gettext("Remove {name}", name=literal(platform.name))
            if st.button(label, type="tertiary", icon=":material/delete:", key=f"school-system-remove-{platform.id}"):
                guarded_dialog(gettext("Remove this school system?"), _confirm_removal)(student, platform)
        for number, deployment in enumerate(platform.waiting):
            with st.container(horizontal=True, vertical_alignment="center"):
                words = gettext("A launch came from deployment {id}.", id=literal(deployment))
                st.markdown(f":material/pending: {words}", width="stretch")
                about, place = (student, platform.id, deployment), f"{platform.id}-{number}"
                key = f"school-system-primary-{place}"
                st.button(gettext("Allow"), type="primary", key=key, on_click=_allow, args=about)
                key = f"school-system-tertiary-{place}"
                st.button(gettext("Ignore"), type="tertiary", key=key, on_click=_forbid, args=about)


@guarded_callback
def _allow(student: Student, id: str, deployment: str) -> None:
    session.services().classroom.lti.operator.allow(student, id, deployment)
    flash(gettext("It may launch Homeroom now."))


@guarded_callback
def _forbid(student: Student, id: str, deployment: str) -> None:
    session.services().classroom.lti.operator.forbid(student, id, deployment)


def _confirm_removal(student: Student, platform: LtiPlatform) -> None:
    st.markdown(
        gettext(
            "Nobody comes in from **{name}** any more, from now on. Classes and accounts stay, and are found again "
            "when it is registered anew.",
            name=literal(platform.name),
        )
    )
    if st.button(gettext("Remove it"), type="primary", key="school-system-remove-yes"):
        session.services().classroom.lti.operator.remove(student, platform.id)
        flash(gettext("{name} is removed.", name=platform.name))
        st.rerun()


def _draw_invite(student: Student) -> None:
    heading = gettext("Let a school register by itself")
    st.markdown(f"**{heading}**")
    st.caption(
        gettext(
            "The link works once, for a week. Whoever looks after the school's system pastes it where that takes a "
            "registration address."
        )
    )
    st.button(
        gettext("Make a registration link"),
        icon=":material/add_link:",
        key="school-systems-invite",
        on_click=_invite,
        args=(student,),
    )
    if link := st.session_state.get(LINK):
        st.code(link, language=None, wrap_lines=True)
        st.caption(gettext("Copy it now: it is not shown again."))


@guarded_callback
def _invite(student: Student) -> None:
    st.session_state[LINK] = session.services().classroom.lti.operator.invite(student, "")


def _draw_addresses() -> None:
    url = session.services().settings.public_url
    with st.popover(gettext("Homeroom's own addresses"), icon=":material/content_copy:"):
        for label, path in (
            (gettext("Login initiation"), "/lti/login"),
            (gettext("Redirect, target link and deep linking"), "/lti/launch"),
            (gettext("Public keys (JWKS)"), "/lti/jwks"),
        ):
            st.caption(label)
            st.code(f"{url}{path}", language=None, wrap_lines=True)


def _draw_form(student: Student) -> None:
    label = gettext("Register one by hand")
    if st.button(label, icon=":material/edit:", key="school-systems-add"):
        guarded_dialog(label, _draw_fields)(student)


def _draw_fields(student: Student) -> None:
    kind = st.selectbox(gettext("Kind"), list(KINDS), format_func=lambda id: gettext(KINDS[id]), key="lti-kind")
    with st.form("lti-platform", border=False):
        name = st.text_input(gettext("Name, as people read it"), key="lti-name", max_chars=80)
        client_id = st.text_input(gettext("Client ID"), key="lti-client", max_chars=200)
        deployment = st.text_input(gettext("Deployment ID; it may come later"), key="lti-deployment", max_chars=255)
        site = st.text_input(gettext("Address of the Moodle site"), key="lti-site") if kind == MOODLE else ""
        texts = {
            "issuer": gettext("Issuer"),
            "authorization_url": gettext("Authorisation endpoint"),
            "token_url": gettext("Token endpoint"),
            "jwks_url": gettext("Public keys (JWKS)"),
        }
        given = {field: st.text_input(words, key=f"lti-{field}") for field, words in texts.items() if kind == OTHER}
        frame = st.text_input(
            gettext("The school's own address, where that is another one"),
            key="lti-frame",
            placeholder="https://canvas.example.edu",
        )
        if not st.form_submit_button(gettext("Register"), type="primary"):
            return
    described = LtiPlatform(
        id="",
        name=name.strip(),
        client_id=client_id.strip(),
        deployments=(deployment.strip(),) if deployment.strip() else (),
        frames=(frame.strip().rstrip("/"),) if frame.strip() else (),
        **{field: given.get(field, "").strip() for field in texts},
    )
    described = with_canvas(described, "production") if kind == CANVAS else described
    described = with_moodle(described, site.strip()) if kind == MOODLE else described
    try:
        session.services().classroom.lti.operator.add(student, described)
    except HomeroomError as error:
        show_error(error)
        return
    flash(gettext("{name} is registered.", name=described.name))
    st.rerun()


def _draw_keys(student: Student) -> None:
    keys = session.services().classroom.lti.operator.keys(student)
    words = gettext("Homeroom signs with a key from {day}.", day=local_day(keys[0].made_at, student))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[:gray[{literal(words)}]]", width="stretch")
        st.button(
            gettext("Change the key"),
            type="tertiary",
            icon=":material/key:",
            key="school-systems-rotate",
            on_click=_rotate,
            args=(student,),
        )


@guarded_callback
def _rotate(student: Student) -> None:
    session.services().classroom.lti.operator.rotate(student)
    flash(gettext("Homeroom signs with a new key. School systems fetch it by themselves."))
