"""`Submissions`: messages that are sent with a key of the client's, so that one sent again starts no second turn."""

import hashlib
import json
import time
from collections.abc import Sequence

from services.assistants.assistant import DEFAULT_ASSISTANT
from services.conversations.conversations import Conversations
from services.conversations.turn_records import TurnRecords
from services.errors import (
    DuplicateDocument,
    HomeroomError,
    MessageUnderWay,
    StorageError,
    TurnBusy,
    UsedTooOften,
)
from services.files.upload import Upload
from services.i18n import gettext
from services.identity.students import Student
from services.llm.effort import EffortChoice
from services.storage.leases import Leases
from services.turns.runner import TurnRunner
from services.turns.start import TurnIds
from services.turns.turn import turn_lease

UNDER_WAY_S = 5.0
"""How long a message that is sent again waits for the first time, which stores it in far less."""


class Submissions:
    def __init__(
        self, *, turns: TurnRunner, conversations: Conversations, records: TurnRecords, leases: Leases
    ) -> None:
        self._turns = turns
        self._conversations = conversations
        self._records = records
        self._leases = leases

    def submit(
        self,
        student: Student,
        text: str,
        files: Sequence[Upload] = (),
        *,
        key: str,
        conversation_id: str | None = None,
        assistant: str = DEFAULT_ASSISTANT,
        effort: EffortChoice = None,
    ) -> TurnIds:
        """Start a turn once for each `key`: the same key again returns the ids of the first time, and stores nothing.

        student: read just now. conversation_id: None for a new chat, which takes `assistant` and `effort`.
        Raises what `TurnRunner.start_chat` and `start_turn` raise, and `MessageUnderWay` while what an earlier try has
        left can neither be taken as stored nor taken away.
        """
        ids = _ids_of(student.id, conversation_id, key)
        # A new chat without files is one write, which fails when the first time did it already; in a chat that is there
        # the message is looked for before anything is done. Files would be read first.
        if files and self._is_stored(student.id, ids):
            return ids

        def begin() -> None:
            if conversation_id is None:
                self._turns.begin_chat(student, text, files, assistant=assistant, effort=effort, ids=ids)
            else:
                self._turns.begin_turn(student, conversation_id, text, files, turn_id=ids.turn_id)

        for is_last in (False, True):
            try:
                begin()
            except (TurnBusy, UsedTooOften, DuplicateDocument) as refusal:
                if self._is_submitted(student.id, ids):
                    return ids
                if not isinstance(refusal, DuplicateDocument) and not self._is_left_over(student.id, ids):
                    raise
                if is_last:
                    raise MessageUnderWay(gettext("Homeroom is still taking your message in.")) from refusal
            except StorageError:
                raise
            except HomeroomError:
                # What is refused now may have been stored before, such as under a budget that it has used up.
                if self._is_stored(student.id, ids):
                    return ids
                raise
            else:
                break
        return ids

    def _is_left_over(self, student_id: str, ids: TurnIds) -> bool:
        """Whether a try of this very message holds the chat, and has not stored it."""
        return self._leases.is_held(turn_lease(student_id, ids.conversation_id, turn_id=ids.turn_id, run=""))

    def _is_submitted(self, student_id: str, ids: TurnIds) -> bool:
        """Whether the first time has stored the message; waited for while it is under way, as it has the lease then.

        The lease alone proves nothing: its process may have died before the message was stored.
        """
        lease = turn_lease(student_id, ids.conversation_id, turn_id=ids.turn_id, run="")
        until = time.monotonic() + UNDER_WAY_S
        while not self._is_stored(student_id, ids):
            self._turns.recover_chat(student_id, ids.conversation_id)
            if time.monotonic() > until or not self._leases.is_held(lease):
                return self._is_stored(student_id, ids)
            time.sleep(UNDER_WAY_S / 50)
        return True

    def _is_stored(self, student_id: str, ids: TurnIds) -> bool:
        """Whether all of the message is stored. Of a new chat the chat itself comes last: recovery deletes what a dead
        process has left of one that is not there.
        """
        is_recorded = self._records.get(student_id, ids.turn_id) is not None
        return is_recorded and self._conversations.is_empty(student_id, ids.conversation_id) is not None


def _ids_of(student_id: str, conversation_id: str | None, key: str) -> TurnIds:
    """Derive the ids from the key, so that nothing else must be stored to know a submission again."""
    whole = json.dumps([student_id, conversation_id, key])
    digest = hashlib.sha256(f"homeroom/submission/{whole}".encode()).hexdigest()
    return TurnIds(conversation_id=conversation_id or digest[:24], turn_id=digest[24:48])
