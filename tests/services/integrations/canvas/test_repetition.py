"""Nothing stands twice in what the model reads: each title and each link once."""

from typing import Any

import pytest

from tests.repetition import repeated
from tests.services.integrations.canvas.every_tool import CALLS
from tests.telling import telling

# A study plan names work once for each of its sittings.
ONCE = [pair for pair in CALLS if pair[0] != "canvas_propose_study_plan"]


@pytest.mark.parametrize(
    ("name", "arguments"), telling(ONCE, ONCE[::3].__contains__), ids=lambda value: str(value)[:60]
)
def test_no_title_or_link_stands_twice(call: Any, name: str, arguments: dict[str, Any]) -> None:
    assert repeated(call(name, **arguments).output) == []


def test_what_stands_twice_is_found() -> None:
    line = "- **Essay 3: draft** — due — [open](https://c/1) (id: 1)"

    assert repeated(f"“Essay 3: draft” is due.\n{line}") == ["Essay 3: draft"]
    assert repeated(f"{line}\n- Group — [open](https://c/1)") == ["https://c/1"]
    assert repeated(f"{line}\n- **Essay 3: draft** — due — [open](https://c/2) (id: 2)") == []
