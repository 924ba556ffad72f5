"""Collections of the database, with their indexes: the data model on one page."""

from services.storage.documents import Collection

COLLECTIONS = (
    Collection(name="students", owned=False, unique=(("issuer", "subject"),)),
    Collection(name="departures", owned=False, indexes=(("next_at",),)),
    Collection(name="farewells", owned=False, expires="expires_at"),
    Collection(name="keys", owned=False, unique=(("hash",),), indexes=(("student_id",),)),
    Collection(name="leases", owned=False),
    Collection(name="replicas", owned=False, expires="expires_at"),
    Collection(name="rate_limits", owned=False, expires="expires_at"),
    Collection(name="assistants", owned=False),
    Collection(name="mcp_pins", owned=False, indexes=(("server",), ("changed_fingerprint",))),
    Collection(name="prompts", owned=False, expires="expires_at"),
    Collection(name="tool_usage", owned=False, indexes=(("day",),), expires="kept_until"),
    Collection(name="discovery_totals", owned=False, indexes=(("day",),), expires="kept_until"),
    Collection(name="server_uses", owned=False),
    Collection(name="context_uses"),
    Collection(name="misses", expires="kept_until"),
    Collection(name="discovery_days", indexes=(("day",),), expires="kept_until"),
    Collection(name="oauth_states", expires="expires_at"),
    Collection(name="connections"),
    Collection(name="revocations", across=(("next_at",),), expires="expires_at"),
    Collection(name="conversations", indexes=(("pinned", "updated_at"),), across=(("deleted_at",), ("changed_at",))),
    Collection(name="chat_words", indexes=(("conversation_id", "from_seq"),), of_conversation=True),
    Collection(name="messages", unique=(("conversation_id", "seq"),), of_conversation=True),
    Collection(name="summaries", indexes=(("conversation_id", "last_seq"),), of_conversation=True),
    Collection(name="files", indexes=(("conversation_id",),), of_conversation=True),
    Collection(name="file_parts", unique=(("conversation_id", "file_id", "what", "number"),), of_conversation=True),
    Collection(name="turns", indexes=(("conversation_id", "started_at"),), across=(("status",),), of_conversation=True),
    Collection(
        name="approvals",
        indexes=(("conversation_id", "status"),),
        across=(("status",),),
        expires="kept_until",
        of_conversation=True,
    ),
    Collection(name="operations", expires="expires_at"),
    Collection(name="activity", indexes=(("at",),)),
    Collection(name="tasks", indexes=(("due_at",),)),
    Collection(name="week_notes", expires="expires_at"),
    Collection(name="reminder_preferences", across=(("next_look_at",),)),
    Collection(name="push_subscriptions", across=(("endpoint_hash",),)),
    Collection(name="reminders", indexes=(("remind_at",),), across=(("due_at",),), expires="kept_until"),
    Collection(name="deliveries", indexes=(("at",),), across=(("status",),), expires="kept_until"),
)
OF_CONVERSATION = tuple(collection.name for collection in COLLECTIONS if collection.of_conversation)
"""Collections whose documents are deleted together with a chat."""
