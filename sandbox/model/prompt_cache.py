"""Prompt cache: which prefixes a key has had cached, and what a request reads from it and writes to it."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sandbox.model.token_count import Piece, prompt_pieces
from sandbox.state import State

KIND = "anthropic.cache"
LEAST_TOKENS = 1024
"""A shorter prefix is not cached, and nothing says so: as in the real API."""
LOOK_BACK = 20
"""How many blocks before a breakpoint the API looks for an earlier entry."""
SWEEP_EVERY = 200


class PromptCache:
    """Cached prefixes by key and model, five minutes (or an hour) from their last use, kept in the campus's state."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._writes = 0

    def meet(self, body: Mapping[str, Any], *, key: str, now: datetime) -> dict[str, int]:
        """The input side of `usage` for this request; remembers its breakpoints for the next."""
        pieces = prompt_pieces(body)
        prefixes = _prefixes(pieces, seed=f"{key}|{body['model']}")
        totals = _totals(pieces)
        marked = [at for at, piece in enumerate(pieces) if piece.is_breakpoint and totals[at] >= LEAST_TOKENS]
        hit = self._longest_hit(prefixes, totals, marked, now)
        for at in marked:
            self._remember(prefixes[at], now, pieces[at].ttl_s)
        read = totals[hit] if hit is not None else 0
        covered = totals[marked[-1]] if marked else 0
        return {
            "input_tokens": totals[-1] - max(covered, read),
            "cache_creation_input_tokens": max(0, covered - read),
            "cache_read_input_tokens": read,
        }

    def _longest_hit(
        self, prefixes: Sequence[str], totals: Sequence[int], marked: Sequence[int], now: datetime
    ) -> int | None:
        looked_at: set[int] = set()
        for breakpoint_at in reversed(marked):
            for at in range(breakpoint_at, max(-1, breakpoint_at - LOOK_BACK - 1), -1):
                if at in looked_at or totals[at] < LEAST_TOKENS:
                    continue
                looked_at.add(at)
                if self._is_fresh(prefixes[at], now):
                    return at
        return None

    def _is_fresh(self, prefix: str, now: datetime) -> bool:
        entry = self._state.get(KIND, prefix)
        if entry is None or entry["until"] < now.timestamp():
            return False
        self._state.put(KIND, prefix, {**entry, "until": now.timestamp() + entry["ttl_s"]})
        return True

    def _remember(self, prefix: str, now: datetime, ttl_s: int) -> None:
        self._state.put(KIND, prefix, {"id": prefix, "ttl_s": ttl_s, "until": now.timestamp() + ttl_s})
        self._writes += 1
        if self._writes % SWEEP_EVERY == 0:
            for entry in self._state.all(KIND):
                if entry["until"] < now.timestamp():
                    self._state.delete(KIND, entry["id"])


def _prefixes(pieces: Sequence[Piece], *, seed: str) -> list[str]:
    running, found = hashlib.sha256(seed.encode()), []
    for piece in pieces:
        running.update(b"\x00" + piece.text.encode())
        found.append(running.hexdigest()[:32])
    return found


def _totals(pieces: Sequence[Piece]) -> list[int]:
    total, totals = 0, []
    for piece in pieces:
        total += piece.tokens
        totals.append(total)
    return totals
