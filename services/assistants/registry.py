"""Registry of the assistants of this deployment, as they ship or as changed since."""

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant, dump_assistant, parse_assistant
from services.assistants.class_assistant import ClassAssistant, ClassAssistantSource, NoClasses, is_class_assistant
from services.errors import BadArguments, ChangedElsewhere, DuplicateDocument, ItemNotFound
from services.i18n import gettext
from services.settings import ROOT
from services.storage.documents import Document
from services.storage.records import read_all, read_record, record_reader
from services.storage.store import Store

SHIPPED = Path(__file__).parent / "shipped.toml"
WORDS = ROOT / "prompts" / "assistants"
_COLLECTION = "assistants"


class AssistantRegistry:
    """Read and save assistants: the stored ones over those that ship, and for a student those of their classes."""

    def __init__(self, store: Store, shipped: Path = SHIPPED, classes: ClassAssistantSource | None = None) -> None:
        """Raises `ValueError` when what ships does not describe assistants."""
        self._store = store
        self._classes = classes or NoClasses()
        self._shipped = read_shipped(shipped)
        self._parsed: dict[str, tuple[Any, Assistant]] = {}

    def all(self) -> tuple[Assistant, ...]:
        """All assistants of the deployment, the default first; one store read."""
        stored = read_all(record_reader(_COLLECTION)(self._parse), self._store.shared.find(_COLLECTION, {}))
        return tuple({**self._shipped, **{assistant.id: assistant for assistant in stored}}.values())

    def of_student(self, student_id: str) -> tuple[Assistant, ...]:
        """All that this student can pick: those of the deployment, then those of their classes as in force now."""
        return (*self.all(), *self._classes.of_student(student_id))

    def of_classes(self, student_id: str) -> tuple[ClassAssistant, ...]:
        """Those of the classes that this student is in, as in force now."""
        return self._classes.of_student(student_id)

    def for_student(self, student_id: str, id: str) -> Assistant:
        """Get an assistant as it is in force for this student now; one of a class for its members alone.

        Raises `ItemNotFound`, which says the same whether there is none or only none for them.
        """
        if not is_class_assistant(id):
            return self.get(id)
        found = self._classes.for_student(student_id, id)
        if found is None:
            raise self._not_found()
        return found

    def cached(self) -> tuple[Assistant, ...]:
        """The assistants that ship and those that this process has read, in a stable order; no store read."""
        read = {id: assistant for id, (_, assistant) in sorted(self._parsed.copy().items())}
        return tuple({**self._shipped, **read}.values())

    def capabilities_with(self, capabilities: frozenset[str]) -> Callable[[Assistant | None], frozenset[str]]:
        """These and those of an assistant; for None, of the default one as last read here, without a store read."""

        def merged(assistant: Assistant | None) -> frozenset[str]:
            found = assistant or next((known for known in self.cached() if known.id == DEFAULT_ASSISTANT), None)
            return capabilities | found.capabilities if found else capabilities

        return merged

    def get(self, id: str) -> Assistant:
        """Get one of the deployment's as it is stored now, in one read, parsed when its version is new.

        Raises `ItemNotFound`, also for one of a class: `for_student` knows who may have it.
        """
        found = self._store.shared.get(_COLLECTION, id)
        assistant = self._parse(found) if found is not None else self._shipped.get(id)
        if assistant is None:
            raise self._not_found()
        return assistant

    def save(self, assistant: Assistant) -> Assistant:
        """Save a changed or new assistant, with a version of its own.

        `assistant.version` is the one that was read, or empty for a new one; raises `ChangedElsewhere` when it is not
        the current one any more, `BadArguments` for values that do not fit.
        """
        changed = replace(parse_assistant(dump_assistant(assistant), Assistant), version="")
        document = {
            "id": changed.id,
            "written": dump_assistant(changed),
            "version": _fingerprint(changed, assistant.version),
        }
        if not self._store_version(document, assistant.version):
            raise ChangedElsewhere("Homeroom", gettext("This assistant was changed meanwhile."))
        return self._parse(document)

    def remove(self, id: str) -> Assistant | None:
        """Remove a saved assistant; one that ships is as it ships again, and is returned.

        Chats that had it go on with the default one. Raises `ItemNotFound` when nothing was saved under this id.
        """
        if not self._store.shared.delete(_COLLECTION, {"id": id}):
            step = "`python manage.py assistants show` lists those that there are."
            raise ItemNotFound("Homeroom", f"Nothing was loaded for an assistant {id}.", next_step=step)
        self._parsed.pop(id, None)
        return self._shipped.get(id)

    def _not_found(self) -> ItemNotFound:
        step = gettext("Choose one of these: {ids}.", ids=", ".join(known.id for known in self.all()))
        return ItemNotFound("Homeroom", gettext("There is no such assistant."), next_step=step)

    def _store_version(self, document: Document, seen: str) -> bool:
        shipped = self._shipped.get(document["id"])
        if seen == (shipped.version if shipped else ""):
            try:
                self._store.shared.insert(_COLLECTION, document)
            except DuplicateDocument:
                return False
            return True
        changes = {name: value for name, value in document.items() if name != "id"}
        return self._store.shared.compare_and_set(_COLLECTION, document["id"], {"version": seen}, changes) is not None

    def _parse(self, document: Document) -> Assistant:
        version, assistant = self._parsed.get(document["id"], (None, None))
        if assistant is None or version != document["version"]:
            assistant = _read(document)
            self._parsed[document["id"]] = (document["version"], assistant)
        return assistant


@record_reader(_COLLECTION)
def _read(document: Document) -> Assistant:
    return replace(read_record(Assistant, document["written"]), version=document["version"])


def read_shipped(path: Path = SHIPPED) -> dict[str, Assistant]:
    """Read the assistants of a file by id, in its order; raises `ValueError` when it does not describe assistants."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        found = [parse_table(id, table) for id, table in tables.items()]
    except (BadArguments, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path.name} does not describe assistants: {error}") from error
    return {assistant.id: replace(assistant, version=_fingerprint(assistant)) for assistant in found}


def parse_table(id: str, table: Mapping[str, Any]) -> Assistant:
    """Parse an assistant from its table in a TOML file; a field that is left out has its default.

    Words that are left out are those in prompts/assistants, where there are some. Raises `BadArguments`.
    """
    if given := table.keys() & {"id", "version", "class_id"}:
        raise BadArguments(f"{sorted(given)[0]}: this is not set here; the table's name is the id.")
    if is_class_assistant(id):
        raise BadArguments("an id of this form belongs to an assistant that an instructor makes in the browser.")
    # Read without them first: what is no id must not become a path.
    assistant = parse_assistant({**table, "id": id}, Assistant)
    return assistant if "words" in table else parse_assistant({**table, "id": id, "words": _words(id)}, Assistant)


def _words(id: str) -> str:
    path = WORDS / f"{id}.txt"
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


def _fingerprint(assistant: Assistant, *before: str) -> str:
    """Hash of the content and of the version before: going back to an old content is a new version all the same."""
    canonical = json.dumps([dump_assistant(assistant), *before], sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
