"""Dependency graph of a student's tasks: prerequisites, reasons for a block, cycles and the order to work in."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from heapq import heappop, heappush
from itertools import islice
from operator import itemgetter
from zoneinfo import ZoneInfo

from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches, near_matches
from services.integrations.planner.tasks import Task, TaskStatus
from services.safety.text import one_line

MOST_REASONS = 5
"""Reasons that are given for one task."""
DEEPEST = 12
"""Length of a chain of prerequisites that is followed for a reason."""


@dataclass(frozen=True)
class TaskGraph:
    """Graph of all tasks, the earliest due first. A deleted task holds nothing up."""

    tasks: Sequence[Task]
    by_id: Mapping[str, Task] = field(init=False, repr=False)
    _dependents: Mapping[str, Sequence[Task]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        dependents: defaultdict[str, list[Task]] = defaultdict(list)
        for task in self.tasks:
            for id in set(task.depends_on) if not task.is_done else ():
                dependents[id].append(task)
        object.__setattr__(self, "by_id", {task.id: task for task in self.tasks})
        object.__setattr__(self, "_dependents", dependents)

    def find_task(self, reference: str, zone: ZoneInfo, *, field: str, among: Sequence[Task] | None = None) -> Task:
        """Look up a task by id, title or words of its title. among: the tasks that words may mean.

        Raises `BadArguments` with the choices when none or several fit.
        """
        if reference in self.by_id:
            return self.by_id[reference]
        candidates = self.tasks if among is None else among
        fitting = best_matches(candidates, reference, lambda task: (task.title,))
        if len(fitting) == 1:
            return fitting[0]
        choices = [_choice(task, zone) for task in fitting or candidates]
        if fitting:
            raise several_fit(field, reference, choices)
        near = near_matches(candidates, reference, lambda task: (task.title,))
        raise none_fits(field, reference, choices, near=[_choice(task, zone) for task in near])

    def open_prerequisites(self, task: Task) -> list[Task]:
        """Direct prerequisites that are not done."""
        found = (self.by_id.get(id) for id in task.depends_on)
        return [prerequisite for prerequisite in found if prerequisite is not None and not prerequisite.is_done]

    def dependents(self, task: Task) -> list[Task]:
        """Tasks that wait for it directly."""
        return list(self._dependents.get(task.id, ()))

    def is_held_up(self, task: Task) -> bool:
        """Whether it cannot be done now: blocked itself, or waiting for a task that is not done."""
        return task.status is TaskStatus.BLOCKED or bool(self.open_prerequisites(task))

    def blocking_reasons(self, task: Task, zone: ZoneInfo) -> list[str]:
        """Reasons why it is held up, each down to what can be done about it."""
        return self._reasons(task, zone, (task.id,))

    def find_cycle(self, task_id: str, depends_on: Sequence[str]) -> list[Task] | None:
        """Cycle that a task with these dependencies would close, or None."""
        path = self._path(depends_on, task_id)
        return None if path is None else [self.by_id[id] for id in path if id in self.by_id]

    def work_order(self) -> list[Task]:
        """Topological order of the tasks that can be done (Kahn's algorithm with a priority queue).

        Among those that can be done next: what is needed earliest (see `needed_by`), then what is started, then what
        was added first. What is blocked, and whatever waits for it, is left out.
        """
        left = [task for task in self.tasks if not task.is_done and task.status is not TaskStatus.BLOCKED]
        place = {task.id: number for number, task in enumerate(left)}
        lacking = {task.id: len({prerequisite.id for prerequisite in self.open_prerequisites(task)}) for task in left}
        needed = self._needed()
        ready: list[tuple[tuple[float, bool, datetime], int]] = []
        for task in left:
            if not lacking[task.id]:
                heappush(ready, (_urgency(task, needed.get(task.id)), place[task.id]))
        ordered: list[Task] = []
        while ready:
            ordered.append(left[heappop(ready)[1]])
            for task in self.dependents(ordered[-1]):
                if task.id in lacking:
                    lacking[task.id] -= 1
                    if not lacking[task.id]:
                        heappush(ready, (_urgency(task, needed.get(task.id)), place[task.id]))
        return ordered

    def needed_by(self, task: Task) -> datetime | None:
        """Time when it is needed: its own due date, or an earlier one of a task that waits for it."""
        dues = [dependent.due_at for dependent in self._with_dependents(task) if dependent.due_at]
        return min(dues) if dues else None

    def _needed(self) -> dict[str, datetime]:
        """`needed_by` of every open task that has one: each is reached first from the earliest due date."""
        needed: dict[str, datetime] = {}
        dues = [(task.due_at, task) for task in self.tasks if task.due_at and not task.is_done]
        for due, task in sorted(dues, key=itemgetter(0)):
            left = [task]
            while left:
                task = left.pop()
                if task.id not in needed:
                    needed[task.id] = due
                    left += self.open_prerequisites(task)
        return needed

    def _with_dependents(self, task: Task) -> Iterator[Task]:
        """The task and all that wait for it, directly or not."""
        seen, left = {task.id}, [task]
        while left:
            yield (current := left.pop())
            new = [dependent for dependent in self.dependents(current) if dependent.id not in seen]
            seen |= {dependent.id for dependent in new}
            left += new

    def _reasons(self, task: Task, zone: ZoneInfo, above: tuple[str, ...]) -> list[str]:
        own = [f"blocked: {one_line(task.reason)}"] if task.status is TaskStatus.BLOCKED else []
        first = self.open_prerequisites(task)
        ways = (reason for prerequisite in first for reason in self._reasons_of(prerequisite, zone, above))
        return [*own, *islice(ways, MOST_REASONS)]

    def _reasons_of(self, task: Task, zone: ZoneInfo, above: tuple[str, ...]) -> list[str]:
        """Reasons that a prerequisite gives: that it is not done, and why that is."""
        if task.id in above:
            return [f"waits for “{one_line(task.title)}”, which waits for it in turn"]
        state = "started" if task.status is TaskStatus.STARTED else "not started"
        further = self._reasons(task, zone, (*above, task.id)) if len(above) < DEEPEST else []
        if not further:
            return [f"waits for “{one_line(task.title)}” ({task.due_text(zone)}, {state})"]
        return [
            f"waits for “{one_line(task.title)}”, which {'is ' if way.startswith('blocked') else ''}{way}"
            for way in further
        ]

    def _path(self, starts: Sequence[str], end: str) -> list[str] | None:
        """Path of ids from a start to `end`, each task waiting for the next; None when there is none."""
        came_from: dict[str, str | None] = dict.fromkeys(starts)
        left = list(starts)
        while left:
            id = left.pop()
            if id == end:
                path = [id]
                while (before := came_from[path[-1]]) is not None:
                    path.append(before)
                return path[::-1]
            task = self.by_id.get(id)
            new = [before for before in task.depends_on if before not in came_from] if task else []
            came_from |= dict.fromkeys(new, id)
            left += new
        return None


def _urgency(task: Task, needed_at: datetime | None) -> tuple[float, bool, datetime]:
    return (
        needed_at.timestamp() if needed_at else float("inf"),
        task.status is not TaskStatus.STARTED,
        task.created_at,
    )


def _choice(task: Task, zone: ZoneInfo) -> NameChoice:
    at = task.due_at.astimezone(zone) if task.due_at else None
    return NameChoice(name=task.title, id=task.id, at=at.date() if at and not task.has_time else at)
