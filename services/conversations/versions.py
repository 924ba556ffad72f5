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
    """Conversation of the tree. source: id of the one that it shares the messages before `seq` with; "" for none."""

    id: str
    source: str
    seq: int
    updated_at: str


class _Tree:
    """Branches of a chat by id, in the order of their documents; one whose source is gone stands alone.

    A chat whose questions were asked anew hundreds of times, each version from the last, is a chain as long.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.branches = {
            document["id"]: _Branch(
                id=document["id"],
                source=document.get("branch_of") or "",
                seq=document.get("branch_seq", 0),
                updated_at=document["updated_at"],
            )
            for document in documents
        }

    def owner(self, branch: _Branch, seq: int) -> str:
        """Id of the branch whose own message stands at `seq` of this one."""
        while seq < branch.seq and (source := self.branches.get(branch.source)):
            branch = source
        return branch.id

    def fork(self, branch: _Branch, seq: int) -> str:
        """Id of the branch from which all versions of the question at `seq` have gone out."""
        while seq <= branch.seq and (source := self.branches.get(branch.source)):
            branch = source
        return branch.id


def version_ids(mine: StudentDocuments, conversation_id: str) -> list[str]:
    """Ids of all versions of a chat, itself the last: what happens to the whole chat happens to these."""
    found = mine.get(COLLECTION, conversation_id) or {}
    thread = found.get("thread_id")
    others = mine.find(COLLECTION, {"thread_id": thread}) if thread else []
    return [*(other["id"] for other in others if other["id"] != conversation_id), conversation_id]


def question_versions(mine: StudentDocuments, conversation_id: str, thread_id: str) -> Mapping[int, QuestionVersions]:
    """Versions of each question of a conversation that has several, by the question's `seq`."""
    tree = _Tree(mine.find(COLLECTION, {"thread_id": thread_id, **_ALIVE}, order=[("created_at", 1)]))
    if (shown := tree.branches.get(conversation_id)) is None:
        return {}
    forks = {
        branch.seq
        for branch in tree.branches.values()
        if branch.source in tree.branches and tree.fork(shown, branch.seq) == tree.fork(branch, branch.seq)
    }
    return {seq: _versions_at(seq, shown, tree) for seq in sorted(forks)}


def _versions_at(seq: int, shown: _Branch, tree: _Tree) -> QuestionVersions:
    """Each version leads to the branch with it that went on last."""
    leads: dict[str, _Branch] = {}
    fork = tree.fork(shown, seq)
    for branch in tree.branches.values():
        if tree.fork(branch, seq) == fork:
            owner = tree.owner(branch, seq)
            before = leads.get(owner)
            leads[owner] = branch if before is None or branch.updated_at > before.updated_at else before
    ids = [leads[id].id for id in tree.branches if id in leads]
    return QuestionVersions(ids=ids, current=ids.index(leads[tree.owner(shown, seq)].id))
