"""`make assets` cuts fonts to what is asked for, under names that their licence leaves free."""

import io

import pytest
from fontTools.ttLib import TTFont

from api.assets.manifest import BUILT, SUBSETS, streamlit_font
from commands.page_assets.fonts import icon_subset, icons_in, latin_subset

SYMBOLS, SANS = streamlit_font(SUBSETS["icons.woff2"]), streamlit_font(SUBSETS["sans.woff2"])


def _ligatures(font: TTFont) -> int:
    tables = [table for lookup in font["GSUB"].table.LookupList.Lookup for table in lookup.SubTable]
    return sum(len(found) for table in tables for found in getattr(table, "ExtSubTable", table).ligatures.values())


def test_icons_are_read_from_the_code() -> None:
    code = ['icon=":material/school:"', "`:material/add_link:`, material, :materials/x:"]

    assert icons_in(code) == {"school", "add_link"}


@pytest.mark.soak
def test_an_icon_font_has_the_icons_that_were_asked_for_and_tells_which_there_are() -> None:
    content, icons = icon_subset(SYMBOLS, {"school", "link", "no_such_icon"})

    assert icons == ["link", "school"]
    assert _ligatures(TTFont(io.BytesIO(content))) == 2
    assert len(content) < 5_000


@pytest.mark.soak
def test_a_cut_font_reads_english_and_spanish_under_a_name_of_ours() -> None:
    font = TTFont(io.BytesIO(latin_subset(SANS, "Homeroom Sans")))

    assert set(map(ord, "Aa09 ¿Qué hay mañana? “—” €")) <= set(font.getBestCmap())
    assert ord("Ж") not in font.getBestCmap()
    assert font["name"].getDebugName(1) == "Homeroom Sans"
    assert "SIL Open Font License" in font["name"].getDebugName(13)
    assert [axis.axisTag for axis in font["fvar"].axes] == ["wght"]


@pytest.mark.parametrize("name", ["sans.woff2", "serif.woff2"])
def test_the_built_fonts_keep_their_licence_and_not_their_makers_name(name: str) -> None:
    names = TTFont(BUILT / name)["name"]

    assert "SIL Open Font License" in names.getDebugName(13)
    assert not {names.getDebugName(number) for number in (1, 4, 6, 16)} & {"Source Sans", "Source Serif"}
    assert "Source" not in names.getDebugName(1) + names.getDebugName(4) + names.getDebugName(6)
