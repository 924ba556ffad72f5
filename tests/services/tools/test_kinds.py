"""The words that programs rely on: each is told where they look, and none is written twice."""

import json
import re

from api.openapi import document
from api.routes import endpoints
from services.settings import ROOT
from services.tools.result import FailureKind
from services.tools.tool import ExclusionKind


def test_each_way_to_fail_is_told_to_who_writes_programs() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table = page.partition("## When a tool fails")[2].partition("\n## ")[0]
    told = [
        name
        for row in table.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    ]

    assert sorted(told) == sorted(["error_kind", *FailureKind])


def test_the_description_for_machines_lists_them_all() -> None:
    schemas = json.loads(json.dumps(document(endpoints())))["components"]["schemas"]

    assert schemas["FailureKind"]["enum"] == list(FailureKind)
    assert schemas["ExclusionKind"]["enum"] == list(ExclusionKind)
