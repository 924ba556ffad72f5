"""Traces: spans of OpenTelemetry around turns, requests to the model and calls of tools; none unless they are set up.

A span holds names and kinds from the code and the settings: never words, ids or addresses of a student.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from services.errors import SettingsError
from services.settings import Settings
from services.settings.operations import TRACES

_SCOPE = "homeroom"
_is_on = False


def configure(settings: Settings) -> None:
    """Send spans by OTLP over HTTP to the address of the settings; without one nothing is loaded, and nothing sent.

    Raises `SettingsError` where the packages for it are not installed.
    """
    global _is_on  # noqa: PLW0603 - OpenTelemetry itself has one provider for each process.
    if not settings.operations.traces_url or _is_on:
        return
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        step = "Run `.venv/bin/python -m pip install -r requirements-traces.txt`, or take the setting out."
        raise SettingsError(TRACES, "is set, but OpenTelemetry is not installed.", next_step=step) from None
    provider = TracerProvider(resource=Resource.create({"service.name": _SCOPE}))
    exporter = OTLPSpanExporter(endpoint=f"{settings.operations.traces_url}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    _is_on = True


@contextmanager
def span(name: str, **attributes: str) -> Iterator[None]:
    """Trace what runs inside. attributes: such as tool="canvas_get_grades"; an error is told by its type alone."""
    if not _is_on:
        yield
        return
    from opentelemetry import trace

    with trace.get_tracer(_SCOPE).start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield
        except BaseException as error:
            current.set_attribute("error.type", type(error).__name__)
            raise
