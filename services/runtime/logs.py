"""Logging: lines of an event name and fields, redacted; where an error was raised, without its text."""

import json
import logging
import re
import traceback
from collections.abc import Iterable
from datetime import UTC, datetime

from services.settings import Settings

REDACTED = "***"
_OURS = ("services", "api")
_MOST_CAUSES = 5
_LINE = "%(asctime)s %(levelname)s %(name)s %(message)s"
_EVENT = re.compile(r"[a-z][a-z0-9_]*")
_SECRETS = re.compile(
    r"(?i)(bearer\s+|(?<!\w)(?:access_token|refresh_token|client_secret|api_key|code|state|token)[\"']?\s*[=:]\s*[\"']?)"
    r"[^\s&\"',;]+"
)
_NAMED_CODE = re.compile(
    r"([a-z][a-z0-9]*(?:_[a-z0-9]+)+(?: [a-z_]+=\S+)*) code=([a-z]+(?:_[a-z]+)*|[0-9]{1,3})(?: [a-z_]+=\S+)*"
)
_HIDDEN_CODE = re.compile(rf"( code=){re.escape(REDACTED)}(?!\S)")
_KEYS = re.compile(r"\b(?:sk-ant|secret_|ntn_|hr_|ya29\.|1//)[\w\-./]{8,}")


class Redaction(logging.Filter):
    """Log filter that takes secrets out of a record as it will be printed, and of an exception all but its places.

    A code that our own lines name, such as why a launch was refused, is a few words or a number, and no secret.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        self._secrets = tuple(secret for secret in secrets if len(secret) >= 8)

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self.redacted(record.getMessage()), None
        if record.exc_info:
            record.exc_text = self.redacted(trace_without_words(record.exc_info[1]))
        return True

    def redacted(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, REDACTED)
        hidden = _KEYS.sub(REDACTED, _SECRETS.sub(rf"\1{REDACTED}", text))
        named = _NAMED_CODE.fullmatch(text)
        return hidden if named is None else _HIDDEN_CODE.sub(rf"\g<1>{named[2]}", hidden, count=1)


class JsonLines(logging.Formatter):
    """A JSON object on a line for each record: time, level, logger, event, and the event's fields by their names.

    The redaction has gone over the record before. An error stands in it with the place where it was raised. Of what a
    library writes there is the first line: the others may quote what it worked on.
    """

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        if record.name.partition(".")[0] not in _OURS:
            message = message.partition("\n")[0]
        event, *rest = message.split(" ")
        pairs = [word.partition("=") for word in rest]
        written = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        is_event = bool(_EVENT.fullmatch(event)) and all(between for _, between, _ in pairs)
        found = {"event": event, **{name: value for name, _, value in pairs}} if is_event else {"message": message}
        trace = {"trace": record.exc_text} if record.exc_text else {}
        return json.dumps({**found, **trace, **written}, ensure_ascii=False)


def configure(settings: Settings) -> None:
    """Log our own events from INFO, everybody else's from WARNING, all of it redacted. Safe to repeat."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if settings.operations.log_format == "json" else logging.Formatter(_LINE))
    handler.addFilter(Redaction(secrets_of(settings)))
    for room in _OURS:
        ours = logging.getLogger(room)
        ours.handlers, ours.propagate = [handler], False
        ours.setLevel(logging.INFO)
    # Client libraries write addresses, and with them codes and tokens, at INFO.
    for name in ("httpx", "httpx2", "anthropic", "notion_client", "canvasapi", "urllib3", "googleapiclient"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # The MCP library writes whole messages, and tracebacks of what hostile servers and clients send.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)


def secrets_of(settings: Settings) -> list[str]:
    demo_key = "demo"
    found = [settings.cookie_secret, settings.anthropic_api_key, settings.oidc_client_secret, *settings.vault_keys]
    named = [value for name, value in settings.environment.items() if name.endswith(("_SECRET", "_KEY", "_TOKEN"))]
    uri = [settings.mongodb_uri] if settings.mongodb_uri else []
    return [secret for secret in (*found, *named, *uri) if secret and secret != demo_key]


def trace_without_words(error: BaseException | None) -> str:
    """The places of an error and of those that led to it, with their types: their texts may hold a student's words."""
    parts: list[str] = []
    while error is not None and len(parts) < _MOST_CAUSES:
        frames = traceback.extract_tb(error.__traceback__)
        places = [f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}' for frame in frames]
        parts.insert(0, "\n".join(["Traceback (most recent call last):", *places, type(error).__name__]))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n".join(parts)


def error_location(error: Exception) -> str:
    """The type of an error and where it was raised: enough to find it, without the text it may carry."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__}@{where}"
