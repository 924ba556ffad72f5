"""docs/settings.md has every setting, as `.env.example` tells of it and as the code reads it."""

import ast
import re

from commands import settings_docs
from services.settings import ROOT
from tests.structure import nodes

_OURS = re.compile(r"(HOMEROOM|MONGODB|ANTHROPIC|OIDC|SMTP|EMBEDDINGS)_[A-Z_]*[A-Z]")
_OF_COMMANDS = {"HOMEROOM_DEMO_CLASS", "HOMEROOM_DEMO_MATERIAL"}
"""Set by `manage.py demo` for the process that it starts, and by nobody else."""
EXAMPLE = settings_docs.EXAMPLE.read_text(encoding="utf-8")


def test_the_page_is_as_new_as_the_example() -> None:
    written = settings_docs.PAGE.read_text(encoding="utf-8")

    assert written == settings_docs.page(EXAMPLE), "docs/settings.md is older than .env.example: run `make docs`."


def test_every_setting_that_the_code_reads_is_in_the_example() -> None:
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "services" / "settings").glob("*.py")]
    texts = {node.value for path in files for node in nodes(path) if isinstance(node, ast.Constant)}
    read = {text for text in texts if isinstance(text, str) and _OURS.fullmatch(text)}

    assert len(read) > 20
    assert sorted(read - _OF_COMMANDS - set(settings_docs.names(EXAMPLE))) == []


def test_a_setting_without_a_comment_goes_with_the_one_above_it() -> None:
    example = "head\n# --- Things: of <all> | kinds. ---\n# What it is.\nA_KEY=one\nB_KEY=\n# C_KEY=\n"

    assert settings_docs.page(example).splitlines()[-3:] == [
        "| `A_KEY` | `one` | What it is. |",
        "| `B_KEY` |  | as above |",
        "| `C_KEY` |  | as above |",
    ]
