"""Prometheus text format, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats)."""

from collections.abc import Iterator, Mapping, Sequence

from services.runtime.metrics_registry import SUM, Metric, MetricKind, Series

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def prometheus_text(metrics: Sequence[Metric], amounts: Mapping[Series, float]) -> str:
    """Write metrics in their order. amounts: by name and labels; of a histogram by bucket, numbered, and its sum."""
    by_name: dict[str, list[tuple[Series, float]]] = {metric.name: [] for metric in metrics}
    for (name, *labels), amount in sorted(amounts.items()):
        if name in by_name:
            by_name[name].append((tuple(labels), amount))
    return "".join(f"{line}\n" for metric in metrics for line in _lines(metric, by_name[metric.name]))


def _lines(metric: Metric, found: Sequence[tuple[Series, float]]) -> Iterator[str]:
    yield f"# HELP {metric.name} {_escaped(metric.help)}"
    yield f"# TYPE {metric.name} {metric.kind}"
    if metric.kind is MetricKind.HISTOGRAM:
        for labels in dict.fromkeys(labels[:-1] for labels, _ in found):
            yield from _histogram(metric, labels, {own[-1]: amount for own, amount in found if own[:-1] == labels})
        return
    for labels, amount in found:
        yield f"{metric.name}{_labels(metric.labels, labels)} {_number(amount)}"


def _histogram(metric: Metric, labels: Series, buckets: Mapping[str, float]) -> Iterator[str]:
    seen = 0.0
    for index, bound in enumerate((*metric.bounds, float("inf"))):
        seen += buckets.get(str(index), 0)
        shown = _labels((*metric.labels, "le"), (*labels, "+Inf" if bound == float("inf") else _number(bound)))
        yield f"{metric.name}_bucket{shown} {_number(seen)}"
    yield f"{metric.name}_sum{_labels(metric.labels, labels)} {_number(buckets.get(SUM, 0))}"
    yield f"{metric.name}_count{_labels(metric.labels, labels)} {_number(seen)}"


def _labels(names: Sequence[str], values: Sequence[str]) -> str:
    pairs = ",".join(
        f'{name}="{_escaped(value).replace(chr(34), chr(92) + chr(34))}"'
        for name, value in zip(names, values, strict=True)
    )
    return f"{{{pairs}}}" if pairs else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _number(amount: float) -> str:
    return str(int(amount)) if float(amount).is_integer() else repr(float(amount))
