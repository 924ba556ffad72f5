"""What the material tools may tell: nothing of an account that is paused, and the date of what is not live."""

import pytest

from services.connections.connection import Health
from services.errors import BadArguments
from services.materials.material import MaterialKind
from tests.material_fakes import SHELF, filled_library, material, reading
from tests.services.integrations.materials.calls import Calls


@pytest.fixture
def call() -> Calls:
    return Calls()


def test_without_the_consent_to_canvas_only_uploads_are_told() -> None:
    library = filled_library()
    library.courses_there.append(SHELF)
    upload = material("shelf-1.upload-1", "My osmosis notes", kind=MaterialKind.UPLOAD, module="")
    library.add(upload, reading("Osmosis is my topic."))
    call = Calls(library, Health.PAUSED)

    assert [row["id"] for row in call("list", search="osmosis").data["materials"]] == ["shelf-1.upload-1"]
    assert [hit["material_id"] for hit in call("search", query="osmosis").data["hits"]] == ["shelf-1.upload-1"]
    assert library.searched == [[SHELF.key]]
    with pytest.raises(BadArguments):
        call("read", material="canvas-101.file-7")


def test_with_canvas_away_it_answers_with_its_date(call: Calls) -> None:
    call.library.away = "Canvas does not answer; this is from Tuesday."

    for name, arguments in (
        ("list", {"course": "bio"}),
        ("read", {"material": "guide"}),
        ("search", {"query": "osmosis"}),
    ):
        result = call(name, **arguments)
        assert "not checked now" in result.output.splitlines()[0]
        assert "Note: Canvas does not answer; this is from Tuesday." in result.output
        assert result.is_partial
