"""Error tree: one class for each reaction that a caller can have.

HomeroomError
├── SettingsError              fix the settings named in it, then start again
├── SignInRequired             sign in (again)
├── ConsentRequired            ask the student to agree at `address`; nothing was sent
├── StorageError
│   ├── StorageUnavailable     retry later; the store did not answer
│   │   └── StorageUnusable    the operator must mend its place (carries `setting`), then start again
│   ├── WriteConflict          somebody has changed it meanwhile: read again, then decide
│   ├── DuplicateDocument      somebody was first: read again, then decide
│   ├── RecordUnreadable       pass over this record alone (carries `collection`, `id`), and tell the operator
│   └── SealBroken             the credential does not open; keep it, and tell the operator
├── ServiceError               an outside service (carries `service`, its label)
│   ├── ReconnectRequired      ask the student to reconnect this account
│   ├── PermissionMissing      signed in, but not allowed to see or do this one thing
│   ├── ItemNotFound           no such item, or not shared with us
│   ├── ServiceUnavailable     retry later; down, slow, in maintenance or talking nonsense
│   │   ├── Throttled          retry after `retry_after_s`
│   │   └── AnswerUnreadable   as above; after a write, as OutcomeUnknown: what it answered to may have happened
│   ├── ChangedElsewhere       read again and ask again; somebody edited it meanwhile
│   ├── TooLarge               ask for less at once
│   ├── RequestRefused         the service understood and said no: tell the model why
│   └── OutcomeUnknown         a write may or may not have happened: never repeat, ask to look
├── BadArguments               tell the model (or the form) what to mend
│   └── NameUnknown            words that name nothing there is: it lists what there is
├── ToolUnavailable            tell the model which tools it has
│   └── UsedTooOften           a limit of ours: wait `retry_after_s`, or go on without it
├── ApprovalError              the card cannot be used (any more): say why, ask again
│   ├── AlreadyDecided         somebody was first: show how it ended
│   └── ApprovalRequired       propose this very call to the student; it runs once they approve
├── Withheld                   a write was looked into only, and had not been done: say so
├── TurnBusy                   the conversation is answering already: keep the text, wait
│   ├── AnsweredElsewhere      the same, for a page that does not show that answer
│   ├── MessageUnderWay        a try of this very message has not ended: send the very same again in a moment
│   └── Restarting             this process is ending: send the very same again, to another one
├── AssistantClosed            an exam window closes the assistant: keep the text, ask later or another one
└── ModelError
    ├── ModelUnavailable       retry later: overloaded, throttled or unreachable before a word was said
    ├── ModelInterrupted       keep what was said; offer to continue
    ├── ModelRefused           the request itself was refused (400): do not repeat it as it is
    │   ├── FeatureRefused     ask once more without the feature, and remember that for the model
    │   └── PromptTooLong      shorten the conversation, then once more
    ├── ModelPaused            key, billing, spend limit or address: the operator must act
    └── BudgetUsedUp           a budget of ours: say what still works; it goes on at `resumes_at`

`str(error)` is one calm sentence for a person, with no secret and no student text in it;
`next_step` says what to do. Both are said in the language of whoever it happens to, where it is raised.
"""

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from services.i18n import gettext, gettext_noop, ngettext

MOMENT_S = 60.0
"""The longest wait that is called a moment; of a longer one it is said how long it is."""


class HomeroomError(Exception):
    next_step = gettext_noop("Try again in a moment.")

    def __init__(self, sentence: str, *, next_step: str | None = None) -> None:
        super().__init__(sentence)
        self.next_step = gettext(type(self).next_step) if next_step is None else next_step


class SettingsError(HomeroomError):
    """A setting is missing or wrong; `name` is its environment variable."""

    def __init__(self, name: str, problem: str, *, next_step: str) -> None:
        super().__init__(f"{name}: {problem}", next_step=next_step)
        self.name = name


class SignInRequired(HomeroomError):
    next_step = gettext_noop("Sign in to go on.")


