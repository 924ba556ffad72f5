"""The Spanish catalogue holds every text that the code marks, whole."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg

from services.i18n import LANGUAGES
from services.i18n.messages import read_catalog

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("app.py", "api", "pages", "services", "ui")
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
KEYWORDS = {**DEFAULT_KEYWORDS, "gettext_noop": None}
"""As `make messages` gives them to Babel."""
DECLARED = {
    "tool": {"label", "title", "summary", "service"},
    "Tool": {"label", "title", "summary", "service"},
    "Integration": {"summary", "reads", "writes", "consent", "token_help", "token_name"},
    "PreviewRow": {"label"},
    "InventoryItem": {"title", "holds", "lasts"},
}
"""Fields of declarations that a student reads; what shows them translates them."""


@cache
def catalog(language: str) -> Catalog:
    return read_catalog(language)


def spanish(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_each_language_has_the_texts_of_the_code_and_no_others() -> None:
    """Run `make messages` after changing a text, and translate the new lines."""
    with (ROOT / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file, "babel.cfg")
    marked = {text for _, _, text, _, _ in extract_from_dir(ROOT, methods, options, KEYWORDS)}

    for language in TRANSLATED:
        assert {message.id for message in catalog(language) if message.id} == marked


def test_a_text_that_is_named_before_it_is_translated_is_marked() -> None:
    """Write `name = gettext_noop("…")`: Babel cannot know that a bare `name = "…"` wants a translation."""
    assert [found for file in _files() for found in _named_bare(file)] == []


def test_a_text_of_a_declaration_is_marked() -> None:
    """Write `@tool(title=gettext_noop("…"))`, for the same reason."""
    called = {_callee(call) for file in _files() for call in _calls(file)}

    assert DECLARED.keys() <= called
    assert [found for file in _files() for found in _declared_bare(file)] == []


def _files() -> Iterator[Path]:
    for room in ROOMS:
        path = ROOT / room
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


@cache
def _calls(file: Path) -> tuple[ast.Call, ...]:
    return tuple(node for node in ast.walk(_tree(file)) if isinstance(node, ast.Call))


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _callee(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _named_bare(file: Path) -> Iterator[tuple[str, str]]:
    calls = (call for call in _calls(file) if isinstance(call.func, ast.Name) and call.func.id == "gettext")
    translated = {call.args[0].id for call in calls if call.args and isinstance(call.args[0], ast.Name)}
    for node in ast.walk(_tree(file)) if translated else ():
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            names = [ast.unparse(target) for target in node.targets]
            yield from ((file.name, name) for name in names if name in translated)


def _declared_bare(file: Path) -> Iterator[tuple[str, str]]:
    for call in _calls(file):
        fields = DECLARED.get(_callee(call), set())
        for keyword in call.keywords:
            if keyword.arg in fields:
                yield from ((file.name, text) for text in _constants(keyword.value))


def _constants(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
        yield value.value
    elif isinstance(value, ast.Tuple | ast.List):
        for part in value.elts:
            yield from _constants(part)


def test_nothing_is_left_untranslated() -> None:
    for language in TRANSLATED:
        assert [m.id for m in catalog(language) if m.id and not all(spanish(m))] == []


def test_a_translation_has_the_same_places_to_fill_in() -> None:
    for language in TRANSLATED:
        for message in catalog(language):
            said = message.id if isinstance(message.id, tuple) else (message.id,)
            wanted = places(said[-1]) if message.id else set()
            assert all(places(text) in (wanted, wanted - {"n"}) for text in spanish(message) if message.id), message.id


def test_a_translation_keeps_the_markdown_of_the_text() -> None:
    for language in TRANSLATED:
        for message in catalog(language):
            said = message.id[0] if isinstance(message.id, tuple) else message.id
            for mark in ("**", "`", "## ", ":material/", "]("):
                assert all(text.count(mark) == said.count(mark) for text in spanish(message) if message.id), said
