"""Pages that only their picture tells, over /mcp: as image content beside the text."""

import base64

from services.materials.material import MaterialKind
from tests.api.mcp.place import McpPlace, text
from tests.material_fakes import PIXEL, SHELF, FakeLibrary, material, reading


def test_a_program_gets_a_page_without_text_as_an_image(place: McpPlace) -> None:
    library = FakeLibrary(courses_there=[SHELF])
    library.add(material("shelf-1.upload-1", "Scan", kind=MaterialKind.UPLOAD, module=""), reading("", "Words."))
    place.api.services.materials = library

    result = place.call(place.api.diego, "materials_read", material="scan")
    library.cannot_draw = True
    later = place.call(place.api.diego, "materials_read", material="scan")

    assert [part.type for part in result.content] == ["text", "image"]
    assert base64.b64decode(result.content[1].data) == PIXEL
    assert f"({place.url}/materials?open=shelf-1.upload-1&page=1)" in text(result)
    assert result.structured_content["data"]["pages"][1]["text"] == "Words."
    assert [part.type for part in later.content] == ["text"]
