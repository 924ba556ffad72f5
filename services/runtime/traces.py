"""Traces: spans of OpenTelemetry around turns, requests to the model and calls of tools; none unless they are set up.

A span holds names and kinds from the code and the settings: never words, ids or addresses of a student.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from services.errors import SettingsError
from services.settings import Settings
from services.settings.operations import TRACES as SETTING

_SCOPE = "homeroom"


class Traces:
    """Spans of this process. Where nothing is set up, nothing is loaded and a span costs nothing."""

    def __init__(self) -> None:
        self._tracer: Any = None

    def configure(self, settings: Settings) -> None:
        """Send spans by OTLP over HTTP to the address of the settings, if there is one; safe to repeat.

        Raises `SettingsError` where the packages for it are not installed.
        """
        if not settings.operations.traces_url or self._tracer is not None:
            return
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError:
            step = "Run `.venv/bin/python -m pip install -r requirements-traces.txt`, or take the setting out."
            raise SettingsError(SETTING, "is set, but OpenTelemetry is not installed.", next_step=step) from None
        exporter = OTLPSpanExporter(endpoint=f"{settings.operations.traces_url}/v1/traces")
        self.send_to(BatchSpanProcessor(exporter))

    def send_to(self, processor: Any) -> None:
        """Give every span to this processor of the SDK."""
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider

        # Not the process's provider: what client libraries would trace holds addresses.
        provider = TracerProvider(resource=Resource({"service.name": _SCOPE}))
        provider.add_span_processor(processor)
        self._tracer = provider.get_tracer(_SCOPE)

    @contextmanager
    def span(self, name: str, **attributes: str) -> Iterator[None]:
        """Trace what runs inside. attributes: such as tool="canvas_get_grades"; of an error its type alone is told."""
        if self._tracer is None:
            yield
            return
        quiet = {"record_exception": False, "set_status_on_exception": False}
        with self._tracer.start_as_current_span(name, attributes=attributes, **quiet) as current, ExitStack() as ended:
            ended.push(partial(_tell_error, current))
            yield


def _tell_error(span: Any, kind: type[BaseException] | None, *_: object) -> None:
    if kind is not None:
        span.set_attribute("error.type", kind.__name__)


TRACES = Traces()
"""Traces of this process, as its log is one."""
