"""Ends of a turn with their notices: by the model's stop reason, by a failure of it, by a stop or a crash."""

from collections.abc import Sequence

from services.conversations.turn_records import Notice, TurnStatus
from services.errors import BudgetUsedUp, HomeroomError, ModelInterrupted, ModelRefused
from services.i18n import gettext, gettext_noop
from services.llm.chat_model import ModelReply
from services.llm.messages import Block, text_block
from services.turns.events import TurnEnded

STOPPED = Notice(sentence=gettext_noop("You stopped this answer."))
INTERRUPTED = Notice(
    sentence=gettext_noop("This answer was interrupted."),
    next_step=gettext_noop("What was said is kept. Press Continue."),
    action="continue",
)
RESTARTED = Notice(
    sentence=gettext_noop("Homeroom was restarted while it was answering."),
    next_step=gettext_noop("What was said is kept. Press Continue."),
    action="continue",
)
TOO_MANY_STEPS = TurnEnded(
    status=TurnStatus.INTERRUPTED,
    notice=Notice(
        sentence=gettext_noop("This took many steps, so I paused here."),
        next_step=gettext_noop("Press Continue to let me go on, or ask for something smaller."),
        action="continue",
    ),
)
CRASHED = TurnEnded(status=TurnStatus.INTERRUPTED, notice=INTERRUPTED)
CRASHED_BEFORE_A_WORD = TurnEnded(
    status=TurnStatus.FAILED,
    notice=Notice(
        sentence=gettext_noop("Homeroom stopped before it could answer."),
        next_step=gettext_noop("Your message is kept. Press Retry."),
        action="retry",
    ),
)
STORE_LOST = TurnEnded(
    status=TurnStatus.INTERRUPTED,
    notice=Notice(
        sentence=gettext_noop("The store does not answer, so this answer could not be kept."),
        next_step=gettext_noop("Reload the page in a moment, then press Continue."),
    ),
)
NOTHING_CHANGED = TurnEnded(
    status=TurnStatus.DONE,
    notice=Notice(
        sentence=gettext_noop("This answer speaks of a change, but nothing was changed."),
        next_step=gettext_noop("Ask for it once more: a change always comes with a card that you approve."),
    ),
)
CLAIM_NEWS = (
    "Your last answer said that you had changed something, but you had called no tool for it: nothing was changed, and "
    "the student was told so."
)
_DONE = TurnEnded(status=TurnStatus.DONE)
_CUT = TurnEnded(
    status=TurnStatus.INTERRUPTED,
    notice=Notice(
        sentence=gettext_noop(
            "The answer became too long and was cut off here. Nothing was changed by the part that is missing."
        ),
        next_step=gettext_noop("Press Continue for the rest."),
        action="continue",
    ),
)
_EMPTY = TurnEnded(
    status=TurnStatus.INTERRUPTED,
    notice=Notice(
        sentence=gettext_noop("The answer came back empty."),
        next_step=gettext_noop("Press Continue to ask again."),
        action="continue",
    ),
)
_DECLINED = TurnEnded(
    status=TurnStatus.DONE,
    notice=Notice(
        sentence=gettext_noop("The model would not answer this one."),
        next_step=gettext_noop("Try to put it differently, or ask for something else."),
    ),
)
_DECLINED_WORDS = gettext_noop("I can't help with that one.")


def usable_content(reply: ModelReply) -> tuple[Sequence[Block], TurnEnded | None]:
    """Select the content of a reply to store and run, and how the turn ends when it holds no call; None: it continues.

    Only the stop reason `tool_use` means that calls are complete: under any other one calls are dropped, so that no
    write runs because of half a request.
    """
    if any(block["type"] == "tool_use" for block in reply.content) and reply.stop_reason == "tool_use":
        return reply.content, None
    content = [block for block in reply.content if block["type"] != "tool_use"]
    match reply.stop_reason:
        case "max_tokens" | "model_context_window_exceeded":
            return content, _CUT
        case "refusal":
            return content or [text_block(gettext(_DECLINED_WORDS))], _DECLINED
        case "pause_turn":
            return content, None
    if not any(block["type"] == "text" for block in content):
        return content, _EMPTY
    # Its calls were incomplete, so they are not run.
    return content, CRASHED if reply.stop_reason == "tool_use" else _DONE


def turn_failed(error: HomeroomError, *, said: bool) -> TurnEnded:
    """End a turn that failed: with Continue when it has text, else with Retry; after a refusal with neither."""
    if isinstance(error, ModelRefused):
        notice = Notice(sentence=str(error), next_step=error.next_step)
        return TurnEnded(status=TurnStatus.INTERRUPTED if said else TurnStatus.FAILED, notice=notice)
    if said:
        has_step = isinstance(error, ModelInterrupted | BudgetUsedUp)
        step = error.next_step if has_step else INTERRUPTED.next_step
        notice = Notice(sentence=str(error), next_step=step, action="continue")
        return TurnEnded(status=TurnStatus.INTERRUPTED, notice=notice)
    step = gettext("Your message is kept. Press Retry.") if isinstance(error, ModelInterrupted) else error.next_step
    return TurnEnded(status=TurnStatus.FAILED, notice=Notice(sentence=str(error), next_step=step, action="retry"))


def turn_crashed(id: str) -> TurnEnded:
    """End a turn after an error of ours; `id` is in the log."""
    sentence = gettext("Something went wrong on our side (reference {id}).", id=id)
    return TurnEnded(
        status=TurnStatus.INTERRUPTED,
        notice=Notice(
            sentence=sentence, next_step=gettext("What was said is kept. Press Continue."), action="continue"
        ),
    )
