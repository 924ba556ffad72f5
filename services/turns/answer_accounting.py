"""`AnswerAccounting`: what a turn's requests cost, taught and showed, counted after the student has heard the end."""

from collections.abc import Sequence
from functools import partial

from services.classes.figures.counted_answer import CountedAnswer, cited_pages
from services.classes.figures.figure_counters import FigureCounters
from services.discovery.accounting import Accounting
from services.llm.request_cost import micro_dollars
from services.prompt.loading_plan import request_facts
from services.prompt.loading_planner import LoadingPlanner
from services.tools.toolbox import Toolbox
from services.turns.model_step import ModelStepResult
from services.turns.tool_calls import CallResult
from services.turns.turn import Turn


class AnswerAccounting:
    def __init__(self, accounting: Accounting, plans: LoadingPlanner, class_figures: FigureCounters) -> None:
        self._accounting, self._plans, self._class_figures = accounting, plans, class_figures

    def defer_request(self, turn: Turn, step: ModelStepResult) -> None:
        """Count what the request cost and learn from its tools, after the turn."""
        is_first = not any(message.role == "assistant" for message in turn.own_messages)

        def account() -> None:
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
            counted = CountedAnswer(is_question=is_first, contexts=contexts, pages=cited, micros=micros)
            self._class_figures.record(turn.student, _class_id(step.plan.toolbox), counted)

        turn.deferred.append(account)

    def defer_failures(self, turn: Turn, toolbox: Toolbox, results: Sequence[CallResult]) -> None:
        """Count which tools failed, after the turn."""
        failures = tuple((result.call["name"], kind) for result in results if (kind := result.result.error_kind))
        failed = CountedAnswer(failures=failures)
        turn.deferred.append(partial(self._class_figures.record, turn.student, _class_id(toolbox), failed))


def _class_id(toolbox: Toolbox) -> str:
    """The class of the assistant that answers; "" for one of the deployment."""
    return toolbox.assistant.class_id if toolbox.assistant else ""
