"""The built files belong to the installed Streamlit and hold what our pages name; `make assets` makes them anew."""

import re
from dataclasses import replace

import pytest

from api.assets.manifest import FIRST_PAGE, manifest, streamlit_static
from api.middleware.security_headers import streamlit_page
from commands.page_assets.fonts import icons_in
from commands.page_assets.modules import first_page_modules
from services.settings import ROOT

_IMPORTED = re.compile(r'from"\./([\w.$-]+\.js)"')
HINT = "run `make assets`"
SMALL = replace(manifest(), modules={"a.1.js": [("x", "m0_x"), ("default", "m0_default")], "b.2.js": []})


def test_they_were_built_from_the_installed_streamlit() -> None:
    assert manifest().fits(streamlit_page()), HINT
    assert list(manifest().modules) == first_page_modules(streamlit_static() / "js", streamlit_page()), HINT


def test_the_icon_font_has_every_icon_that_our_code_names() -> None:
    code = [
        path.read_text(encoding="utf-8")
        for room in ("ui", "pages", "services")
        for path in ROOT.glob(f"{room}/**/*.py")
    ]
    missing = {name for name in icons_in(code) if not manifest().has_icons([f":material/{name}:"])}

    assert missing == set(), HINT


def test_an_icon_of_an_extension_that_the_font_lacks_is_noticed() -> None:
    assert manifest().has_icons([":material/school:", "🎓"])
    assert not manifest().has_icons([":material/school:", ":material/sword_rose:"])


@pytest.mark.parametrize(
    ("module", "redirected"),
    [
        ('import{x as e}from"./a.1.js";e()', f'import{{m0_x as e}}from"./{FIRST_PAGE}";e()'),
        ('import{x,default as d}from"./a.1.js";', f'import{{m0_x as x,m0_default as d}}from"./{FIRST_PAGE}";'),
        ('import"./b.2.js";', f'import{{}}from"./{FIRST_PAGE}";'),
        ('import{x as e}from"./other.3.js";', 'import{x as e}from"./other.3.js";'),
    ],
)
def test_a_later_module_takes_what_was_joined_from_the_joined_file(module: str, redirected: str) -> None:
    assert SMALL.redirect_imports(module) == redirected


def test_who_asks_for_a_joined_module_gets_the_same_objects() -> None:
    assert SMALL.stand_in("a.1.js") == f'export{{m0_x as x,m0_default as default}}from"./{FIRST_PAGE}";\n'


def test_every_import_that_streamlit_writes_is_understood() -> None:
    """A form that is not known would be a second request, not a fault: but it would be there for every module."""
    joined = set(manifest().modules)
    later = [path for path in (streamlit_static() / "js").glob("*.js") if path.name not in joined]
    left = {
        (path.name, module)
        for path in later
        for module in _IMPORTED.findall(manifest().redirect_imports(path.read_text(encoding="utf-8")))
        if module in joined
    }

    assert left == set()


def test_a_joined_module_hands_on_all_that_it_exports() -> None:
    for name, pairs in manifest().modules.items():
        source = (streamlit_static() / "js" / name).read_text(encoding="utf-8")
        exported = re.findall(r"\bexport\{([^}]*)\}", source)
        names = {part.split(" as ")[-1] for part in ",".join(exported).split(",") if part}

        assert (name, {exported for exported, _ in pairs}) == (name, names)
