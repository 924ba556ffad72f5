"""Welcome page for visitors: what Homeroom is, the sign-in button, and how the last sign-in or sign-out went."""

import streamlit as st

from services.i18n import LANGUAGES, get_language, gettext, gettext_noop
from ui import session
from ui.classroom.class_address import is_invited
from ui.classroom.demo_chat import goes_to_sign_in
from ui.error_boundary import error_boundary
from ui.privacy_notice import is_model_simulated
from ui.session import read_claims
from ui.streamlit_compat import redirect_browser

PROMISES = (
    (
        ":material/hub:",
        gettext_noop("One place"),
        gettext_noop("Canvas, your calendar and your notes, in one conversation."),
    ),
    (
        ":material/link:",
        gettext_noop("Says where it looked"),
        gettext_noop("Every date and grade comes with its source."),
    ),
    (
        ":material/front_hand:",
        gettext_noop("Asks first"),
        gettext_noop("Nothing is added, changed or deleted until you approve it."),
    ),
)
DEMO = gettext_noop("Demo campus: sign in as one of its people. No account or key needed; nothing leaves this machine.")
DEMO_WITH_KEY = gettext_noop("Demo campus: sign in as one of its made-up people. What you write is sent to Claude.")
BEGAN_ANEW = gettext_noop("The demo began anew: scan the code on the screen once more, or sign in.")
CANCELLED = gettext_noop("You are not signed in yet, and nothing was shared. Sign in whenever you like.")
FAILED = gettext_noop(
    "Signing in did not work: the sign-in service did not answer as it should. Try again in a moment."
)
DELETED = gettext_noop(
    "Everything is deleted, and your connections are ended. Thank you for having been here. "
    "If you sign in again, you begin with an empty Homeroom."
)
DELETED_LATER = gettext_noop(
    "Everything is deleted. A service did not answer when its connection was to be ended: Homeroom keeps asking, for "
    "30 days at most. You can end it there yourself, too: look for connected apps in its settings."
)
ENDED = gettext_noop(
    "You are signed out everywhere. Other browsers and devices are out with their next click. Your chats, connections "
    "and keys are kept; a key still lets your own program in until you revoke it under Settings."
)


def draw_welcome() -> None:
    if goes_to_sign_in():
        st.login()
        return
    if st.user.get("is_logged_in"):
        _draw_refusal()
        return
    _draw_languages()
    st.title(gettext("Your week, in one calm place."))
    st.write(
        gettext(
            "Connect the accounts you already use and ask what you would ask a well-organised friend: "
            "*What is due this week? When am I free on Friday? Put two hours for biology in my calendar.*"
        )
    )
    _draw_outcome()
    if is_invited():
        st.info(gettext("You have been invited to a class. Sign in, and see what it is."), icon=":material/groups:")
    with error_boundary():
        session.services().store.ping()
        _draw_sign_in()
    with st.container(key="promises"):
        for column, (icon, heading, words) in zip(st.columns(3), PROMISES, strict=True):
            with column.container(border=True, height="stretch", gap="xsmall"):
                st.markdown(f"{icon} **{gettext(heading)}**")
                st.caption(gettext(words))


def _draw_languages() -> None:
    """Draw the other languages; the choice lasts through the sign-in, and is that of a new student."""
    with st.container(horizontal=True, horizontal_alignment="right", key="languages"):
        for code, name in LANGUAGES.items():
            if code != get_language():
                args = (f"/language/{code}",)
                icon = ":material/translate:"
                st.button(name, key=f"speak-{code}", type="tertiary", icon=icon, on_click=redirect_browser, args=args)


def _draw_outcome() -> None:
    """Show the outcome of a sign-in or sign-out, which `api.middleware.sign_in` wrote into the address."""
    match st.query_params.get("signin"):
        case "cancelled":
            st.info(gettext(CANCELLED), icon=":material/info:")
        case "failed":
            st.warning(gettext(FAILED), icon=":material/cloud_off:")
        case "ended":
            st.success(gettext(ENDED), icon=":material/check_circle:")
        case "deleted":
            st.success(gettext(DELETED), icon=":material/check_circle:")
        case "deleted-later":
            st.info(gettext(DELETED_LATER), icon=":material/info:")


def _draw_sign_in() -> None:
    st.button(gettext("Sign in"), type="primary", icon=":material/login:", on_click=st.login, key="sign-in")
    if session.services().settings.demo:
        st.caption(gettext(DEMO if is_model_simulated() else DEMO_WITH_KEY))
    else:
        st.caption(gettext("You sign in with your school account. Homeroom never sees your password."))


def _draw_refusal() -> None:
    if read_claims() is None:
        _draw_unnamed()
    elif session.is_signed_out():
        st.title(gettext("You are signed out."))
        is_demo = bool(session.services().settings.demo_class)
        st.write(gettext(BEGAN_ANEW) if is_demo else gettext("Sign in again to go on where you were."))
        _draw_sign_in()
    else:
        _draw_disabled()


def _draw_disabled() -> None:
    st.title(gettext("This account is switched off here."))
    st.write(gettext("What you stored is kept. Ask whoever runs Homeroom if you think that is a mistake."))
    st.button(gettext("Sign out"), on_click=st.logout, icon=":material/logout:", key="sign-out")


def _draw_unnamed() -> None:
    """Sign-in without issuer or subject: such people cannot be told apart."""
    st.title(gettext("Your sign-in service did not say who you are."))
    st.write(
        gettext(
            "So Homeroom cannot open your account, and nothing was stored. Sign out and try once more; "
            "if it comes back, tell whoever runs Homeroom that the sign-in sends no issuer or no subject."
        )
    )
    st.button(gettext("Sign out"), on_click=st.logout, icon=":material/logout:", key="sign-out")
