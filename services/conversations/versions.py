"""Versions of a chat: each edit of a question, and each further answer to it, is a conversation that shares what was
said before; one of them is the one in the list of chats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.storage.documents import Document
from services.storage.store import StudentDocuments

COLLECTION = "conversations"
_ALIVE = {"is_empty": False, "deleted_at": None}


@dataclass(frozen=True, kw_only=True)
class QuestionVersions:
    """Versions of one question, the oldest first. ids: the conversation to open for each. current: place of the one
    that is shown.
    """

    ids: Sequence[str]
    current: int


@dataclass(frozen=True, kw_only=True)
class _Branch:
    """Conversation of the tree. source: the one that it shares the messages before `seq` with; None for the first."""

    id: str
    source: "_Branch | None"
    seq: int
    updated_at: str

    def owner(self, seq: int) -> "_Branch":
        """The branch whose own message stands at `seq` here."""
        return self if self.source is None or seq >= self.seq else self.source.owner(seq)

    def fork(self, seq: int) -> "_Branch":
        """The branch from which all versions of the question at `seq` have gone out."""
        return self if self.source is None or seq > self.seq else self.source.fork(seq)


def version_ids(mine: StudentDocuments, conversation_id: str) -> list[str]:
    """Ids of all versions of a chat, itself the last: what happens to the whole chat happens to these."""
    found = mine.get(COLLECTION, conversation_id) or {}
    thread = found.get("thread_id")
    others = mine.find(COLLECTION, {"thread_id": thread}) if thread else []
    return [*(other["id"] for other in others if other["id"] != conversation_id), conversation_id]


def question_versions(mine: StudentDocuments, conversation_id: str, thread_id: str) -> Mapping[int, QuestionVersions]:
    """Versions of each question of a conversation that has several, by the question's `seq`."""
    documents = mine.find(COLLECTION, {"thread_id": thread_id, **_ALIVE}, order=[("created_at", 1)])
    branches = _tree(documents)
    if (shown := branches.get(conversation_id)) is None:
        return {}
    forks = {
        branch.seq
        for branch in branches.values()
        if branch.source and shown.fork(branch.seq) == branch.fork(branch.seq)
    }
    return {seq: _versions_at(seq, shown, branches) for seq in sorted(forks)}


def _versions_at(seq: int, shown: _Branch, branches: Mapping[str, _Branch]) -> QuestionVersions:
    """Each version leads to the branch with it that went on last."""
    leads: dict[str, _Branch] = {}
    among = [branch for branch in branches.values() if branch.fork(seq) == shown.fork(seq)]
    for branch in among:
        owner = branch.owner(seq)
        before = leads.get(owner.id)
        leads[owner.id] = branch if before is None or branch.updated_at > before.updated_at else before
    ids = [leads[id].id for id in branches if id in leads]
    return QuestionVersions(ids=ids, current=ids.index(leads[shown.owner(seq).id].id))


def _tree(documents: Sequence[Document]) -> dict[str, _Branch]:
    """Branches by id, in the order of their documents; one whose source is gone stands alone."""
    by_id = {document["id"]: document for document in documents}

    def branch(id: str | None) -> _Branch | None:
        if id is None or (document := by_id.get(id)) is None:
            return None
        source, seq = branch(document.get("branch_of")), document.get("branch_seq", 0)
        return _Branch(id=document["id"], source=source, seq=seq, updated_at=document["updated_at"])

    return {id: found for id in by_id if (found := branch(id)) is not None}
