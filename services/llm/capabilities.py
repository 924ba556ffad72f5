"""Capabilities of each model: context window, output limit, thinking and effort, by the prefix of its name."""

from dataclasses import dataclass

UNKNOWN_WINDOW = 200_000
TOOL_CHANGES_BETA = "mid-conversation-tool-changes-2026-07-01"
"""https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages#mid-conversation-tool-changes"""


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """Limits and features of a model. window: tokens that it reads and writes in one request. most_output: those that
    it may write. surcharge_from: tokens of a prompt from which on every token costs several times as much, else 0.
    thinks: takes `thinking: {"type": "adaptive"}`. takes_effort: takes `output_config.effort`.
    """

    window: int = UNKNOWN_WINDOW
    most_output: int = 8_192
    surcharge_from: int = 0
    thinks: bool = False
    takes_effort: bool = False


_NEWEST = Capabilities(window=1_000_000, most_output=64_000, thinks=True, takes_effort=True)
_MODELS: tuple[tuple[str, Capabilities], ...] = (
    (
        "claude-haiku-5-5",
        Capabilities(window=1_000_000, most_output=64_000, surcharge_from=100_000, thinks=True, takes_effort=True),
    ),
    *((f"claude-{line}-5", _NEWEST) for line in ("haiku", "sonnet", "opus", "fable", "mythos")),
    *((f"claude-{name}", _NEWEST) for name in ("opus-4-8", "opus-4-7", "opus-4-6", "sonnet-4-6")),
    ("claude-", Capabilities(most_output=32_000)),
)
"""https://platform.claude.com/docs/en/about-claude/models/overview (November 2026); the first match counts. What
a gateway refuses all the same is learned from its answers (`AnthropicModel`)."""


def capabilities_of(model: str) -> Capabilities:
    """Look up a model; an unknown one gets the least that every model of the last years takes."""
    return next((found for prefix, found in _MODELS if model.startswith(prefix)), Capabilities())
