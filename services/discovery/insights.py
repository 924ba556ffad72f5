"""Insights: sums and bills over some days of counters, for the page, the command and the metrics route."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.discovery.daily_counters import DayCounters, summed
from services.llm.prices import BilledInput, rates

REAL, ALL, FILTER = "real", "all", "filter"
"""What was sent; the same with all tools, cached; the same with other tools
for each message. The last two are estimates."""
_FAILED = "failed_"


@dataclass(frozen=True, kw_only=True)
class Bill:
    """Cost of some input. dollars: for the models with a known price, answers included; None without any."""

    input: BilledInput
    dollars: float | None


@dataclass(frozen=True, kw_only=True)
class DayLine:
    """Sums of one day. weighed, with_all, per_message: input in tokens at the full price."""

    date: date
    turns: int
    weighed: int
    with_all: int
    per_message: int


@dataclass(frozen=True, kw_only=True)
class ContextLine:
    """Sums of a context; `NO_CONTEXT` is for messages without any. Tokens are estimates; saved is against all tools.

    A message with two contexts counts as a turn of each, and half of its tokens for each.
    """

    name: str
    turns: int
    tools_tokens: int
    saved: int


@dataclass(frozen=True, kw_only=True)
class ToolUsageLine:
    """One tool. loaded: in how many turns it was in the prompt from the start. found: how often the model searched it.

    called: by the model. failures: of every call, those of a student's own programs too, by kind.
    """

    name: str
    loaded: int
    called: int
    found: int
    failures: Mapping[str, int]

    @property
    def failed(self) -> int:
        return sum(self.failures.values())


@dataclass(frozen=True, kw_only=True)
class ModelLine:
    name: str
    requests: int
    output: int
    bill: Bill


class Insights:
    """Sums over days; a day without anything may be missing among them."""

    def __init__(self, days: Sequence[DayCounters]) -> None:
        self._days = days
        self._sums = summed(days)
        self._all = DayCounters(date=date.min, numbers=self._sums)

    def __getitem__(self, number: str) -> int:
        """A plain sum, such as `requests`, `turns`, `bare_turns` (no tool was called), `searched` (for tools),
        `called`, `called_at_once`, and the tokens of `system`, `tools`, `messages`, `all_tools`, `matching_tools`.
        """
        return self._all[number]

    @property
    def is_empty(self) -> bool:
        return not any(self._sums.values())

    @property
    def tools_offered(self) -> int:
        """Tools that a usual question could have had."""
        return round(self["offered"] / self["turns"]) if self["turns"] else 0

    @property
    def tools_loaded(self) -> int:
        """Tools that a usual question began with."""
        return round(self["loaded"] / self["turns"]) if self["turns"] else 0

    @property
    def saved_share(self) -> float:
        """The share of the input that all tools would have cost, and that was not spent; below 0 when it was more."""
        whole = self.bill(ALL).input.weighed
        return 1 - self.bill(REAL).input.weighed / whole if whole else 0.0

    def bill(self, side: str) -> Bill:
        bills = [_bill(self._all, side, model) for model in self._models]
        known = [bill.dollars for bill in bills if bill.dollars is not None]
        return Bill(input=_summed_input([bill.input for bill in bills]), dollars=sum(known) if known else None)

    @property
    def output(self) -> int:
        return sum(tokens for _, tokens in self._all.by_name("output"))

    @property
    def web_searches(self) -> int:
        """How many the model did on its service's side; those of other search engines are not counted."""
        return sum(number for _, number in self._all.by_name("web_searches"))

    @property
    def unpriced_searches(self) -> int:
        """Of these, the ones whose fee is not known."""
        known = {model: rates(model) for model in self._models}
        unpriced = {model for model, price in known.items() if price is None or price.search is None}
        return sum(number for model, number in self._all.by_name("web_searches") if model in unpriced)

    @property
    def unpriced(self) -> Sequence[str]:
        """Models whose price is not known."""
        return [model for model in self._models if rates(model) is None]

    @property
    def models(self) -> Sequence[ModelLine]:
        return [
            ModelLine(
                name=name,
                requests=requests,
                output=_number(self._all, "output", name),
                bill=_bill(self._all, REAL, name),
            )
            for name, requests in _by_frequency(self._all, "model_requests")
        ]

    @property
    def strategies(self) -> Sequence[tuple[str, int]]:
        """How many turns each strategy had, the commonest first."""
        return _by_frequency(self._all, "strategy_turns")

    @property
    def by_day(self) -> Sequence[DayLine]:
        return [_day_line(day) for day in self._days]

    @property
    def contexts(self) -> Sequence[ContextLine]:
        """The commonest first."""
        return [
            ContextLine(
                name=name,
                turns=turns,
                tools_tokens=_number(self._all, "context_tools", name),
                saved=_number(self._all, "context_saved", name),
            )
            for name, turns in _by_frequency(self._all, "context_turns")
        ]

    @property
    def tools(self) -> Sequence[ToolUsageLine]:
        """The most used first, then by how often they were read."""
        loaded, called, found = (dict(self._all.by_name(f"tool_{verb}")) for verb in ("loaded", "called", "found"))
        failures = self._failures()
        lines = [
            ToolUsageLine(
                name=name,
                loaded=loaded.get(name, 0),
                called=called.get(name, 0),
                found=found.get(name, 0),
                failures=failures.get(name, {}),
            )
            for name in {*loaded, *called, *found, *failures}
        ]
        return sorted(lines, key=lambda line: (-line.called, -line.loaded, line.name))

    def _failures(self) -> Mapping[str, Mapping[str, int]]:
        failures: dict[str, Counter[str]] = {}
        for field, times in self._sums.items():
            if field.startswith(_FAILED):
                kind, _, tool = field.removeprefix(_FAILED).partition("__")
                failures.setdefault(tool, Counter())[kind] += times
        return failures

    @property
    def _models(self) -> Sequence[str]:
        return [model for model, _ in self._all.by_name("model_requests")]


def _by_frequency(day: DayCounters, number: str) -> Sequence[tuple[str, int]]:
    return sorted(day.by_name(number), key=lambda pair: (-pair[1], pair[0]))


def _number(day: DayCounters, number: str, name: str) -> int:
    return day[f"{number}__{name}"]


def _billed_input(day: DayCounters, side: str, model: str) -> BilledInput:
    return BilledInput(**{kind: _number(day, f"{side}_{kind}", model) for kind in ("fresh", "read", "written")})


def _bill(day: DayCounters, side: str, model: str) -> Bill:
    sent, price = _billed_input(day, side, model), rates(model)
    output, searches = _number(day, "output", model), _number(day, "web_searches", model)
    return Bill(input=sent, dollars=None if price is None else price.cost(sent, output, searches))


def _summed_input(inputs: Sequence[BilledInput]) -> BilledInput:
    return BilledInput(
        fresh=sum(part.fresh for part in inputs),
        read=sum(part.read for part in inputs),
        written=sum(part.written for part in inputs),
    )


def _day_line(day: DayCounters) -> DayLine:
    models = [model for model, _ in day.by_name("model_requests")]
    weighed = {side: sum(_billed_input(day, side, model).weighed for model in models) for side in (REAL, ALL, FILTER)}
    return DayLine(
        date=day.date, turns=day["turns"], weighed=weighed[REAL], with_all=weighed[ALL], per_message=weighed[FILTER]
    )
