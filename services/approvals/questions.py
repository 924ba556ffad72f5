"""Questions to the student that a turn waits for: what is an answer, and what the model is told without one."""

from services.approvals.approval import Approval, ApprovalStatus
from services.errors import ApprovalError, BadArguments
from services.i18n import formats, gettext, gettext_noop
from services.safety.text import plain

LONGEST_ANSWER = 2_000
SKIPPED = "The student skipped this question. Go on without the answer, and do not ask it again."
TOO_LATE = {
    ApprovalStatus.DONE: gettext_noop("This question is answered already."),
    ApprovalStatus.DECLINED: gettext_noop("You skipped this question already."),
    ApprovalStatus.EXPIRED: gettext_noop(
        "This question has waited for more than 30 minutes. Write your answer as a message."
    ),
    ApprovalStatus.WITHDRAWN: gettext_noop("This question was put aside when you wrote something else."),
}


def checked_answer(approval: Approval, answer: str) -> str:
    """The answer as it is kept; raises `ApprovalError` for what is no question, `BadArguments` for no answer to it."""
    if not approval.is_question:
        raise ApprovalError(gettext("This is not a question."), next_step=gettext("Approve or decline it."))
    answer = plain(answer).strip()
    if not answer:
        raise BadArguments(
            gettext("The answer is empty."), field="answer", next_step=gettext("Write something, or choose.")
        )
    if len(answer) > LONGEST_ANSWER:
        raise BadArguments(
            gettext("The answer is longer than {most} characters.", most=formats.number(LONGEST_ANSWER)),
            field="answer",
        )
    if answer not in approval.arguments["choices"] and not approval.arguments.get("allow_other", True):
        raise BadArguments(
            gettext("This question takes one of its choices."), field="answer", next_step=gettext("Choose one.")
        )
    return answer
