"""API keys for the student's own programs: create, list and revoke."""

from datetime import timedelta

import streamlit as st

from services.discovery.contexts import CONTEXT_NAMES
from services.i18n import get_language, gettext, gettext_noop
from services.identity.api_keys import LONGEST_LABEL, ApiKey, CreatedKey, KeyScope, ToolListMode
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.error_boundary import error_boundary
from ui.flash_message import flash
from ui.insights.insight_labels import context_label
from ui.local_time import clock_time, local_day
from ui.session_guard import guarded_callback

SCOPES = {
    KeyScope.READ: (gettext_noop("Read"), gettext_noop("Look things up with your connected accounts.")),
    KeyScope.WRITE: (
        gettext_noop("Ask for changes"),
        gettext_noop("Propose changes. Each one waits for you in Homeroom."),
    ),
    KeyScope.OPEN: (
        gettext_noop("Open any address"),
        gettext_noop(
            "Let an AI program read web pages that it names itself. Whoever runs such a page sees what was asked."
        ),
    ),
    KeyScope.APPROVE: (
        gettext_noop("Approve changes by itself"),
        gettext_noop("Approve on your behalf, without asking you in Homeroom."),
    ),
}
LISTED_TOOLS = {
    ToolListMode.ALL: gettext_noop("All of them"),
    ToolListMode.SEARCH: gettext_noop("A search: the program finds what it needs"),
    ToolListMode.CONTEXTS: gettext_noop("Only some subjects"),
}
LIFETIMES = {
    gettext_noop("90 days"): 90,
    gettext_noop("30 days"): 30,
    gettext_noop("1 year"): 365,
    gettext_noop("Never"): None,
}
CREATED_KEY, SHOWN = "new_key", "new_key_shown"
"""Key that was just created, and whether it was drawn; its secret is stored nowhere else."""
COPIED = "key-copied"
"""Widget that Streamlit forgets as soon as another page is shown."""
FORM_NUMBER = "key_forms"
"""Counter of submitted forms: a new key gives an empty form."""


def draw_api_keys(student: Student) -> None:
    st.markdown(gettext("## Keys for your own programs"))
    st.caption(
        gettext(
            "A key lets a script or an AI program of yours use Homeroom as you. Give it only to programs you trust, "
            "and revoke it when you are done."
        )
    )
    if st.session_state.get(SHOWN) and COPIED not in st.session_state:
        _forget_created()
    with error_boundary():
        _draw_form(student, st.session_state.get(FORM_NUMBER, 0))
    # A key in the field is pressed and left at once: a run that follows at the heels of this one must not lose it.
    if (created := st.session_state.get(CREATED_KEY)) is not None:
        _draw_created(created)
    with error_boundary():
        for key in session.services().keys.list(student.id):
            _draw_row(student, key)


def _draw_form(student: Student, number: int) -> None:
    """Form that creates a key and reruns the page; the fields keep their values when it fails."""
    with st.form(f"new-key-{number}", border=False):
        label = st.text_input(
            gettext("What is it for?"),
            max_chars=LONGEST_LABEL,
            placeholder=gettext("My laptop"),
            key=f"key-label-{number}",
            autocomplete="off",
        )
        scopes = [
            scope
            for scope, (name, help) in SCOPES.items()
            if st.checkbox(gettext(name), scope is KeyScope.READ, help=gettext(help), key=f"key-scope-{scope}-{number}")
        ]
        # One widget for each language: Streamlit keeps showing the choice in the language it was made in.
        lifetimes = {gettext(words): days for words, days in LIFETIMES.items()}
        lifetime = st.selectbox(gettext("Ends after"), lifetimes, key=f"key-lifetime-{get_language()}-{number}")
        listing = {gettext(words): mode for mode, words in LISTED_TOOLS.items()}
        with st.expander(gettext("For AI programs: the tools that they see"), icon=":material/build:"):
            listed = st.selectbox(
                gettext("Which tools an AI program sees at once"),
                listing,
                help=gettext("Fewer tools leave it more room for your question. It may still use every other one."),
                key=f"key-tools-{get_language()}-{number}",
            )
            contexts = st.multiselect(
                gettext("Subjects"),
                CONTEXT_NAMES,
                format_func=context_label,
                help=gettext("For “Only some subjects”."),
                placeholder=gettext("Choose subjects"),
                key=f"key-contexts-{get_language()}-{number}",
            )
        if not st.form_submit_button(gettext("Make a key"), icon=":material/key:"):
            return
    days = lifetimes[lifetime]
    services = session.services()
    ends_at = services.clock() + timedelta(days=days) if days else None
    st.session_state[CREATED_KEY] = services.keys.create(
        student,
        label=label,
        scopes=scopes,
        expires_at=ends_at,
        listed_tools=ToolListMode.CONTEXTS if contexts else listing[listed],
        contexts=contexts,
    )
    st.session_state[FORM_NUMBER] = number + 1
    st.session_state[SHOWN] = False
    st.rerun()


