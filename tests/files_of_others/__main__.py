"""Prints the table kind → tried → right: of the given cases, and of siblings that were written before the mending."""

import contextlib
import io
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from bench.load.table import print_table

TITLE = "Files of others: read right of tried"
HEAD = ("room", "law", "given", "siblings")
_ITEM = re.compile(r"test_(\w+)\.py::(?:\w+::)?test_(\w+?)(?:\[(.*)\])?$", re.DOTALL)
_GIVEN = re.compile(r"B\d\d")


class _Tally:
    """Pytest plugin that counts each case by its room and law: outcomes of the given ones, and of siblings."""

    def __init__(self) -> None:
        self.given: dict[tuple[str, str], list[bool]] = defaultdict(list)
        self.siblings: dict[tuple[str, str], list[bool]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        item = _ITEM.search(report.nodeid)
        if item is None or not (report.when == "call" or report.failed or report.skipped):
            return
        cases = self.given if _GIVEN.match(item[3] or "") else self.siblings
        # An expected failure is reported as skipped.
        cases[item[1], item[2].replace("_", " ")].append(report.passed)

    def rows(self) -> list[list[str]]:
        laws = sorted({*self.given, *self.siblings})
        rows = [[room, law, _share(self.given[room, law]), _share(self.siblings[room, law])] for room, law in laws]
        tables = (self.given, self.siblings)
        return [*rows, ["all", "", *(_share([right for law in table.values() for right in law]) for table in tables)]]


def _share(outcomes: list[bool]) -> str:
    return f"{sum(outcomes)} of {len(outcomes)}" if outcomes else ""


def counted() -> list[list[str]]:
    """Rows of the table."""
    tally = _Tally()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([str(Path(__file__).parent), "-p", "no:cacheprovider", "-p", "no:xdist"], plugins=[tally])
    return tally.rows()


if __name__ == "__main__":
    if "--json" in sys.argv:
        print(json.dumps(counted()))
    else:
        print_table(TITLE, HEAD, counted())
