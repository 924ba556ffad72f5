"""What each model can take: one table, by the beginning of its name."""

from dataclasses import dataclass

UNKNOWN_WINDOW = 200_000


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """window: tokens that the model reads and writes in one request. most_output: of those, what it may write.

    dear_from: tokens of a prompt from which on every token costs several times as much, 0 when none do.
    thinks: takes `thinking: {"type": "adaptive"}`. weighs_effort: takes `output_config.effort`.
    """

    window: int = UNKNOWN_WINDOW
    most_output: int = 8_192
    dear_from: int = 0
    thinks: bool = False
    weighs_effort: bool = False


_NEWEST = Capabilities(window=1_000_000, most_output=64_000, thinks=True, weighs_effort=True)
_MODELS: tuple[tuple[str, Capabilities], ...] = (
    (
        "claude-haiku-5-5",
        Capabilities(window=1_000_000, most_output=64_000, dear_from=100_000, thinks=True, weighs_effort=True),
    ),
    *((f"claude-{line}-5", _NEWEST) for line in ("haiku", "sonnet", "opus", "fable", "mythos")),
    *((f"claude-{name}", _NEWEST) for name in ("opus-4-8", "opus-4-7", "opus-4-6", "sonnet-4-6")),
    ("claude-", Capabilities(most_output=32_000)),
)
"""https://platform.claude.com/docs/en/about-claude/models/overview (November 2026); the first that fits counts. What a
gateway refuses all the same is found out by asking (`AnthropicModel`)."""


def capabilities_of(model: str) -> Capabilities:
    """What a model takes; for one that nobody here knows, the least that every model of the last years takes."""
    return next((found for beginning, found in _MODELS if model.startswith(beginning)), Capabilities())
