"""`QuarantinedSummaries`: summaries of strangers' texts, by a model request without tools and without student data.

An instruction in such a text finds nothing there to be carried out with: the quarantined model of the dual model
pattern (https://simonwillison.net/2023/Apr/25/dual-llm-pattern/).
"""

import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace

from babel import Locale

from services.discovery.accounting import Accounting
from services.errors import ModelError, ModelInterrupted, ServiceUnavailable
from services.i18n import gettext
from services.identity.students import Student
from services.llm.chat_model import AnswerUnwanted, ChatModel, ModelReply, ModelRequest, Payer
from services.llm.effort import with_effort
from services.llm.messages import text_block
from services.runtime.prompt_files import prompt
from services.safety.text import one_line, plain, without_addresses
from services.tools.result import QuarantinedSummary

LONGEST = 60_000
"""Characters of a text that are read; some fifteen thousand tokens."""
MAX_TOKENS = 2_000
MAX_POINTS = 9
LONGEST_LINE = 500
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")


class QuarantinedSummaries:
    def __init__(self, model: ChatModel, name: str, accounting: Accounting) -> None:
        """name: of the model that sums up, the quick one."""
        self._model = model
        self._name = name
        self._accounting = accounting

    def summarize(
        self, student: Student, text: str, *, payer: Payer | None = None, is_stopped: Callable[[], bool] = lambda: False
    ) -> QuarantinedSummary:
        """Summarize a text in the student's language, on their account; raises `ServiceUnavailable`.

        payer: where a class pays, the student themselves otherwise.
        """
        payer = payer or Payer(student_id=student.id)
        try:
            reply = self._reply(replace(_request(self._name, student.locale, text[:LONGEST]), payer=payer), is_stopped)
        except ModelError as error:
            raise _failed() from error
        self._accounting.record_side_request(student.id, self._name, reply.usage)
        lines = list(safe_lines(reply))
        if not lines or reply.stop_reason not in ("end_turn", "max_tokens"):
            raise _failed()
        gist, *points = lines
        is_whole = len(text) <= LONGEST and reply.stop_reason == "end_turn"
        return QuarantinedSummary(gist=gist, points=tuple(points[:MAX_POINTS]), is_whole=is_whole)

    def _reply(self, request: ModelRequest, is_stopped: Callable[[], bool]) -> ModelReply:
        try:
            return self._model.stream(request, lambda _: not is_stopped())
        except AnswerUnwanted:
            raise ModelInterrupted(gettext("The answer was stopped.")) from None


def _request(model: str, locale: str, text: str) -> ModelRequest:
    # The text cannot guess the random mark, so it cannot pretend to end.
    mark = secrets.token_hex(4)
    language = Locale.parse(locale, sep="-").get_language_name("en")
    instruction = f"Write in {language} ({locale}).\n\n--- {mark}\n{plain(text)}\n--- {mark}"
    messages = [{"role": "user", "content": [text_block(instruction)]}]
    request = ModelRequest(model=model, system=[text_block(prompt("quarantined_summary"))], tools=(), messages=messages)
    quick = with_effort(request, "quick")
    return replace(quick, max_tokens=MAX_TOKENS, effort="low" if quick.effort else "")


def safe_lines(reply: ModelReply) -> Iterator[str]:
    """Yield lines without list marks, addresses and hidden text: the text may have made the model write them."""
    said = "\n".join(str(block["text"]) for block in reply.content if block["type"] == "text")
    for line in plain(said).splitlines():
        bare = one_line(without_addresses(_without_links(line)).lstrip("-*• #"), LONGEST_LINE)
        if bare.strip("… "):
            yield bare


def _without_links(line: str) -> str:
    """Replace links by their text, until there is none: what is left of one may be part of another."""
    while (bare := _LINK.sub(r"\1", line)) != line:
        line = bare
    return line


def _failed() -> ServiceUnavailable:
    return ServiceUnavailable(
        "The web",
        gettext("The page could not be summed up just now."),
        next_step=gettext("Read it instead, part by part."),
    )