def _forget_created() -> None:
    st.session_state.pop(CREATED_KEY, None)
    st.session_state.pop(SHOWN, None)


def _draw_created(created: CreatedKey) -> None:
    """Draw the key until the student has copied it, or has gone to another page."""
    with st.container(border=True, key="key-made"):
        st.markdown(
            gettext("**Your key “{label}”.** Copy it now: it is shown this once.", label=literal(created.key.label))
        )
        st.code(created.secret, language=None, wrap_lines=True)
        st.caption(
            gettext("Send it with each request as `Authorization: Bearer …`. The routes are at `/api/openapi.json`.")
        )
        st.button(gettext("I have copied it"), key=COPIED, icon=":material/check:", on_click=_forget_created)
    st.session_state[SHOWN] = True


def _draw_row(student: Student, key: ApiKey) -> None:
    with st.container(
        key=f"key-{key.id}",
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute",
        gap="small",
    ):
        with st.container(gap=None):
            st.markdown(f"**{literal(key.label)}** `{key.prefix}…`")
            told = (f"{_permissions(key)}.", _listing(key), _last_use(student, key), _expiry(student, key))
            st.caption(" ".join(filter(None, told)))
        with st.popover(gettext("Revoke"), icon=":material/key_off:", key=f"end-key-{key.id}"):
            st.write(gettext("Programs with this key stop working at once. This cannot be taken back."))
            st.button(
                gettext("Revoke {label}", label=literal(key.label)),
                key=f"revoke-{key.id}",
                type="primary",
                on_click=_revoke,
                args=(student, key),
            )


def _permissions(key: ApiKey) -> str:
    names = [gettext(name).lower() for scope, (name, _) in SCOPES.items() if scope in key.scopes]
    words = ", ".join([*names, *([gettext("administer")] if KeyScope.ADMIN in key.scopes else [])])
    return words.capitalize()


def _listing(key: ApiKey) -> str:
    if key.listed_tools is ToolListMode.SEARCH:
        return gettext("An AI program sees a search for tools.")
    if key.listed_tools is ToolListMode.CONTEXTS:
        return gettext("An AI program sees: {subjects}.", subjects=", ".join(map(context_label, key.contexts)))
    return ""


def _last_use(student: Student, key: ApiKey) -> str:
    if key.last_used_at is None:
        return gettext("Not used yet.")
    day, time = local_day(key.last_used_at, student), clock_time(key.last_used_at, student)
    return gettext("Last used on {day} at {time}.", day=day, time=time)


def _expiry(student: Student, key: ApiKey) -> str:
    if key.expires_at is None:
        return gettext("Never ends.")
    sentence = (
        gettext_noop("Ended on {day}.")
        if key.expires_at <= session.services().clock()
        else gettext_noop("Ends on {day}.")
    )
    return gettext(sentence, day=local_day(key.expires_at, student))


@guarded_callback
def _revoke(student: Student, key: ApiKey) -> None:
    session.services().keys.revoke(student.id, key.id)
    if (created := st.session_state.get(CREATED_KEY)) is not None and created.key.id == key.id:
        _forget_created()
    flash(gettext("The key “{label}” is revoked.", label=key.label))
