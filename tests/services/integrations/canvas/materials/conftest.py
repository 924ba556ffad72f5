"""A scripted Canvas and a host beside it that keeps files, both on real sockets."""

from collections.abc import Iterator

import pytest

from tests.services.integrations.canvas.materials.scripted_canvas import ScriptedHost


@pytest.fixture
def school() -> Iterator[ScriptedHost]:
    with ScriptedHost() as host:
        yield host


@pytest.fixture
def storage() -> Iterator[ScriptedHost]:
    with ScriptedHost({"/kept.pdf": b"%PDF-1.7 kept"}) as host:
        yield host
