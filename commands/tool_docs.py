"""`make docs`: writes docs/tools.md, every tool of the demo with what it does, takes, changes and needs."""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from services import settings as configuration
from services.integrations import catalog
from services.integrations.base import Integration
from services.integrations.extensions import Extension
from services.settings import ROOT
from services.tools.schema_text import describe_arguments
from services.tools.tool import Effect, Tool, heading

PAGE = ROOT / "docs" / "tools.md"
COMMAND = "make docs"
_EFFECTS = {
    Effect.READ: "only reads",
    Effect.RECORD: "keeps something of the student's own in Homeroom, at once",
    Effect.WRITE: "changes something, after the student approves",
    Effect.OUTBOUND: "sends something out, after the student approves",
}


def render_page() -> str:
    """The page as it should be now, from the tools' own metadata; tools of MCP servers are the operator's."""
    with tempfile.TemporaryDirectory() as folder:
        demo = configuration.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(Path(folder))})
        found = catalog.load_catalog(demo)
    ours = replace(found, extensions=tuple(extension for extension in found.extensions if _is_ours(extension)))
    tools = ours.tools(ours.integrations)
    return "\n".join([*_opening(tools), *_categories(tools, ours.integrations)]) + "\n"


def write_page() -> None:
    PAGE.write_text(render_page(), encoding="utf-8")


def _is_ours(extension: Extension) -> bool:
    """Whether it is a folder of ours; what else is installed on this machine is not Homeroom's."""
    return extension.folder is not None and ROOT in extension.folder.parents


def _opening(tools: Sequence[Tool]) -> Iterator[str]:
    yield "# Tools"
    yield ""
    yield f"<!-- Written by `{COMMAND}` from the tools themselves: edit those, not this page. -->"
    yield ""
    yield f"The {len(tools)} tools that Homeroom brings. A student is offered those that work for them at the moment;"
    yield "what changes or sends something runs only after they have approved it. MCP servers add tools of their own."


def _categories(tools: Sequence[Tool], integrations: Mapping[str, Integration]) -> Iterator[str]:
    by_category = sorted(tools, key=lambda tool: tool.category)
    for category, group in groupby(by_category, key=lambda tool: tool.category):
        yield from ("", f"## {heading(category)}")
        for tool in group:
            yield from _tool(tool, integrations)


def _tool(tool: Tool, integrations: Mapping[str, Integration]) -> Iterator[str]:
    yield from ("", f"### `{tool.name}`", "", _escaped(tool.description), "")
    yield f"- Effect: {_EFFECTS[tool.effect]}{', can be undone' if tool.undo is not None else ''}"
    yield f"- Needs: {_needs(tool, integrations)}"
    if tool.usage_hint or tool.when:
        yield f"- For: {_escaped(tool.usage_hint or _joined(tool.when))}"
    if tool.when_not:
        yield f"- Not for: {_escaped(_joined(tool.when_not))}"
    if tool.produces:
        yield f"- Gives: {_escaped(_joined(tool.produces))}"
    for example in tool.examples:
        yield f"- Such as: {_escaped(example.description)}"
    yield from _table(tool)


def _needs(tool: Tool, integrations: Mapping[str, Integration]) -> str:
    giver = integrations.get(tool.integration or "")
    account = [giver.label] if giver else []
    capabilities = [_capability(name, integrations) for name in tool.capabilities]
    return _escaped(", ".join([*account, *capabilities]) or "nothing")


def _capability(name: str, integrations: Mapping[str, Integration]) -> str:
    """In words, with the accounts that give it."""
    givers = [integration.label for integration in integrations.values() if name in integration.capabilities]
    return name.replace("_", " ") + (f" ({' or '.join(givers)})" if givers else "")


def _table(tool: Tool) -> Iterator[str]:
    found = describe_arguments(tool.schema)
    if not found:
        return
    yield from ("", "| argument | kind | what it means |", "|---|---|---|")
    for argument in found:
        kind = argument.kind if argument.is_required else f"{argument.kind}, optional"
        yield f"| `{argument.name}` | {_cell(kind)} | {_cell(argument.words)} |"


def _joined(sentences: Sequence[str]) -> str:
    return "; ".join(sentence.rstrip(".") for sentence in sentences)


def _cell(text: str) -> str:
    return _escaped(" ".join(text.split())).replace("|", "\\|")


def _escaped(text: str) -> str:
    """Words in angle brackets would vanish as HTML."""
    return text.replace("<", "&lt;")


if __name__ == "__main__":
    write_page()
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} is up to date.\n")
