"""`python -m services.language.collect`: bring `es.po` up to date with the texts that the code says.

Texts that are gone leave it, new ones come without a translation, which a test then asks for.
"""

import ast
import fcntl
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from services.language.catalogue import path, read
from services.language.speaking import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("app.py", "api", "pages", "services", "ui")
KEYWORDS = {"say": None, "say_count": (1, 2), "to_say": None}
DECLARED = {
    "tool": {"label", "title", "summary", "service"},
    "Tool": {"label", "title", "summary", "service"},
    "Integration": {"summary", "reads", "writes", "consent", "token_help", "token_name"},
    "PreviewRow": {"label"},
    "Kept": {"title", "holds", "lasts"},
}
"""Texts that a declaration of ours holds, by the fields that a student reads; who shows them says them."""
ASSISTANTS = "services/assistants/shipped.toml"
Text = str | tuple[str, ...]


def texts() -> dict[Text, list[str]]:
    """Every text that the code says, one or its singular and plural, with the files that say it."""
    found: dict[Text, list[str]] = {}
    for file, text in (*_marked(), *_declared(), *_shipped()):
        places = found.setdefault(text, [])
        if file not in places:
            places.append(file)
    return found


def collected(language: str) -> Catalog:
    """The language's catalogue with exactly the texts of the code, and what is translated of them."""
    known = read(language)
    fresh = Catalog(locale=language, project="Homeroom", fuzzy=False)
    for text, places in sorted(texts().items(), key=lambda item: (item[1][0], str(item[0]))):
        message = known.get(text[0] if isinstance(text, tuple) else text)
        said = message.string if message and message.id == text else ""
        fresh.add(text, said or None, locations=[(place, 0) for place in places])
    fresh.revision_date = fresh.creation_date = known.creation_date if path(language).exists() else fresh.creation_date
    return fresh


def written(catalog: Catalog) -> bytes:
    """The catalogue as its file holds it."""
    out = BytesIO()
    write_po(out, catalog, width=0, omit_header=False, include_lineno=False)
    return out.getvalue()


def _marked() -> Iterator[tuple[str, Text]]:
    for room in ROOMS:
        start = ROOT / room
        files = extract_from_dir(start, [("**.py", "python")], keywords=KEYWORDS) if start.is_dir() else ()
        for file, _, text, _, _ in files:
            yield f"{room}/{file}", text


def _declared() -> Iterator[tuple[str, Text]]:
    for file in sorted((ROOT / "services").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                fields = DECLARED.get(node.func.id if isinstance(node.func, ast.Name) else node.func.attr, set())
                for keyword in node.keywords:
                    if keyword.arg in fields:
                        yield from ((file.relative_to(ROOT).as_posix(), text) for text in _constants(keyword.value))


def _shipped() -> Iterator[tuple[str, Text]]:
    """What a student reads of the assistants that every deployment has."""
    for assistant in tomllib.loads((ROOT / ASSISTANTS).read_text()).values():
        yield from ((ASSISTANTS, assistant[field]) for field in ("name", "summary", "integrity"))


def _constants(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
        yield value.value
    elif isinstance(value, ast.Tuple | ast.List):
        for part in value.elts:
            yield from _constants(part)


def main() -> None:
    for language in LANGUAGES:
        if path(language).exists():
            with path(language).open("rb+") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                page = written(collected(language))
                file.truncate(0)
                file.write(page)


if __name__ == "__main__":
    main()
