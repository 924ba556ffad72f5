"""What is done with classes, as a process may die in the middle of it: what there is before, what one click does, and
what is wrong once the same was clicked again.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from services.classes.assistants.assistant_record import HistoryAction
from services.classes.budgets.budget import Budget, Limits
from services.classes.budgets.budget_repository import DEPLOYMENT
from services.classes.budgets.ledger import LEASE
from services.classes.class_repository import library_owner
from services.classes.figures.class_figures import FIGURES
from services.classes.figures.counted_answer import CountedAnswer
from services.classes.figures.figure_counters import COUNTERS, FigureCounters
from services.classes.school_class import ClassRole
from services.files.upload import Upload
from services.llm.chat_model import Payer
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import utc_now
from services.storage.collections import OF_CLASS, OF_MEMBERS
from services.wiring.container import ServiceContainer
from tests.operations import Given, Operation, counted, person, teacher
from tests.services.classes.launch_operations import (
    account_to_link,
    launch,
    link,
    newcomer,
    wrong_launched,
    wrong_linked,
)
from tests.services.classes.membership_operations import new_class

PLENTY, COST, RESERVED = 1_000_000_000, 20_000, 50_000


def make(services: ServiceContainer, given: Given) -> None:
    services.classroom.classes.create(teacher(services), name=given["mark"], request_id=given["mark"])


def wrong_made(services: ServiceContainer, given: Given) -> str:
    me = teacher(services)
    found = [made for made, role in services.classroom.classes.of_student(me.id) if made.name == given["mark"]]
    members = services.store.shared.find("class_members", {"student_id": me.id})
    lone = [member for member in members if services.store.shared.get("classes", member["class_id"]) is None]
    return counted(len(found)) or ("untrue" if lone else "")


def place_for_one(services: ServiceContainer, mark: str) -> dict[str, Any]:
    made, me = new_class(services, mark), teacher(services)
    services.classroom.classes.change(me, made.id, version=made.version, name=mark, term="", most_members=1)
    return {"class": made.id, "code": made.join_code, "name": f"ana.{mark}", "rival": f"ben.{mark}"}


def join(services: ServiceContainer, given: Given) -> None:
    services.classroom.memberships.join(person(services, given["name"]), given["code"])


def join_as_rival(services: ServiceContainer, given: Given) -> None:
    join(services, {**given, "name": given["rival"]})


def wrong_joined(services: ServiceContainer, given: Given) -> str:
    members = services.classroom.classes.members(teacher(services), given["class"])
    return counted(sum(member.role is ClassRole.MEMBER for member in members))


def assistant_draft(services: ServiceContainer, mark: str) -> dict[str, Any]:
    made = services.classroom.assistants.create(teacher(services), new_class(services, mark).id, mark, request_id=mark)
    return {"assistant": made.id, "seen": made.draft_version, "words": f"Be kind to {mark}."}


def save(services: ServiceContainer, given: Given) -> None:
    me, assistants = teacher(services), services.classroom.assistants
    draft = replace(assistants.get(me, given["assistant"]).draft, words=given["words"])
    assistants.save(me, draft, seen=given["seen"])


def publish(services: ServiceContainer, given: Given) -> None:
    services.classroom.assistants.publish(teacher(services), given["assistant"], seen=given["seen"])


def wrong_assistant(action: HistoryAction, services: ServiceContainer, given: Given) -> str:
    """Each change is noted once, and no note is of what was not done."""
    me, assistants = teacher(services), services.classroom.assistants
    record, history = assistants.get(me, given["assistant"]), assistants.history(me, given["assistant"])
    if action is HistoryAction.PUBLISHED and record.published != record.draft:
        return "lost"
    if action is HistoryAction.SAVED and record.draft.words != given["words"]:
        return "lost"
    numbers = [entry.number for entry in history]
    if numbers != list(range(2, 0, -1)):
        return "doubled" if len(numbers) > 2 else "untrue"
    return "" if [entry.action for entry in history] == [action, HistoryAction.MADE] else "untrue"


def class_and_file(services: ServiceContainer, mark: str) -> dict[str, Any]:
    return {"class": new_class(services, mark).id, "text": f"Chapter of {mark}. Mitosis has four phases. " * 400}


def upload(services: ServiceContainer, given: Given) -> None:
    file = Upload(name="chapter.txt", content=given["text"].encode())
    services.classroom.materials.add(teacher(services), given["class"], file)


def wrong_upload(services: ServiceContainer, given: Given) -> str:
    owner, libraries = library_owner(given["class"]), MaterialRepository(services.store, utc_now)
    found = services.classroom.materials.materials(teacher(services), given["class"])
    if len(found) != 1:
        return counted(len(found))
    record = libraries.material(owner, found[0].material.id)
    parts = services.store.for_student(owner).find("material_uploads", {})
    if record is None or not record.is_read or not parts:
        return "lost"
    told = "".join(page.text for page in libraries.pages(owner, record, None))
    usage = services.classroom.materials.usage(teacher(services), given["class"])
    is_counted = usage.upload_bytes == len(given["text"].encode())
    return "" if told.count("Mitosis") == given["text"].count("Mitosis") and is_counted else "untrue"


def whole_class(services: ServiceContainer, mark: str) -> dict[str, Any]:
    """A class with something in each collection that classes have."""
    me, made, given = teacher(services), new_class(services, mark), {"mark": mark}
    assistant = services.classroom.assistants.create(me, made.id, mark, request_id=mark)
    services.classroom.assistants.publish(me, assistant.id, seen=assistant.draft_version)
    services.classroom.memberships.join(person(services, f"ana.{mark}"), made.join_code)
    services.classroom.roster.invite(me, made.id, "somebody@else.example")
    upload(services, {"class": made.id, "text": "A chapter."})
    services.budgets.repository.save(made.id, Budget(total=Limits(day=PLENTY)))
    spend(services, {"student": me.id, "class": made.id})
    services.store.shared.insert(FIGURES, {"id": f"{made.id}.w", "class_id": made.id, "week": "w", "students": 0})
    return {**given, "class": made.id}


def delete(services: ServiceContainer, given: Given) -> None:
    services.classroom.classes.delete(teacher(services), given["class"])


def finish_deletions(services: ServiceContainer, given: Given) -> None:
    services.classroom.classes.finish_deletions()


def wrong_deleted(services: ServiceContainer, given: Given) -> str:
    shared, library = services.store.shared, services.store.for_student(library_owner(given["class"]))
    left = [name for name in OF_CLASS if shared.find(name, {"class_id": given["class"]})]
    left += [name for name in OF_MEMBERS if services.store.owners(name, {"class_id": given["class"]})]
    left += [name for name in services.store.owned if library.find(name, {})]
    # A bare id stays for a while: what is written late goes with it.
    mark = shared.get("classes", given["class"]) or {}
    return "untrue" if left or mark.keys() - {"id", "deleted_at"} else ""


def limited_class(services: ServiceContainer, mark: str) -> dict[str, Any]:
    made, repository = new_class(services, mark), services.budgets.repository
    repository.save(made.id, Budget(total=Limits(day=PLENTY, term=PLENTY)))
    if not repository.get(DEPLOYMENT).is_set:
        repository.save(DEPLOYMENT, Budget(total=Limits(day=PLENTY)))
    services.classroom.memberships.join(ana := person(services, f"ana.{mark}"), made.join_code)
    return {"class": made.id, "student": ana.id}


def spend(services: ServiceContainer, given: Given) -> None:
    settle = services.budgets.reserve(Payer(student_id=given["student"], class_id=given["class"]), lambda: RESERVED)
    settle(COST)
    services.budgets.flush()


def wrong_spent(services: ServiceContainer, given: Given) -> str:
    """A request that died with its process costs what it cost or nothing; what it had reserved comes back."""
    payer, after = Payer(student_id=given["student"], class_id=given["class"]), utc_now() + 2 * LEASE
    scopes = services.budgets.scopes(payer)[:2]
    spent = {sum(services.budgets.spent(scope).terms.values()) for scope in scopes}
    if any(services.budgets.spent(scope).reserved(after) for scope in scopes):
        return "lost"
    return "" if spent <= {0, COST} else "doubled"


def week_that_is_over(services: ServiceContainer, mark: str) -> dict[str, Any]:
    made, long_ago = new_class(services, mark), services.clock() - timedelta(days=21)
    counters = FigureCounters(services.store, lambda: long_ago, is_counted=lambda student, class_id: True)
    for number in range(6):
        services.classroom.memberships.join(member := person(services, f"{mark}.{number}"), made.join_code)
        counters.record(member, made.id, CountedAnswer(is_question=True, contexts=("courses",), micros=1_000))
    return {"class": made.id}


def publish_figures(services: ServiceContainer, given: Given) -> None:
    services.classroom.figures.close_due()


def keep_figures(services: ServiceContainer, given: Given) -> None:
    """Remember what was published when the process died: it never changes."""
    for document in services.store.shared.find(FIGURES, {"class_id": given["class"]}):
        services.store.shared.put("rate_limits", {"id": f"kept/{document['id']}", "figures": document})


def wrong_figures(services: ServiceContainer, given: Given) -> str:
    found = services.store.shared.find(FIGURES, {"class_id": given["class"]})
    kept = services.store.shared.get("rate_limits", f"kept/{found[0]['id']}") if found else None
    if services.store.owners(COUNTERS, {"class_id": given["class"]}) or (kept and kept["figures"] != found[0]):
        return "untrue"
    return counted(len(services.classroom.figures.report(teacher(services), given["class"]).weeks))


def _publishes(services: ServiceContainer, given: Given) -> str:
    return wrong_assistant(HistoryAction.PUBLISHED, services, given)


def _saves(services: ServiceContainer, given: Given) -> str:
    return wrong_assistant(HistoryAction.SAVED, services, given)


OPERATIONS: Mapping[str, Operation] = {
    "make": Operation(prepare=newcomer, do=make, wrong=wrong_made),
    "join": Operation(prepare=place_for_one, do=join, wrong=wrong_joined, before_again=join_as_rival),
    "save": Operation(prepare=assistant_draft, do=save, wrong=_saves),
    "publish": Operation(prepare=assistant_draft, do=publish, wrong=_publishes),
    "upload": Operation(prepare=class_and_file, do=upload, wrong=wrong_upload),
    "delete": Operation(prepare=whole_class, do=delete, wrong=wrong_deleted, before_again=finish_deletions),
    "spend": Operation(prepare=limited_class, do=spend, wrong=wrong_spent, is_repeated=False),
    "figures": Operation(prepare=week_that_is_over, do=publish_figures, wrong=wrong_figures, before_again=keep_figures),
    "launch": Operation(prepare=newcomer, do=launch, wrong=wrong_launched),
    "link": Operation(prepare=account_to_link, do=link, wrong=wrong_linked),
}
