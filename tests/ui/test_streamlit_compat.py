"""What the pages use of Streamlit's own files is there, in the version that is installed."""

from importlib.metadata import distribution
from pathlib import Path

import pytest
from streamlit.watcher.polling_path_watcher import PollingPathWatcher

from ui import streamlit_compat
from ui.streamlit_compat import chunk_addresses, stop_watching_configuration


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


def test_a_configuration_file_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    looks, file = list[object](), tmp_path / "config.toml"
    # What is patched here for good is the library's own again afterwards.
    monkeypatch.setattr(PollingPathWatcher, "_check_if_path_changed", PollingPathWatcher._check_if_path_changed)
    monkeypatch.setattr(PollingPathWatcher, "_schedule", lambda watcher: looks.append(watcher))
    file.write_text("[server]")
    watcher = PollingPathWatcher(str(file), looks.append)

    stop_watching_configuration()
    file.write_text("[client]")
    watcher._check_if_path_changed()

    assert looks == [watcher]
