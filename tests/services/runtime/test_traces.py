"""Traces: what ran and how long, in a tree, and no word of anybody; nothing at all unless it is set up."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from services.errors import ItemNotFound, SettingsError
from services.runtime.traces import TRACES, Traces
from services.settings.operations import TRACES as SETTING
from tests.rooms import demo_settings


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """What the process's traces are sent to, for one test."""
    found = InMemorySpanExporter()
    monkeypatch.setattr(TRACES, "_tracer", None)
    TRACES.send_to(SimpleSpanProcessor(found))
    yield found
    found.shutdown()


def test_a_span_stands_in_the_one_around_it_and_tells_an_errors_type_alone(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(ItemNotFound), TRACES.span("turn"), TRACES.span("tool.call", tool="board_read"):
        raise ItemNotFound("Canvas", "There is no periwinkle essay.")

    inner, outer = exporter.get_finished_spans()
    assert inner.parent is not None
    assert inner.parent.span_id == outer.context.span_id
    assert dict(inner.attributes or {}) == {"tool": "board_read", "error.type": "ItemNotFound"}
    assert "periwinkle" not in inner.to_json() + outer.to_json()


def test_without_a_setting_nothing_is_traced(tmp_path: Path) -> None:
    traces = Traces()
    traces.configure(demo_settings(tmp_path))

    with traces.span("turn"):
        assert traces._tracer is None


def test_a_setting_without_its_packages_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)

    with pytest.raises(SettingsError, match=SETTING) as refused:
        Traces().configure(demo_settings(tmp_path, **{SETTING: "http://localhost:4318"}))

    assert "requirements-traces.txt" in refused.value.next_step
