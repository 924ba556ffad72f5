"""TOML file of assistants, a table each: dumped for the operator, and loaded as they have written it."""

import tomllib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from services.assistants.assistant import Assistant, dump_assistant
from services.assistants.registry import AssistantRegistry, parse_table
from services.errors import BadArguments
from services.safety.text import one_line

_FEW = 20
LONGEST_ID = 60
"""Characters of an id that a refusal repeats."""
STEP = "Nothing was changed. Mend the file and load it again; docs/assistants.example.toml tells every field."


@dataclass(frozen=True, kw_only=True)
class KnownNames:
    """The names that an assistant may use here. calendars: the ids of integrations that are calendars."""

    tools: Collection[str]
    categories: Collection[str]
    servers: Collection[str]
    calendars: Collection[str]


def dump_assistants(assistants: Collection[Assistant]) -> str:
    """Dump a file that `load_assistants` takes as it is. A field that is left out has its default."""
    # Imported where it is wanted: a start of the app never writes TOML.
    import tomli_w

    return tomli_w.dumps({assistant.id: _table(assistant) for assistant in assistants}, multiline_strings=True)


def load_assistants(text: str, registry: AssistantRegistry, known: KnownNames) -> dict[str, str]:
    """Save every assistant of a file, or none of them; returns of each "new", "changed" or "as it was".

    Raises `BadArguments` that tells everything that is amiss, `ChangedElsewhere`.
    """
    current = {assistant.id: assistant for assistant in registry.all()}
    read = _read(text, known)
    return {assistant.id: _saved(assistant, current.get(assistant.id), registry) for assistant in read}


def _table(assistant: Assistant) -> dict[str, Any]:
    usual = dump_assistant(Assistant(id=assistant.id, name=assistant.name))
    given = {
        name: value for name, value in dump_assistant(assistant).items() if name not in ("id", "version", "class_id")
    }
    return {name: value for name, value in given.items() if name in ("name", "words") or value != usual[name]}


def _saved(wanted: Assistant, current: Assistant | None, registry: AssistantRegistry) -> str:
    if current is not None and replace(wanted, version=current.version) == current:
        return "as it was"
    registry.save(replace(wanted, version=current.version if current else ""))
    return "changed" if current else "new"


def _read(text: str, known: KnownNames) -> list[Assistant]:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadArguments(f"This is not TOML: {error}.", next_step=STEP) from None
    except RecursionError:
        raise BadArguments("Something in it is nested too deeply.", next_step=STEP) from None
    read, amiss = list[Assistant](), [] if tables else ["There is no assistant in it."]
    for id, table in tables.items():
        try:
            if not isinstance(table, dict):
                raise BadArguments("each assistant is a table, which begins with its id like [research].")
            read.append(parse_table(id, table))
        except BadArguments as error:
            amiss.append(f"{one_line(id, LONGEST_ID)}: {error}")
        else:
            amiss += [f"{id}: {problem}" for problem in _unknown(read[-1], known)]
    if amiss:
        raise BadArguments("\n".join(amiss), next_step=STEP)
    return read


def _unknown(assistant: Assistant, known: KnownNames) -> Iterator[str]:
    """Problems: names in an assistant that are unknown here."""
    yield from _missing("switches", assistant.switches, known.tools, lambda name: _is_of(name, known.servers))
    yield from _missing("confirm", assistant.confirm, known.tools, lambda name: _is_of(name, known.servers))
    yield from _missing("categories", assistant.categories or (), known.categories)
    yield from _missing("mcp_servers", assistant.mcp_servers or (), known.servers)
    yield from _missing(
        "calendar.provider", [assistant.calendar.provider] if assistant.calendar.provider else [], known.calendars
    )


def _missing(
    field: str, names: Collection[str], there: Collection[str], is_fine: Callable[[str], bool] = lambda name: False
) -> Iterator[str]:
    for name in names:
        if name not in there and not is_fine(name):
            alike = get_close_matches(name, there, n=1)
            few = f" There is {', '.join(sorted(there)) or 'none'}." if len(there) < _FEW else ""
            yield f"{field}: {name} is not known here.{f' Did you mean {alike[0]}?' if alike else few}"


def _is_of(tool: str, servers: Collection[str]) -> bool:
    """Whether an MCP server may bring a tool: what a server offers is known only while it is up."""
    server, parted, _ = tool.partition("__")
    return bool(parted) and server in servers
