"""The words of `prompts/`, each file read once."""

from functools import cache

from services.settings import ROOT

FOLDER = ROOT / "prompts"


@cache
def prompt(name: str) -> str:
    """What stands in `prompts/{name}.txt` ("guardrails", "files/document"); raises `FileNotFoundError`."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip()
