"""A stored document becomes a record by one reader alone, so that a field of a later version raises nowhere (R100).

`Cls(**document)` raises for such a field, and `Cls(a=document["a"])` outside of a `record_reader` for a damaged one.
"""

import ast
import re
from collections.abc import Iterator

from tests.structure import ROOT

ROOMS = ("services", "api", "commands", "pages", "ui")
NOT_STORED = {
    "services/discovery/classifier.py": "the trained model's own file",
    "services/llm/anthropic_reply.py": "counts that its own code has made",
    "services/llm/prices.py": "counts that its own code has made",
    "services/integrations/search/claude.py": "counts that its own code has made",
    "services/files/reader_process.py": "what our own reader process has sent",
    "services/files/documents/document_reader.py": "what our own reader process has sent",
    "services/integrations/study/quiz_requests.py": "arguments of a tool, validated",
    "services/integrations/google_calendar/__init__.py": "settings",
    "services/integrations/notion/__init__.py": "settings",
    "services/prompt/assistant_config.py": "parts that its own code has made",
    "services/wiring/turns.py": "collaborators",
    "services/wiring/lti.py": "a setting of the demo",
    "services/diagrams/diagram.py": "a parsed diagram",
    "services/integrations/sample_course/course.py": "a course of our own code",
    "services/week/day_sources.py": "a tool's result",
    "services/study/exchange/card_records.py": "a file that somebody has brought",
    "api/router.py": "collaborators",
    "services/assistants/class_assistant.py": "parts that its own code has made",
    "services/settings/mcp_servers.py": "settings",
    "services/study/review/deck.py": "fields that its own code has made",
    "services/tools/toolbox.py": "collaborators",
    "services/week/moved_dates.py": "a few fields of a row that was read",
    "ui/charts.py": "options of a chart",
}
"""Where `Cls(**name)` spreads what comes from no store, and what it is."""
ROWS = {
    "services/week/snapshot_rows.py: read_change",
    "services/week/snapshot_rows.py: read_entry",
    "services/week/snapshot_rows.py: read_gap",
    "services/week/snapshots.py: _read_source",
    "services/week/moved_dates.py: _change",
}
"""Readers of rows of a document that `_checked`, a `record_reader` of their files, has read as a whole before."""
_SPREADS = re.compile(r"[A-Z]\w*\(\*\*[\w{]|^\s+\*\*[\w{]|[A-Z]\w*\(.*, \*\*\w|^ .*, \*\*\w+\)?$", re.MULTILINE)
_FIELDS = re.compile(r"=\s*.{0,40}\w\[[\"']")


def spread_names(source: str) -> list[int]:
    """Lines of calls of a class that spread what they have not built: `**row`, `**row["nested"]`, `**{**row, …}`."""
    return [call.lineno for call in _calls_of_classes(ast.parse(source)) if any(map(_is_name, _spread(call)))]


def read_by_hand(source: str) -> list[str]:
    """Functions that make a record of a `Document`'s fields, and are no `record_reader`."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return [function.name for function in functions if not _is_reader(function) and _makes_a_record(function)]


def _calls_of_classes(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name.lstrip("_")[:1].isupper():
                yield node


def _spread(call: ast.Call) -> Iterator[ast.expr]:
    for keyword in call.keywords:
        if keyword.arg is None:
            yield keyword.value
            if isinstance(keyword.value, ast.Dict):
                pairs = zip(keyword.value.keys, keyword.value.values, strict=True)
                yield from (value for key, value in pairs if key is None)


def _is_name(spread: ast.expr) -> bool:
    return isinstance(spread, ast.Name | ast.Subscript | ast.Attribute)


def _is_reader(function: ast.FunctionDef) -> bool:
    return any("record_reader" in ast.unparse(decorator) for decorator in function.decorator_list)


def _makes_a_record(function: ast.FunctionDef) -> bool:
    parameters = function.args.args
    documents = {each.arg for each in parameters if each.annotation and ast.unparse(each.annotation) == "Document"}
    return bool(documents) and any(_takes_fields_of(call, documents) for call in _calls_of_classes(function))


def _takes_fields_of(call: ast.Call, documents: set[str]) -> bool:
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in documents
        for keyword in call.keywords
        for node in ast.walk(keyword.value)
    )


def _files(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            if pattern.search(source):
                yield path.relative_to(ROOT).as_posix(), source


def test_no_stored_document_is_spread_into_a_class() -> None:
    spreading = {name for name, source in _files(_SPREADS) if spread_names(source)}

    assert spreading == set(NOT_STORED)


def test_only_a_record_reader_makes_a_record_of_a_documents_fields() -> None:
    files = [(name, source) for name, source in _files(_FIELDS) if ": Document" in source]
    by_hand = {f"{name}: {function}" for name, source in files for function in read_by_hand(source)}

    assert by_hand == ROWS


def test_these_laws_see_what_they_forbid() -> None:
    assert spread_names("Limits(**row)") == [1]
    assert spread_names("Limits(**row['limits'])") == [1]
    assert spread_names("Limits(**{**row, 'a': 1})") == [1]
    assert spread_names("Limits(**{'a': 1})") == []
    by_hand = "def f(row: Document) -> Limits:\n    return Limits(a=row['a'])"
    assert read_by_hand(by_hand) == ["f"]
    assert read_by_hand(f"@record_reader('limits')\n{by_hand}") == []
