"""`GET /metrics`: what Prometheus reads, of all processes together, with its own key and nobody's words (T46, R96)."""

import re
from collections.abc import Callable, Mapping

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.metrics import metrics_route
from api.middleware.host import KnownHost
from services.errors import StorageUnavailable
from services.runtime.metrics_registry import METRICS, MetricKind, MetricsRegistry
from services.storage.published_metrics import PublishedMetrics
from services.storage.store import Store
from tests.api.room import ApiRoom
from tests.fakes import FakeClock, FakeDocuments

KEY = "metrics-key-of-this-deployment"
BEARER = {"authorization": f"Bearer {KEY}"}


@pytest.fixture
def watched(make_api: Callable[..., ApiRoom]) -> ApiRoom:
    return make_api(settings={"HOMEROOM_METRICS_KEY": KEY})


def test_without_a_key_in_the_settings_there_is_no_such_page(api: ApiRoom) -> None:
    answer = api.client.get("/metrics", headers=BEARER)

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": f"Bearer {KEY}x"},
        {"authorization": f"Bearer {KEY[:-1]}"},
        {"authorization": f"Basic {KEY}"},
        {"authorization": "Bearer ä"},
        {"authorization": f"Bearer {KEY}", "x-api-key": "another"},
        {"cookie": f"authorization=Bearer {KEY}"},
    ],
)
def test_another_key_is_refused_and_nothing_is_told(watched: ApiRoom, headers: Mapping[str, str]) -> None:
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}
    answer = watched.client.get("/metrics", headers=encoded)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert KEY not in answer.text
    assert "homeroom_answers" not in answer.text


def test_a_students_key_opens_no_metrics_and_this_key_opens_nothing_else(watched: ApiRoom) -> None:
    assert watched.maya.get("/metrics").status_code == 401
    assert watched.client.get("/api/tools", headers=BEARER).status_code == 401
    assert watched.client.get("/metrics", params={"key": KEY}).status_code == 401


def test_it_only_reads(watched: ApiRoom) -> None:
    assert watched.client.post("/metrics", headers=BEARER).status_code == 405
    assert watched.client.head("/metrics", headers=BEARER).status_code == 200


def test_prometheus_reads_every_metric_with_its_kind(watched: ApiRoom) -> None:
    watched.maya.execute("planner_list_tasks")
    answer = watched.client.get("/metrics", headers=BEARER)

    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert answer.headers["cache-control"] == "no-store"
    assert set(families) == {metric.name.removesuffix("_total") for metric in METRICS}
    assert all(families[metric.name.removesuffix("_total")].type == metric.kind for metric in METRICS)
    calls = {sample.labels["tool"]: sample.value for sample in families["homeroom_tool_calls"].samples}
    assert calls["planner_list_tasks"] == 1
    assert {sample.labels["period"] for sample in families["homeroom_budget_spent_dollars"].samples} == {"day", "term"}
    for metric in METRICS:
        if metric.kind is MetricKind.HISTOGRAM:
            _check_histogram(families[metric.name].samples)


def test_no_student_is_in_any_name_or_label(watched: ApiRoom) -> None:
    watched.maya.ask_to_pin("periwinkle")
    text = watched.client.get("/metrics", headers=BEARER).text

    assert [word for word in (watched.maya.student.id, "periwinkle", "maya") if word in text.lower()] == []


def test_any_process_tells_what_all_have_counted_and_nothing_goes_back_with_one_that_ends() -> None:
    clock = FakeClock()
    engine = FakeDocuments(clock=clock)
    registries = [MetricsRegistry(), MetricsRegistry()]
    first, second = (PublishedMetrics(Store(engine), registry, clock) for registry in registries)
    registries[0].count(METRICS[0], "done", amount=3)
    registries[1].count(METRICS[0], "done", amount=4)
    second.publish()

    both, again = first.report(), first.report()
    second.stop()
    after = first.report()

    series = ("homeroom_answers_total", "done")
    assert both.totals[series] == again.totals[series] == after.totals[series] == 7
    assert (len(both.gauges), len(after.gauges)) == (2, 1)


def test_what_the_store_did_not_take_is_added_later_and_the_page_says_that_it_is_away() -> None:
    engine, registry, clock = _Away(), MetricsRegistry(), FakeClock()
    published = PublishedMetrics(Store(engine), registry, clock)
    registry.count(METRICS[0], "done")
    engine.is_away = True
    app = Starlette(routes=[metrics_route(KEY, published.report)])
    text = TestClient(app).get("/metrics", headers=BEARER).text
    engine.is_away = False

    assert re.search(r'^homeroom_store_up{process="p[0-9a-f]+"} 0$', text, re.MULTILINE)
    assert published.report().totals[("homeroom_answers_total", "done")] == 1


def test_a_scraper_may_come_by_number() -> None:
    app = Starlette(routes=[metrics_route("", lambda: pytest.fail("not asked"))])
    client = TestClient(KnownHost(app, public_url="https://homeroom.example.edu"), base_url="http://10.0.0.7:8501")

    assert client.get("/metrics").status_code == 404


class _Away(FakeDocuments):
    """An engine that can be away."""

    is_away = False

    def put(self, *arguments: object, **named: object) -> None:
        self._require()
        super().put(*arguments, **named)  # type: ignore[arg-type]

    def increment(self, *arguments: object, **named: object) -> None:
        self._require()
        super().increment(*arguments, **named)  # type: ignore[arg-type]

    def _require(self) -> None:
        if self.is_away:
            raise StorageUnavailable("The store does not answer.")


def _check_histogram(samples: list) -> None:  # type: ignore[type-arg]
    """Buckets never fall, and the last one is the count."""
    counts: dict[tuple[tuple[str, str], ...], list[float]] = {}
    for sample in samples:
        labels = tuple(sorted((name, value) for name, value in sample.labels.items() if name != "le"))
        if sample.name.endswith(("_bucket", "_count")):
            counts.setdefault(labels, []).append(sample.value)
    assert all(values == sorted(values) and values[-1] == values[-2] for values in counts.values())
