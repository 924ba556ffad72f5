"""An audit that could not ask is never taken for one that found nothing."""

import json

import pytest

from tests.audit import CLEAN, UNKNOWN, WEAK, verdict

FINE = {"name": "lxml", "version": "6.1.3", "vulns": []}
SKIPPED = {"name": "mcp", "skip_reason": "Dependency not found on PyPI and could not be audited: mcp (2.3.0)"}
FAULT = {"id": "PYSEC-2026-1", "aliases": ["CVE-2026-48818"], "fix_versions": ["1.1.0"], "description": "…"}
FAULTY = {"name": "starlette", "version": "1.0.0", "vulns": [FAULT]}


@pytest.mark.parametrize(
    ("found", "code", "word"),
    [
        ([FINE], CLEAN, "No known weakness in 1 packages."),
        ([FINE, SKIPPED], UNKNOWN, "1 of 2 packages, so they were not checked: mcp"),
        ([SKIPPED, FAULTY], WEAK, "starlette 1.0.0: PYSEC-2026-1 CVE-2026-48818, mended by 1.1.0"),
        ([], UNKNOWN, "Nothing is known"),
    ],
)
def test_only_what_was_asked_about_counts_as_fine(found: list[object], code: int, word: str) -> None:
    told, exit_code = verdict(json.dumps({"dependencies": found, "fixes": []}))

    assert exit_code == code
    assert word in told


@pytest.mark.parametrize("answer", ["", "Traceback", "{}"])
def test_no_answer_is_no_verdict(answer: str) -> None:
    told, exit_code = verdict(answer)

    assert exit_code == UNKNOWN
    assert "cannot be read from here" in told
