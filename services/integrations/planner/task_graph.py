"""`TaskGraph`: all tasks of a student together: which wait for which, why one is blocked, and in which order to do them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from heapq import heappop, heappush
from itertools import islice
from zoneinfo import ZoneInfo

from services.errors import BadArguments, ItemNotFound
from services.i18n import gettext
from services.integrations.kit import localized
from services.integrations.planner.tasks import LABEL, Task, TaskStatus
from services.safety.text import one_line

MOST_REASONS = 5
"""Ways that are told of why something is held up."""
DEEPEST = 12
"""Tasks behind tasks that such a way is told down to."""


@dataclass(frozen=True)
class TaskGraph:
    """tasks: all of them, the earliest due first. A task that is not there any more holds nothing up."""

    tasks: Sequence[Task]
    by_id: Mapping[str, Task] = field(init=False, repr=False)
    _waiting: Mapping[str, Sequence[Task]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        waiting: defaultdict[str, list[Task]] = defaultdict(list)
        for task in self.tasks:
            for id in set(task.depends_on) if not task.is_done else ():
                waiting[id].append(task)
        object.__setattr__(self, "by_id", {task.id: task for task in self.tasks})
        object.__setattr__(self, "_waiting", waiting)

    def find(self, reference: str, *, field: str, among: Sequence[Task] | None = None) -> Task:
        """The task with this id, title or words of a title; `among`: those that words may mean.

        Raises `ItemNotFound` when none fits, `BadArguments` when several do.
        """
        if reference in self.by_id:
            return self.by_id[reference]
        words = reference.casefold().split()
        candidates = self.tasks if among is None else among
        exact = [task for task in candidates if task.title.casefold().split() == words]
        fitting = exact or [task for task in candidates if all(word in task.title.casefold() for word in words)]
        if not fitting:
            step = gettext("List the tasks to see what is there.")
            raise ItemNotFound(LABEL, gettext("There is no such task in the planner."), next_step=step)
        if len(fitting) > 1:
            names = ", ".join(f"“{one_line(task.title, 80)}” (id: {task.id})" for task in fitting[:MOST_REASONS])
            more = ", …" if len(fitting) > MOST_REASONS else ""
            sentence = f"{field}: {len(fitting)} tasks fit these words: {names}{more}."
            step = "Ask the student which one, and give its id."
            said = gettext(
                "More than one task fits these words: {names}.",
                names=localized.list_choices([(one_line(task.title, 80), task.id) for task in fitting]),
            )
            raise BadArguments(sentence, field=field, next_step=step, said=said)
        return fitting[0]

    def open_prerequisites(self, task: Task) -> list[Task]:
        """The tasks that come right before it and are not done."""
        found = (self.by_id.get(id) for id in task.depends_on)
        return [one for one in found if one is not None and not one.is_done]

    def dependents(self, task: Task) -> list[Task]:
        """The tasks that wait for it, directly."""
        return list(self._waiting.get(task.id, ()))

    def is_held_up(self, task: Task) -> bool:
        """Whether it cannot be done now: blocked itself, or waiting for something that is not done."""
        return task.status is TaskStatus.BLOCKED or bool(self.open_prerequisites(task))

    def blocking_reasons(self, task: Task, zone: ZoneInfo) -> list[str]:
        """Why it is held up, a sentence for each way, down to what can be done about it."""
        return self._why(task, zone, (task.id,))

    def find_cycle(self, task_id: str, depends_on: Sequence[str]) -> list[Task] | None:
        """The circle that a task with these dependencies would close, or None."""
        path = self._path(depends_on, task_id)
        return None if path is None else [self.by_id[one] for one in path if one in self.by_id]

    def work_order(self) -> list[Task]:
        """The tasks that can be done, in the order in which to do them.

        What comes first comes first. Among those that can be done next: what is due earliest, where a task counts as
        due when the earliest task that waits for it is; then what is started; then what was added first. What is
        blocked, and whatever waits for it, is left out.
        """
        left = [task for task in self.tasks if not task.is_done and task.status is not TaskStatus.BLOCKED]
        place = {task.id: number for number, task in enumerate(left)}
        lacking = {task.id: len({one.id for one in self.open_prerequisites(task)}) for task in left}
        wanted = self._wanted()
        ready: list[tuple[tuple[float, bool, datetime], int]] = []
        for task in left:
            if not lacking[task.id]:
                heappush(ready, (_urgency(task, wanted.get(task.id)), place[task.id]))
        ordered: list[Task] = []
        while ready:
            ordered.append(left[heappop(ready)[1]])
            for task in self.dependents(ordered[-1]):
                if task.id in lacking:
                    lacking[task.id] -= 1
                    if not lacking[task.id]:
                        heappush(ready, (_urgency(task, wanted.get(task.id)), place[task.id]))
        return ordered

    def needed_by(self, task: Task) -> datetime | None:
        """When it is needed: its own due date, or an earlier one of a task that waits for it."""
        dues = [one.due_at for one in self._behind(task) if one.due_at]
        return min(dues) if dues else None

    def _wanted(self) -> dict[str, datetime]:
        """The same for every task that is open and needed by some time: each is reached first from the earliest."""
        wanted: dict[str, datetime] = {}
        dues = [(task.due_at, task) for task in self.tasks if task.due_at and not task.is_done]
        for due, task in sorted(dues, key=lambda due: due[0]):
            left = [task]
            while left:
                one = left.pop()
                if one.id not in wanted:
                    wanted[one.id] = due
                    left += self.open_prerequisites(one)
        return wanted

    def _behind(self, task: Task) -> Iterator[Task]:
        """The task and all that wait for it, directly or not."""
        seen, left = {task.id}, [task]
        while left:
            yield (one := left.pop())
            new = [each for each in self.dependents(one) if each.id not in seen]
            seen |= {each.id for each in new}
            left += new

    def _why(self, task: Task, zone: ZoneInfo, above: tuple[str, ...]) -> list[str]:
        own = [f"blocked: {one_line(task.reason)}"] if task.status is TaskStatus.BLOCKED else []
        ways = (way for one in self.open_prerequisites(task) for way in self._ways(one, zone, above))
        return [*own, *islice(ways, MOST_REASONS)]

    def _ways(self, task: Task, zone: ZoneInfo, above: tuple[str, ...]) -> list[str]:
        """Why something waits for `one`: that it is not done, and why that is."""
        if task.id in above:
            return [f"waits for “{one_line(task.title)}”, which waits for it in turn"]
        state = "started" if task.status is TaskStatus.STARTED else "not started"
        further = self._why(task, zone, (*above, task.id)) if len(above) < DEEPEST else []
        if not further:
            return [f"waits for “{one_line(task.title)}” ({task.due(zone)}, {state})"]
        return [
            f"waits for “{one_line(task.title)}”, which {'is ' if way.startswith('blocked') else ''}{way}"
            for way in further
        ]

    def _path(self, starts: Sequence[str], end: str) -> list[str] | None:
        """The ids from one of these to `end`, each task waiting for the next; None when no way leads there."""
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
            new = [one for one in task.depends_on if one not in came_from] if task else []
            came_from |= dict.fromkeys(new, id)
            left += new
        return None


def _urgency(task: Task, wanted: datetime | None) -> tuple[float, bool, datetime]:
    return (wanted.timestamp() if wanted else float("inf"), task.status is not TaskStatus.STARTED, task.created_at)
