"""Allowed keys of each part of a request, as the SDK's types name them; a test holds the two together."""

from typing import Any

TOP_LEVEL = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "stream", "stop_sequences", "metadata",
    "thinking", "cache_control", "service_tier", "output_config", "container", "diagnostics", "inference_geo", "speed",
}  # fmt: skip
COUNT_TOKENS = {
    "model", "messages", "system", "tools", "tool_choice", "thinking", "cache_control", "output_config", "speed",
}  # fmt: skip
MESSAGE = {"role", "content"}
BETAS = {
    "mid-conversation-tool-changes-2026-07-01", "inline-tools-2026-09-15", "cache-diagnosis-2026-04-07",
    "message-threads-2026-08-12",
    "prompt-caching-2024-07-31", "extended-cache-ttl-2025-04-11", "token-counting-2024-11-01",
}  # fmt: skip
TOOL = {
    "name", "description", "input_schema", "type", "cache_control", "strict", "defer_loading", "input_examples",
    "allowed_callers", "eager_input_streaming",
}  # fmt: skip
TOOL_CHOICES = {
    "auto": {"type", "disable_parallel_tool_use"},
    "any": {"type", "disable_parallel_tool_use"},
    "tool": {"type", "name", "disable_parallel_tool_use"},
    "none": {"type"},
}
THINKING = {
    "adaptive": {"type", "display"},
    "disabled": {"type"},
    "enabled": {"type", "budget_tokens", "display"},
    "between_tools": {"type"},
}
# The required keys of each block with the type of their values, then the optional keys.
BLOCKS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "text": ({"text": str}, {"cache_control", "citations"}),
    "image": ({"source": dict}, {"cache_control", "transformations"}),
    "document": ({"source": dict}, {"cache_control", "citations", "context", "title"}),
    "search_result": ({"content": list, "source": str, "title": str}, {"cache_control", "citations"}),
    "thinking": ({"signature": str, "thinking": str}, set()),
    "redacted_thinking": ({"data": str}, set()),
    "tool_use": ({"id": str, "name": str, "input": dict}, {"cache_control", "caller", "toolset_name"}),
    "tool_result": ({"tool_use_id": str}, {"cache_control", "content", "is_error", "toolset_name"}),
    "tool_reference": ({"tool_name": str}, {"cache_control"}),
    "tool_addition": ({"tool": dict}, {"cache_control"}),
    "tool_removal": ({"tool": dict}, {"cache_control"}),
}
IN_SYSTEM = {"text"}
IN_SYSTEM_MESSAGE = {"text", "tool_addition", "tool_removal"}
IN_USER = {"text", "image", "document", "search_result", "tool_result"}
IN_ASSISTANT = {"text", "thinking", "redacted_thinking", "tool_use"}
IN_TOOL_RESULT = {"text", "image", "document", "search_result", "tool_reference"}

# How many tokens each model may write in one answer.
MODELS = {"claude-haiku-5-5": 64_000, "claude-sonnet-5-5": 64_000, "claude-opus-5-5": 64_000}
CONTEXT_WINDOW = 200_000