class ConsentRequired(HomeroomError):
    """`address`: the page where the student can agree."""

    def __init__(self, sentence: str, *, next_step: str, address: str) -> None:
        super().__init__(sentence, next_step=next_step)
        self.address = address


class StorageError(HomeroomError):
    pass


class StorageUnavailable(StorageError):
    """`remedy`: what whoever runs Homeroom must do, told at the start and in the log alone; "" when waiting helps."""

    next_step = gettext_noop("Nothing is lost. Try again in a moment.")

    def __init__(self, sentence: str, *, next_step: str | None = None, remedy: str = "") -> None:
        if remedy and next_step is None and not isinstance(self, StorageUnusable):
            next_step = gettext("Try again in a moment, or tell whoever runs Homeroom.")
        super().__init__(sentence, next_step=next_step)
        self.remedy = remedy


class StorageUnusable(StorageUnavailable):
    """The place of the data cannot be used; `setting` is the environment variable that names it."""

    setting = "HOMEROOM_DATA_DIR"
    next_step = gettext_noop(
        "Please tell whoever runs Homeroom: it works again when they have mended this. You need not do anything else."
    )


class WriteConflict(StorageError):
    """A compare-and-set of several writes did not match: somebody else has changed the document meanwhile."""

    def __init__(self, collection: str) -> None:
        super().__init__(f"A document of {collection} was changed elsewhere.")


class DuplicateDocument(StorageError):
    pass


class RecordUnreadable(StorageError):
    """A stored record is damaged, or was written by a version of Homeroom that this one cannot read.

    collection, id: where it stands; for a nested record the id may be "".
    """

    next_step = gettext_noop(
        "Nothing was deleted. Please tell whoever runs Homeroom: it works again when they have mended this."
    )

    def __init__(self, collection: str, id: str) -> None:
        super().__init__(gettext("Something stored here cannot be read ({place}).", place=f"{collection}/{id}"))
        self.collection, self.id = collection, id


class SealBroken(StorageError):
    next_step = gettext_noop(
        "Nothing was deleted, and nothing needs to be done: it works again when whoever runs Homeroom has mended this."
    )


class ServiceError(HomeroomError):
    """Something an outside service did; `service` is its label ("Canvas")."""

    def __init__(self, service: str, sentence: str, *, next_step: str | None = None) -> None:
        super().__init__(sentence, next_step=next_step)
        self.service = service


class ReconnectRequired(ServiceError):
    next_step = gettext_noop("Open Connections and reconnect the account.")


class PermissionMissing(ServiceError):
    next_step = gettext_noop("Ask for access there, or go on without it.")


class ItemNotFound(ServiceError):
    next_step = gettext_noop("Check the name, or share it with Homeroom first.")


class ServiceUnavailable(ServiceError):
    pass


class Throttled(ServiceUnavailable):
    next_step = gettext_noop("Please try again in a moment.")

    def __init__(
        self, service: str, sentence: str, *, retry_after_s: float | None = None, next_step: str | None = None
    ) -> None:
        super().__init__(service, sentence, next_step=next_step or _step_after(retry_after_s))
        self.retry_after_s = retry_after_s


class AnswerUnreadable(ServiceUnavailable):
    next_step = gettext_noop("Try again later, and look there meanwhile.")


class ChangedElsewhere(ServiceError):
    next_step = gettext_noop("Look at it again, then ask once more.")


class TooLarge(ServiceError):
    next_step = gettext_noop("Ask for less at once.")


class RequestRefused(ServiceError):
    next_step = gettext_noop("Change the request and try again.")


class OutcomeUnknown(ServiceError):
    next_step = gettext_noop("Please look there before trying again.")


