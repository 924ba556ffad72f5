"""Everything that Homeroom keeps of a student, as one list: what is told, exported and deleted goes by it alone."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.language import to_say
from services.storage.documents import Document
from services.storage.store import Store

UNTIL_DELETED = to_say("Until you delete everything.")


@dataclass(frozen=True, kw_only=True)
class Kept:
    """One collection, in words for the student.

    field: of a collection that is shared, the field that names the student; None for one that is owned.
    hides: fields that no export holds: secrets, hashes of secrets, and marks that only Homeroom's processes read.
    is_exported: False for what says nothing that is not elsewhere, and for marks that exist for minutes.
    """

    collection: str
    title: str
    holds: str
    lasts: str
    field: str | None = None
    hides: tuple[str, ...] = ()
    is_exported: bool = True

    def documents(self, store: Store, student_id: str) -> list[Document]:
        """The student's documents as they are stored."""
        if self.field is None:
            return store.of(student_id).find(self.collection, {})
        return store.shared.find(self.collection, {self.field: student_id})

    def count(self, store: Store, student_id: str) -> int:
        """How many documents of the student's there are."""
        if self.field is None:
            return store.of(student_id).count(self.collection, {})
        return store.shared.count(self.collection, {self.field: student_id})


KEPT = (
    Kept(
        collection="students",
        title=to_say("Your account"),
        holds=to_say("Your name and e-mail as your sign-in tells them, your time zone, and where you are signed in."),
        lasts=UNTIL_DELETED,
        field="id",
    ),
    Kept(
        collection="connections",
        title=to_say("Connections"),
        holds=to_say(
            "Which accounts you connected, what Homeroom may do there, how they are doing, and a sealed key to each."
        ),
        lasts=to_say("Until you disconnect them."),
        hides=("sealed", "lease_holder", "lease_until"),
    ),
    Kept(
        collection="revocations",
        title=to_say("Connections that are being ended"),
        holds=to_say("A sealed key that its service has not taken back yet."),
        lasts=to_say("Until the service answers, for 30 days at most."),
        hides=("sealed",),
    ),
    Kept(
        collection="oauth_states",
        title=to_say("Connections you have begun"),
        holds=to_say("What ties the consent page of a service to you."),
        lasts=to_say("Ten minutes."),
        is_exported=False,
    ),
    Kept(
        collection="conversations",
        title=to_say("Chats"),
        holds=to_say("Their titles, their times, and which assistant answers."),
        lasts=to_say("Until you delete the chat."),
    ),
    Kept(
        collection="messages",
        title=to_say("Messages"),
        holds=to_say("What you wrote, what was answered, and what was looked up for it."),
        lasts=to_say("Until you delete the chat."),
    ),
    Kept(
        collection="chat_words",
        title=to_say("The search over your chats"),
        holds=to_say("The words of your messages once more, so that a chat is found by any of them."),
        lasts=to_say("Until you delete the chat."),
        is_exported=False,
    ),
    Kept(
        collection="summaries",
        title=to_say("What long chats were about"),
        holds=to_say("A short record of the older messages of a long chat, which the assistant reads instead of them."),
        lasts=to_say("Until you delete the chat."),
    ),
    Kept(
        collection="files",
        title=to_say("Files"),
        holds=to_say("Names, kinds and sizes of what you attached. The files themselves are in files/."),
        lasts=to_say("Until you delete the chat."),
    ),
    Kept(
        collection="file_parts",
        title=to_say("Contents of files"),
        holds=to_say("How the files are stored in pieces, and what the model reads of them."),
        lasts=to_say("Until you delete the chat."),
        hides=("data",),
    ),
    Kept(
        collection="turns",
        title=to_say("Answers"),
        holds=to_say("When each answer began and how it ended."),
        lasts=to_say("Until you delete the chat."),
        hides=("run", "snapshot"),
    ),
    Kept(
        collection="approvals",
        title=to_say("Approvals"),
        holds=to_say("What was proposed to you, what you decided, what became of it, and how to undo it."),
        lasts=to_say("Until you delete the chat. What a program or This week proposed: 90 days."),
        hides=("digest",),
    ),
    Kept(
        collection="operations",
        title=to_say("Changes under way"),
        holds=to_say("What a change needs so that it happens once and not twice, even after a crash."),
        lasts=to_say("Two days."),
    ),
    Kept(
        collection="activity",
        title=to_say("Activity"),
        holds=to_say("Which service was read or changed in your name, and when. Nothing of what was read."),
        lasts=UNTIL_DELETED,
    ),
    Kept(
        collection="tasks",
        title=to_say("Tasks"),
        holds=to_say("Your own task list."),
        lasts=to_say("Until you delete the task."),
    ),
    Kept(
        collection="week_notes",
        title=to_say("What your week held"),
        holds=to_say("What was due when you or a chat of yours last looked, so that the next chat suggests what fits."),
        lasts=to_say("A day, or until you look again."),
    ),
    Kept(
        collection="keys",
        title=to_say("Keys for your own programs"),
        holds=to_say(
            "Their names, what they may do, and when they were last used. Not the keys: only how to know them again."
        ),
        lasts=to_say("Until you revoke them."),
        field="student_id",
        hides=("hash",),
    ),
    Kept(
        collection="context_uses",
        title=to_say("What you use"),
        holds=to_say(
            "How often you used courses, calendar, notes and so on, as numbers. They help to tell what you mean."
        ),
        lasts=UNTIL_DELETED,
    ),
    Kept(
        collection="misses",
        title=to_say("Tools that were found late"),
        holds=to_say(
            'What a message was about whose tool had to be searched for, as ideas such as "remind". Never its words.'
        ),
        lasts=to_say("90 days."),
    ),
    Kept(
        collection="discovery_days",
        title=to_say("Usage, by day"),
        holds=to_say("Numbers alone: turns, tokens, and how often each tool was used. Nothing of what you wrote."),
        lasts=to_say("100 days, or until you reset them under Insights."),
    ),
    Kept(
        collection="leases",
        title=to_say("Work under way"),
        holds=to_say("Which answer is being written just now."),
        lasts=to_say("Seconds."),
        field="student",
        is_exported=False,
    ),
    Kept(
        collection="departures",
        title=to_say("A deletion under way"),
        holds=to_say("That everything of this account is being deleted. No name, no e-mail: a random number."),
        lasts=to_say("Fifteen minutes after the deletion."),
        field="id",
        is_exported=False,
    ),
)

NOBODYS: Mapping[str, str] = {
    "farewells": "A keyed fingerprint of a deleted sign-in, for 31 days: browsers that still know it stay out.",
    "replicas": "The processes of this Homeroom.",
    "assistants": "The assistants that are offered.",
    "mcp_pins": "The operator's tool servers.",
    "server_uses": "What the operator's tool servers are used for, all students together.",
    "prompts": "Instructions and tool definitions, the same for everybody.",
    "tool_usage": "How often tools ran, all students together.",
    "discovery_totals": "What loading tools cost, all students together.",
}
"""Collections in which nobody is named, and what they hold."""
