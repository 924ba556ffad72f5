"""What the pages use of Streamlit's own files is there, in the version that is installed."""

from importlib.metadata import distribution
from pathlib import Path

import pytest

from ui import streamlit_compat
from ui.streamlit_compat import chunk_addresses


@pytest.mark.parametrize("name", ["formulas", "diagrams"])
def test_streamlit_ships_what_formulas_and_diagrams_need(name: str) -> None:
    address = chunk_addresses()[name]

    assert address is not None
    folder = Path(str(distribution("streamlit").locate_file("streamlit/static")))
    script = (folder / address.removeprefix("/")).read_text(encoding="utf-8")
    assert " as default" in script[-300:]


def test_a_file_that_is_not_there_has_no_address(tmp_path: Path) -> None:
    assert streamlit_compat._only_address(tmp_path, "mermaid.core.*.js") is None


def test_of_several_files_none_is_chosen(tmp_path: Path) -> None:
    for name in ("mermaid.core.a.js", "mermaid.core.b.js"):
        (tmp_path / name).touch()

    assert streamlit_compat._only_address(tmp_path, "mermaid.core.*.js") is None
