"""Prompt files of `prompts/`, each read once."""

from functools import cache

from services.settings import ROOT

FOLDER = ROOT / "prompts"


@cache
def prompt(name: str) -> str:
    """The text of `prompts/{name}.txt` ("guardrails", "files/document"); raises `FileNotFoundError`."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip()
