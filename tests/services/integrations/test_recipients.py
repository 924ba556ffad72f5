"""Whoever receives words by a tool is named to students before they agree."""

import ast
from pathlib import Path

import pytest

from services.integrations import catalog
from services.settings import ROOT
from tests.rooms import demo_settings

ADDRESSED_BY_STUDENTS = {
    "canvas": "the student's own account, which its own terms tell of",
    "google_calendar": "the student's own account, which its own terms tell of",
    "notion": "the student's own account, which its own terms tell of",
}
REAL = {
    "SEARCH_PROVIDER": "brave",
    "SEARCH_API_KEY": "key",
    "SEARCH_BASE_URL": "https://api.search.brave.com",
    "GITHUB_TOKEN": "token",
    "GITHUB_API_BASE_URL": "https://api.github.com",
    "BIBLIOGRAPHY_DOI_URL": "https://doi.org",
    "BIBLIOGRAPHY_ISBN_URL": "https://openlibrary.org",
}


def names_hosts(folder: Path) -> bool:
    """Whether code in it has the address of a service by heart."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if isinstance(value, ast.Constant) and str(value.value).startswith("https://"):
                return True
    return False


def test_an_integration_that_knows_a_services_address_names_it(tmp_path: Path) -> None:
    found = catalog.load_catalog(demo_settings(tmp_path, **REAL))
    folders = {
        path.name for path in (ROOT / "services" / "integrations").iterdir() if path.is_dir() and names_hosts(path)
    }

    silent = (
        folders - {extension.id for extension in found.extensions if extension.recipients} - {*ADDRESSED_BY_STUDENTS}
    )

    assert silent == set(), "name them in recipients(extension), or say here why nobody outside receives words"


@pytest.mark.parametrize(
    ("provider", "names"),
    [
        ({"SEARCH_PROVIDER": "brave", "SEARCH_API_KEY": "k", "SEARCH_BASE_URL": ""}, ["Brave Search"]),
        ({"SEARCH_PROVIDER": "searxng", "SEARCH_BASE_URL": "https://search.example.edu"}, ["SearxNG"]),
        ({"SEARCH_PROVIDER": "reference"}, ["Wikipedia", "OpenAlex"]),
        ({"SEARCH_PROVIDER": "claude"}, []),
        ({"SEARCH_PROVIDER": "none"}, []),
    ],
)
def test_the_search_engine_of_the_deployment_is_named(
    tmp_path: Path, provider: dict[str, str], names: list[str]
) -> None:
    found = catalog.load_catalog(demo_settings(tmp_path, **{**REAL, **provider}))

    engines = [
        recipient.name for recipient in found.recipients if recipient.receives == "the words that it searches for"
    ]

    assert engines == names
