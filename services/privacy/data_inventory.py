"""Data inventory: every collection with data of a student, for the summary, the export and the deletion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.i18n import gettext_noop
from services.privacy.class_inventory import CLASS_ITEMS
from services.privacy.inventory_item import UNTIL_DELETED, InventoryItem
from services.privacy.study_inventory import STUDY_ITEMS
from services.storage.store import Store

MATERIALS_RETENTION = gettext_noop("Until you remove the course, disconnect its account, or ask no more for 180 days.")
ANONYMOUS_COLLECTIONS: Mapping[str, str] = {
    "farewells": "A keyed fingerprint of a deleted sign-in, for 31 days: browsers that still know it stay out.",
    "replicas": "The processes of this Homeroom.",
    "rate_limits": "When a limited tool or key was used last, by a fingerprint, until the limit has room again.",
    "assistants": "The assistants that are offered.",
    "classes": "The classes, with their names and codes.",
    "class_assistants": "The assistants of classes, as their instructors have made them.",
    "class_feeds": "Posts of the feeds that assistants of a class follow, as they were last read.",
    "class_figures": "How many students of a class did something in a week, in groups of five or more, rounded.",
    "lti_platforms": "The school systems that may launch Homeroom.",
    "lti_keys": "The keys that Homeroom signs with for them, sealed.",
    "lti_invites": "Registration links that the operator has made, as hashes, for a week.",
    "lti_logins": "Launches that have begun, until their ten minutes are over.",
    "lti_tickets": "Who a launch is for, between one click and the next: minutes, an hour where links are chosen.",
    "lti_courses": "Which class belongs to which course of a school's system.",
    "budgets": "What classes and this Homeroom may spend on answers.",
    "budget_totals": "What classes and this Homeroom have spent on answers, by day and term.",
    "mcp_pins": "The operator's tool servers.",
    "server_uses": "What the operator's tool servers are used for, all students together.",
    "prompts": "Instructions and tool definitions, the same for everybody.",
    "operator_metrics": "How often and how fast Homeroom answered, for whoever runs it, all students together.",
    "tool_usage": "How often tools ran, all students together.",
    "discovery_totals": "What loading tools cost, all students together.",
}
"""Collections in which nobody is named, and what they hold."""


DATA_INVENTORY = (
    InventoryItem(
        collection="students",
        title=gettext_noop("Your account"),
        holds=gettext_noop(
            "Your name and e-mail as your sign-in tells them, your time zone, what you agreed to and when, where you "
            "are signed in, and when you were last here."
        ),
        retention=UNTIL_DELETED,
        field="id",
    ),
    InventoryItem(
        collection="connections",
        title=gettext_noop("Connections"),
        holds=gettext_noop(
            "Which accounts you connected, what Homeroom may do there, what you agreed to and when, how they are "
            "doing, which of their calendars make you busy, and a sealed key to each."
        ),
        retention=gettext_noop("Until you disconnect them."),
        excluded_fields=("sealed", "lease_holder", "lease_until"),
    ),
    InventoryItem(
        collection="revocations",
        title=gettext_noop("Connections that are being ended"),
        holds=gettext_noop("A sealed key that its service has not taken back yet."),
        retention=gettext_noop("Until the service answers, for 30 days at most."),
        excluded_fields=("sealed",),
    ),
    InventoryItem(
        collection="oauth_states",
        title=gettext_noop("Connections you have begun"),
        holds=gettext_noop("What ties the consent page of a service to you, and which accounts you connect after it."),
        retention=gettext_noop("Ten minutes."),
        is_exported=False,
    ),
    InventoryItem(
        collection="conversations",
        title=gettext_noop("Chats"),
        holds=gettext_noop("Their titles, their times, and which assistant answers."),
        retention=gettext_noop("Until you delete the chat."),
    ),
    InventoryItem(
        collection="messages",
        title=gettext_noop("Messages"),
        holds=gettext_noop("What you wrote, what was answered, and what was looked up for it."),
        retention=gettext_noop("Until you delete the chat."),
    ),
    InventoryItem(
        collection="chat_words",
        title=gettext_noop("The search over your chats"),
        holds=gettext_noop("The words of your messages once more, so that a chat is found by any of them."),
        retention=gettext_noop("Until you delete the chat."),
        is_exported=False,
    ),
    InventoryItem(
        collection="summaries",
        title=gettext_noop("What long chats were about"),
        holds=gettext_noop(
            "A short record of the older messages of a long chat, which the assistant reads instead of them."
        ),
        retention=gettext_noop("Until you delete the chat."),
    ),
    InventoryItem(
        collection="files",
        title=gettext_noop("Files"),
        holds=gettext_noop("Names, kinds and sizes of what you attached. The files themselves are in files/."),
        retention=gettext_noop("Until you delete the chat."),
    ),
    InventoryItem(
        collection="file_parts",
        title=gettext_noop("Contents of files"),
        holds=gettext_noop("How the files are stored in pieces, and what the model reads of them."),
        retention=gettext_noop("Until you delete the chat."),
        excluded_fields=("data",),
    ),
    InventoryItem(
        collection="turns",
        title=gettext_noop("Answers"),
        holds=gettext_noop("When each answer began and how it ended."),
        retention=gettext_noop("Until you delete the chat."),
        excluded_fields=("run", "snapshot"),
    ),
    InventoryItem(
        collection="approvals",
        title=gettext_noop("Approvals"),
        holds=gettext_noop("What was proposed to you, what you decided, what became of it, and how to undo it."),
        retention=gettext_noop("Until you delete the chat. What a program or This week proposed: 90 days."),
        excluded_fields=("digest", "resolved_digest"),
    ),
    InventoryItem(
        collection="operations",
        title=gettext_noop("Changes under way"),
        holds=gettext_noop("What a change needs so that it happens once and not twice, even after a crash."),
        retention=gettext_noop("Two days."),
    ),
    InventoryItem(
        collection="activity",
        title=gettext_noop("Activity"),
        holds=gettext_noop("Which service was read or changed in your name, and when. Nothing of what was read."),
        retention=UNTIL_DELETED,
    ),
    InventoryItem(
        collection="tasks",
        title=gettext_noop("Tasks"),
        holds=gettext_noop("Your own task list."),
        retention=gettext_noop("Until you delete the task."),
    ),
    InventoryItem(
        collection="week_notes",
        title=gettext_noop("What your week held"),
        holds=gettext_noop(
            "Your classes, what was due, and what was new in your courses when you or a chat of yours last looked, so "
            "that Today is there at once; and when your work was due, to tell you when a date moves."
        ),
        retention=gettext_noop("A day, or until you look again; due dates 60 days."),
    ),
    InventoryItem(
        collection="course_tones",
        title=gettext_noop("Colours of your courses"),
        holds=gettext_noop("Which colour each course has in your week."),
        retention=UNTIL_DELETED,
    ),
    InventoryItem(
        collection="reminder_preferences",
        title=gettext_noop("Reminder settings"),
        holds=gettext_noop("What you want to be reminded of, how and when, and your quiet hours."),
        retention=UNTIL_DELETED,
    ),
    InventoryItem(
        collection="push_subscriptions",
        title=gettext_noop("Devices for notifications"),
        holds=gettext_noop("The address that each browser gave for notifications, and what seals them for it."),
        retention=gettext_noop("Until you switch them off there, or sign out of it."),
        excluded_fields=("auth", "p256dh", "endpoint", "endpoint_hash"),
    ),
    InventoryItem(
        collection="reminders",
        title=gettext_noop("Reminders"),
        holds=gettext_noop("What you asked to be reminded of, and when."),
        retention=gettext_noop("30 days after their time, or until you delete them."),
    ),
    *STUDY_ITEMS,
    *CLASS_ITEMS,
    InventoryItem(
        collection="deliveries",
        title=gettext_noop("E-mails and notifications that were sent"),
        holds=gettext_noop("What each was about, in a few words, when it went out and how that ended."),
        retention=gettext_noop("30 days."),
    ),
    InventoryItem(
        collection="material_courses",
        title=gettext_noop("Courses in your library"),
        holds=gettext_noop("Which courses you have read from or added files to, and how much of each has been read."),
        retention=MATERIALS_RETENTION,
    ),
    InventoryItem(
        collection="materials",
        title=gettext_noop("Course materials"),
        holds=gettext_noop("Titles, dates and addresses of what your courses offer you, and of your own files."),
        retention=MATERIALS_RETENTION,
    ),
    InventoryItem(
        collection="material_texts",
        title=gettext_noop("Texts of course materials"),
        holds=gettext_noop("What these say, page by page, as you may read it. The texts themselves are in materials/."),
        retention=MATERIALS_RETENTION,
        excluded_fields=("data",),
    ),
    InventoryItem(
        collection="material_indexes",
        title=gettext_noop("The search over your course materials"),
        holds=gettext_noop(
            "The words of these texts once more, and numbers (vectors) that stand for their meaning, so that a page is "
            "found by what it says."
        ),
        retention=MATERIALS_RETENTION,
        is_exported=False,
    ),
    InventoryItem(
        collection="material_uploads",
        title=gettext_noop("Files you added to a course"),
        holds=gettext_noop("How your files are stored in pieces. The files themselves are in materials/."),
        retention=gettext_noop("Until you remove them."),
        excluded_fields=("data",),
    ),
    InventoryItem(
        collection="keys",
        title=gettext_noop("Keys for your own programs"),
        holds=gettext_noop(
            "Their names, what they may do, and when they were last used. Not the keys: only how to know them again."
        ),
        retention=gettext_noop("Until you revoke them."),
        field="student_id",
        excluded_fields=("hash",),
    ),
    InventoryItem(
        collection="context_uses",
        title=gettext_noop("What you use"),
        holds=gettext_noop(
            "How often you used courses, calendar, notes and each of their tools, as numbers. They help to tell what "
            "you mean."
        ),
        retention=UNTIL_DELETED,
    ),
    InventoryItem(
        collection="misses",
        title=gettext_noop("Tools that were found late"),
        holds=gettext_noop(
            'What a message was about whose tool had to be searched for, as ideas such as "remind". Never its words.'
        ),
        retention=gettext_noop("90 days."),
    ),
    InventoryItem(
        collection="discovery_days",
        title=gettext_noop("Usage, by day"),
        holds=gettext_noop(
            "Numbers alone: how often you asked, how much was read and written, and how often each tool was used. "
            "Nothing of what you wrote."
        ),
        retention=gettext_noop("100 days, or until you reset them under Insights."),
    ),
    InventoryItem(
        collection="leases",
        title=gettext_noop("Work under way"),
        holds=gettext_noop("Which answer is being written just now."),
        retention=gettext_noop("Seconds."),
        field="student",
        is_exported=False,
    ),
    InventoryItem(
        collection="departures",
        title=gettext_noop("A deletion under way"),
        holds=gettext_noop("That everything of this account is being deleted. No name, no e-mail: a random number."),
        retention=gettext_noop("Fifteen minutes after the deletion."),
        field="id",
        is_exported=False,
    ),
)


@dataclass(frozen=True, kw_only=True)
class InventoryCount:
    item: InventoryItem
    number: int


def count_inventory(store: Store, student_id: str) -> Sequence[InventoryCount]:
    """Count the documents of every collection of the inventory, in its order, without reading them."""
    return [InventoryCount(item=item, number=item.count(store, student_id)) for item in DATA_INVENTORY]
