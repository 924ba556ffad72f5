"""Message threads: conversations that the API holds for five minutes, so that a request sends only what is new.

https://platform.claude.com/docs/en/build-with-claude/message-threads
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sandbox.model.blocks import check_keys, check_messages, check_type
from sandbox.model.errors import refusal
from sandbox.model.reply import Reply
from sandbox.state import State

BETA = "message-threads-2026-08-12"
KIND = "anthropic.threads"
LIFETIME_S = 300
CREATE_ONLY = ("system", "tools")
"""A thread keeps these from the request that created it."""


class MessageThreads:
    """Held conversations by key and the id of their last answer, kept in the campus's state."""

    def __init__(self, state: State) -> None:
        self._state = state

    def whole_request(
        self, body: Mapping[str, Any], betas: Collection[str], *, key: str, now: datetime
    ) -> dict[str, Any]:
        """The request with all that its thread holds; raises a refusal when it cannot go on."""
        whole = {name: value for name, value in body.items() if name != "thread" or BETA not in betas}
        thread = body.get("thread") if BETA in betas else None
        if thread is None or thread == {"type": "create"}:
            return whole
        previous = _previous_message(thread)
        check_messages(body.get("messages"))
        for name in CREATE_ONLY:
            if name in body:
                raise refusal(f"{name}: a request that continues a thread takes this from the thread")
        with self._state.transaction():
            held = self._state.get(KIND, previous)
            if held is None or held["key"] != key or held["until"] < now.timestamp():
                words = f"No thread was found for previous_message_id '{previous}'"
                raise refusal(words, "not_found_error", details="thread_not_found")
            if held["is_continued"]:
                raise refusal(
                    f"The response '{previous}' has already been continued", details="thread_already_continued"
                )
            self._state.put(KIND, previous, {**held, "is_continued": True})
        return {**whole, **held["kept"], "messages": [*held["messages"], *body["messages"]]}

    def hold(self, body: Mapping[str, Any], whole: Mapping[str, Any], reply: Reply, message_id: str, **of: Any) -> None:
        """Hold the conversation with its answer under the answer's id. of: `key` and `now`."""
        if "thread" not in body or not reply.blocks:
            return
        for thread in self._state.all(KIND):
            if thread["until"] < of["now"].timestamp():
                self._state.delete(KIND, thread["id"])
        answer = {"role": "assistant", "content": [block.finished() for block in reply.blocks]}
        held = {
            "id": message_id,
            "key": of["key"],
            "until": of["now"].timestamp() + LIFETIME_S,
            "is_continued": False,
            "kept": {name: whole[name] for name in CREATE_ONLY if name in whole},
            "messages": [*whole["messages"], answer],
        }
        self._state.put(KIND, message_id, held)


def _previous_message(thread: Any) -> str:
    check_type("thread", thread, dict)
    if thread.get("type") != "continue":
        raise refusal(
            f"thread: Input tag '{thread.get('type')}' found using 'type' does not match any of the expected tags"
        )
    check_keys("thread.continue.", thread, {"type", "previous_message_id"})
    if "previous_message_id" not in thread:
        raise refusal("thread.continue.previous_message_id: Field required")
    check_type("thread.continue.previous_message_id", thread["previous_message_id"], str)
    previous: str = thread["previous_message_id"]
    return previous
