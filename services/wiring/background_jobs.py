"""Background jobs: what is done again and again beside the turns, by loops that go around every few seconds.

A job says itself when something of it is due; how often a loop goes around: `services.wiring.jobs_loop`.
"""

from collections.abc import Mapping
from typing import Any

from services.classes.assistants.published_assistants import PublishedAssistants
from services.classes.class_repository import ClassRepository
from services.classes.class_services import ClassServices
from services.connections.connections import Connections
from services.integrations.feeds.class_feeds import ClassFeeds
from services.privacy.account_deletion import AccountDeletion
from services.privacy.data_retention import DataRetention
from services.runtime.clock import Clock
from services.safety.fetch import SafeFetch
from services.settings import Settings
from services.study.study_services import StudyServices
from services.week.refresher import WeekRefresher
from services.wiring.jobs_loop import JobsLoop
from services.wiring.materials import MaterialServices
from services.wiring.reminders import reminder_service
from services.wiring.repositories import Repositories
from services.wiring.tools import Tools
from services.wiring.turns import TurnParts


def week_and_reminders(
    settings: Settings,
    repositories: Repositories,
    connections: Connections,
    tools: Tools,
    study: StudyServices,
    clock: Clock,
) -> Mapping[str, Any]:
    """What refreshes a student's week, and the reminders of it with their own loop."""
    refresher = WeekRefresher(
        gateway=tools.gateway,
        connections=connections,
        store=repositories.store,
        study_day=study.days.today,
        clock=clock,
    )
    reminders = reminder_service(settings, repositories, connections, refresher, clock)
    jobs = {"remind": reminders.run_due}
    loop = JobsLoop(repositories.leases, jobs, name="reminders", registry=repositories.registry)
    return {"week_refresher": refresher, "reminders": reminders, "reminder_loop": loop}


def _data_retention(settings: Settings, repositories: Repositories, agent: TurnParts, clock: Clock) -> DataRetention:
    queue, periods = agent.chats.deletion_queue, settings.operations.retention
    return DataRetention(repositories.store, clock, repositories.students, queue, periods)


def _account_deletion(
    repositories: Repositories, connections: Connections, agent: TurnParts, classroom: ClassServices, clock: Clock
) -> AccountDeletion:
    return AccountDeletion(
        store=repositories.store,
        students=repositories.students,
        connections=connections,
        turns=agent.turns,
        leave_classes=classroom.memberships.forget,
        settle_costs=repositories.budgets.flush,
        clock=clock,
    )


def _class_feeds(settings: Settings, repositories: Repositories, clock: Clock) -> ClassFeeds:
    published = PublishedAssistants(repositories.store, ClassRepository(repositories.store, clock))
    fetch = SafeFetch(allow=settings.campus_origins)
    return ClassFeeds(store=repositories.store, published=published, fetch=fetch, clock=clock)


def background_jobs(
    settings: Settings,
    repositories: Repositories,
    connections: Connections,
    agent: TurnParts,
    library: MaterialServices,
    study: StudyServices,
    classroom: ClassServices,
    clock: Clock,
) -> Mapping[str, Any]:
    """What is done again and again beside the turns, and the deletion of accounts that is a part of it."""
    account_deletion = _account_deletion(repositories, connections, agent, classroom, clock)
    kept = _data_retention(settings, repositories, agent, clock)
    jobs = {
        "recover": agent.turns.recover,
        "retry_revocations": connections.retry_revocations,
        "clear_out_chats": agent.chats.deletion_queue.purge,
        "finish_departures": account_deletion.finish_due,
        "tidy_libraries": library.material_retention.tidy_due,
        "settle_attempts": study.attempts.settle_due,
        "finish_class_deletions": classroom.classes.finish_deletions,
        "close_figures": classroom.figures.close_due,
        "read_class_feeds": _class_feeds(settings, repositories, clock).refresh_due,
        "apply_retention": kept.apply_due,
    }
    loop = JobsLoop(repositories.leases, jobs, registry=repositories.registry)
    return {"account_deletion": account_deletion, "jobs": loop}
