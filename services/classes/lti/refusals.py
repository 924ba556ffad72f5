"""`LaunchRefused`: a launch that is not let in, with a code for the log and words for the person who meets it."""

from dataclasses import dataclass

from services.errors import HomeroomError
from services.i18n import gettext, gettext_noop


@dataclass(frozen=True, kw_only=True)
class _Words:
    title: str
    sentence: str
    next_step: str


_AGAIN = _Words(
    title=gettext_noop("This launch is over"),
    sentence=gettext_noop("It was used already, or it waited too long."),
    next_step=gettext_noop("Go back to your course and open Homeroom from there once more."),
)
_UNTRUSTED = _Words(
    title=gettext_noop("Homeroom could not check this launch"),
    sentence=gettext_noop("What your school's system sent is not what was agreed with it. Nobody was signed in."),
    next_step=gettext_noop(
        "Open Homeroom from your course once more. If it happens again, tell your school's help desk the code below."
    ),
)
_UNKNOWN = _Words(
    title=gettext_noop("Homeroom does not know this school's system"),
    sentence=gettext_noop("It has not been connected here yet, or was taken out again."),
    next_step=gettext_noop("Tell your instructor or your school's help desk the code below."),
)
_NOT_ALLOWED_YET = _Words(
    title=gettext_noop("This place in your school's system is not allowed yet"),
    sentence=gettext_noop("Whoever runs Homeroom sees that it asked, and can allow it with one click."),
    next_step=gettext_noop("Try again when they have, and tell your instructor if it lasts."),
)
_BROWSER = _Words(
    title=gettext_noop("Your browser did not keep what ties this launch to it"),
    sentence=gettext_noop("It may block cookies here, or the launch began in another browser."),
    next_step=gettext_noop("Go back to your course and open Homeroom from there in a tab of its own."),
)
_SCHOOL_SAID_NO = _Words(
    title=gettext_noop("Your school's system did not let you through"),
    sentence=gettext_noop("It says that you are not signed in there, or may not open this."),
    next_step=gettext_noop("Sign in to your course again, then open Homeroom from there."),
)
_ACTING = _Words(
    title=gettext_noop("You are acting as somebody else"),
    sentence=gettext_noop(
        "Homeroom opens only for whoever it belongs to, not for those who act as them in the course."
    ),
    next_step=gettext_noop("Stop acting as this user there, then open Homeroom as yourself."),
)
_BUSY = _Words(
    title=gettext_noop("Too many launches at once"),
    sentence=gettext_noop("Homeroom is catching up."),
    next_step=gettext_noop("Open it from your course once more in a moment."),
)
_AWAY = _Words(
    title=gettext_noop("Your school's system does not answer"),
    sentence=gettext_noop("Homeroom asked it to confirm this launch, and no usable answer came."),
    next_step=gettext_noop("Open Homeroom from your course once more in a moment."),
)
_INSTRUCTORS_ONLY = _Words(
    title=gettext_noop("Only instructors of the course can add links"),
    sentence=gettext_noop("Your school's system does not say that you teach this course."),
    next_step=gettext_noop("Ask the instructor of the course to add it."),
)
_NO_LINKS = _Words(
    title=gettext_noop("Homeroom cannot add a link there"),
    sentence=gettext_noop("This place in your course takes something else than links to tools."),
    next_step=gettext_noop("Choose Homeroom where your course adds an external tool."),
)
_ACCOUNT = _Words(
    title=gettext_noop("This account is closed"),
    sentence=gettext_noop("Whoever runs Homeroom has closed it."),
    next_step=gettext_noop("Ask them, or your instructor."),
)
_INVITE = _Words(
    title=gettext_noop("This registration link does not work"),
    sentence=gettext_noop("It was used already, is too old, or is not whole."),
    next_step=gettext_noop("Ask whoever runs Homeroom for a new one."),
)
_REGISTRATION = _Words(
    title=gettext_noop("Homeroom was not registered"),
    sentence=gettext_noop("The school's system and Homeroom could not agree. Nothing was kept."),
    next_step=gettext_noop("Try once more. If it happens again, tell whoever runs Homeroom the code below."),
)
_TAKEN = _Words(
    title=gettext_noop("This school's system is registered already, with other keys"),
    sentence=gettext_noop("Two systems under one name could pass for each other. Nothing was kept."),
    next_step=gettext_noop("Whoever runs Homeroom can remove the old one first."),
)
_CRASHED = _Words(
    title=gettext_noop("This did not work because of a mistake of ours"),
    sentence=gettext_noop("Homeroom could not go on with this launch. Your course has done nothing wrong."),
    next_step=gettext_noop(
        "Open Homeroom from your course once more. If it happens again, tell your school's help desk the code below."
    ),
)

_STATUS_WORDS: dict[str, tuple[int, _Words]] = {
    "platform_unknown": (403, _UNKNOWN),
    "client_ambiguous": (400, _UNKNOWN),
    "request_incomplete": (400, _UNTRUSTED),
    "request_malformed": (400, _UNTRUSTED),
    "method_not_allowed": (405, _AGAIN),
    "too_many": (429, _BUSY),
    "unavailable": (503, _BUSY),
    "crashed": (500, _CRASHED),
    "state_unknown": (403, _AGAIN),
    "platform_refused": (403, _SCHOOL_SAID_NO),
    "acting_as_another": (403, _ACTING),
    "keys_unreachable": (503, _AWAY),
    "expired": (403, _AGAIN),
    "stale": (403, _AGAIN),
    "nonce_wrong": (403, _AGAIN),
    "deployment_unknown": (403, _NOT_ALLOWED_YET),
    "browser_unknown": (403, _BROWSER),
    "role_insufficient": (403, _INSTRUCTORS_ONLY),
    "content_refused": (400, _NO_LINKS),
    "handover_unknown": (403, _AGAIN),
    "origin_foreign": (403, _AGAIN),
    "account_closed": (403, _ACCOUNT),
    "invite_unknown": (403, _INVITE),
    "invite_used": (403, _INVITE),
    "configuration_missing": (400, _REGISTRATION),
    "configuration_refused": (400, _REGISTRATION),
    "configuration_malformed": (400, _REGISTRATION),
    "issuer_mismatch": (400, _REGISTRATION),
    "endpoint_refused": (400, _REGISTRATION),
    "registration_refused": (502, _REGISTRATION),
    "issuer_taken": (409, _TAKEN),
}
"""Status and words by code; any other code is a message that cannot be trusted."""
_OTHER = (403, _UNTRUSTED)


class LaunchRefused(HomeroomError):
    """A launch, or a part of one, that is not let in; nothing of what was sent is in it.

    code: for the log and the help desk, such as "signature_invalid". status: of the HTTP answer. reference: by which
    a crash is found in the log; "" for none.
    """

    def __init__(self, code: str, *, reference: str = "") -> None:
        self.status, words = _STATUS_WORDS.get(code, _OTHER)
        super().__init__(gettext(words.sentence), next_step=gettext(words.next_step))
        self.code, self.title, self.reference = code, gettext(words.title), reference