class BadArguments(HomeroomError):
    """Arguments that do not fit; `field` names the first wrong one, `wrong` says of each by its place what is wrong.

    said: for whoever reads it on a page, where the sentence is written for the model.
    """

    next_step = "Correct this and call the tool again."

    def __init__(
        self,
        sentence: str,
        *,
        field: str | None = None,
        next_step: str | None = None,
        wrong: Mapping[str, str] | None = None,
        said: str | None = None,
    ) -> None:
        super().__init__(sentence, next_step=next_step)
        self.field = field
        self.said = said or sentence
        self.wrong = dict(wrong or ({field: self.said} if field else {}))


class NameUnknown(BadArguments):
    """choices: the sentence that lists what there is, told once where several names are unknown."""

    def __init__(self, sentence: str, *, choices: str = "", **more: Any) -> None:
        super().__init__(f"{sentence} {choices}".strip(), **more)
        self.choices = choices


class ToolUnavailable(HomeroomError):
    pass


class UsedTooOften(ToolUnavailable):
    def __init__(self, sentence: str, *, retry_after_s: float, next_step: str | None = None) -> None:
        super().__init__(sentence, next_step=next_step or _step_after(retry_after_s))
        self.retry_after_s = retry_after_s


class ApprovalError(HomeroomError):
    next_step = gettext_noop("Ask for it again in the chat.")


class AlreadyDecided(ApprovalError):
    pass


class ApprovalRequired(ApprovalError):
    """This call, unlike others of its tool, is for the student to decide."""


class Withheld(HomeroomError):
    next_step = gettext_noop("Nothing was changed.")


class TurnBusy(HomeroomError):
    next_step = gettext_noop("Wait for the answer to finish, or press Stop.")


class MessageUnderWay(TurnBusy):
    """An earlier try of the same message is not stored whole, and not taken away yet."""

    next_step = gettext_noop("Your text is kept. Send it again in a moment.")


class Restarting(TurnBusy):
    """This process is ending: another replica, or the next process, takes the same request."""

    def __init__(self, next_step: str = "") -> None:
        step = next_step or gettext("Your text is kept. Send it again in a moment.")
        super().__init__(gettext("Homeroom is restarting."), next_step=step)


class AnsweredElsewhere(TurnBusy):
    next_step = gettext_noop("Your text is back in the field. Send it when that answer has ended.")

    def __init__(self) -> None:
        super().__init__(gettext("Another tab or device was first: its question is being answered in this chat."))


class AssistantClosed(HomeroomError):
    next_step = gettext_noop("Your text is kept. Ask again then, or pick another assistant.")


class ModelError(HomeroomError):
    pass


class ModelUnavailable(ModelError):
    next_step = gettext_noop("Your message is kept. Press Retry in a moment.")


class ModelInterrupted(ModelError):
    """usage: what was billed before it broke off (`services.llm.chat_model.Usage`), as far as it is known."""

    next_step = gettext_noop("What was said is kept. Press Continue.")
    usage: Any = None


class ModelRefused(ModelError):
    next_step = gettext_noop("Change the message, or start a new chat.")


class FeatureRefused(ModelRefused):
    pass


class PromptTooLong(ModelRefused):
    next_step = gettext_noop("Start a new chat, or send less at once.")


class ModelPaused(ModelError):
    next_step = gettext_noop(
        "Your message is kept, and the other pages work as before. Tell whoever runs Homeroom, then press Retry."
    )


class BudgetUsedUp(ModelError):
    """resumes_at: when there is a budget again; None when nobody can tell. retry_after_s: until then, or a next try."""

    def __init__(
        self, sentence: str, *, next_step: str, resumes_at: datetime | None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(sentence, next_step=next_step)
        self.resumes_at, self.retry_after_s = resumes_at, retry_after_s


def _step_after(wait_s: float | None) -> str | None:
    """What to do after a wait that is longer than a moment; None where the class of the error says it."""
    if wait_s is None or wait_s <= MOMENT_S:
        return None
    minutes = math.ceil(wait_s / 60)
    if minutes < 120:
        return ngettext("Try again in {n} minute.", "Try again in {n} minutes.", minutes)
    return ngettext("Try again in {n} hour.", "Try again in {n} hours.", math.ceil(minutes / 60))
