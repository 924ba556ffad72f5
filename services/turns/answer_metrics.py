"""`AnswerMetrics`: what a turn's requests cost, taught and showed, counted after the student has heard the end."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from services.classes.figures.counted_answer import CountedAnswer, cited_pages
from services.classes.figures.figure_counters import FigureCounters
from services.conversations.summaries import summary_in
from services.discovery.accounting import Accounting
from services.llm.citations import backed_citations, write_citations
from services.llm.messages import Block
from services.llm.prices import micro_dollars
from services.prompt.loading_plan import request_facts
from services.prompt.loading_planner import LoadingPlanner
from services.runtime.deferred_work import run_each
from services.tools.failures import UNKNOWN_TOOL
from services.tools.toolbox import Toolbox
from services.turns.model_step import ModelStepResult
from services.turns.tool_calls import CallResult, label_of
from services.turns.turn import Turn


class AnswerMetrics:
    def __init__(self, accounting: Accounting, plans: LoadingPlanner, class_figures: FigureCounters) -> None:
        self._accounting, self._plans, self._class_figures = accounting, plans, class_figures

    def defer_request(self, turn: Turn, step: ModelStepResult) -> None:
        """Count what the request cost and learn from its tools, after the turn."""
        is_first = not any(message.role == "assistant" for message in turn.own_messages)

        def account() -> CountedAnswer:
            facts = request_facts(
                student_id=turn.student.id,
                conversation_id=turn.record.conversation_id,
                is_first=is_first,
                plan=step.plan,
                request=step.request,
                messages=step.messages,
                reply=step.reply,
            )
            self._accounting.record_request(facts)
            self._plans.learn(facts, step.plan, step.messages)
            cited = cited_pages(step.reply.cited, step.request.messages)
            contexts, micros = tuple(facts.context_names), micro_dollars(facts.model, facts.usage)
            return CountedAnswer(is_question=is_first, contexts=contexts, pages=cited, micros=micros)

        self._defer(turn, step.plan.toolbox, account)

    def defer_failures(self, turn: Turn, toolbox: Toolbox, results: Sequence[CallResult]) -> None:
        """Count which tools failed, after the turn."""
        named = ((toolbox.tool(result.call["name"]), result.result.error_kind) for result in results)
        # A name that the model made up may be a word of the student.
        failures = tuple((tool.name if tool else UNKNOWN_TOOL, kind) for tool, kind in named if kind)
        self._defer(turn, toolbox, lambda: CountedAnswer(failures=failures))

    def _defer(self, turn: Turn, toolbox: Toolbox, count: Callable[[], CountedAnswer]) -> None:
        """Count something after the turn, together with all else of it."""
        if not turn.counts:
            turn.deferred.append(partial(self._record, turn, _class_id(toolbox)))
        turn.counts.append(count)

    def _record(self, turn: Turn, class_id: str) -> None:
        counted: list[CountedAnswer] = []

        def collect(count: Callable[[], CountedAnswer]) -> None:
            counted.append(count())

        with self._accounting.recorded_together() as batch:
            run_each([partial(collect, count) for count in turn.counts])
            self._class_figures.record(turn.student, class_id, *counted, within=batch)


def _class_id(toolbox: Toolbox) -> str:
    """The class of the assistant that answers; "" for one of the deployment."""
    return toolbox.assistant.class_id if toolbox.assistant else ""


def answer_meta(turn: Turn, step: ModelStepResult, content: Sequence[Block]) -> dict[str, Any]:
    """What is stored with an answer: what it cost, cited and was asked with."""
    reply, toolbox = step.reply, step.plan.toolbox
    labels = {b["id"]: label_of(toolbox, b["name"]) for b in content if b["type"] == "tool_use"}
    usage = {name: getattr(reply.usage, name) for name in reply.usage.__dataclass_fields__}
    backed = backed_citations(reply.cited, step.request.messages) if reply.cited else {}
    cited = {"cited": write_citations(backed)} if backed else {}
    summed = {"summary": id} if (id := summary_in(step.messages)) else {}
    written = {"labels": labels, "usage": usage, **cited, **summed, "plan": step.plan.to_json(step.messages)}
    return {"turn_id": turn.record.id, **written}
