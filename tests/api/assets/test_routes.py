"""Scripts, styles and fonts of a page: nothing but them, the cut font where it suffices, and all of them kept."""

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.assets.manifest import BUILT, FIRST_PAGE, ICON_FONT, SUBSETS, manifest, streamlit_font, streamlit_static
from api.assets.routes import WHOLE, asset_routes, base_address

BASE = base_address(manifest())


def _client(icons: tuple[str, ...] = ()) -> TestClient:
    return TestClient(Starlette(routes=list(asset_routes(manifest(), icons))))


CLIENT = _client()


@pytest.mark.parametrize(
    "path",
    [
        f"{BASE}/js/../css/index.css",
        f"{BASE}/js/%2e%2e/%2e%2e/index.html",
        f"{BASE}/../{BUILT.name}/manifest.json",
        f"{BASE}/js/",
        f"{BASE}/manifest.json",
        f"/assets/0000000000000000/js/{FIRST_PAGE}",
        "/assets/",
    ],
)
def test_there_is_nothing_else(path: str) -> None:
    answer = CLIENT.get(path)

    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"


def test_every_file_of_streamlits_is_there_by_its_type() -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2"}
    wanted = {path.name: path for folder in ("css", "media") for path in (streamlit_static() / folder).iterdir()}

    for name, path in wanted.items():
        answer = CLIENT.get(f"{BASE}/{path.parent.name}/{name}")
        assert (name, answer.status_code) == (name, 200)
        assert answer.headers["content-type"].startswith(kinds.get(path.suffix, "image/"))


@pytest.mark.parametrize("subset", SUBSETS)
def test_a_cut_font_has_the_name_of_the_whole_which_is_beside_it(subset: str) -> None:
    whole = streamlit_font(SUBSETS[subset])

    assert CLIENT.get(f"{BASE}/media/{whole.name}").content == (BUILT / subset).read_bytes()
    assert CLIENT.get(f"{BASE}/media/{WHOLE}{whole.name}").content == whole.read_bytes()


def test_an_extension_with_an_icon_of_its_own_brings_the_whole_icon_font() -> None:
    whole = streamlit_font(SUBSETS[ICON_FONT])
    client = _client(icons=(":material/sword_rose:",))

    assert client.get(f"{BASE}/media/{whole.name}").content == whole.read_bytes()


def test_the_joined_file_is_sent_as_it_was_built() -> None:
    answer = CLIENT.get(f"{BASE}/js/{FIRST_PAGE}", headers={"accept-encoding": "br"})

    assert answer.headers["content-encoding"] == "br"
    assert int(answer.headers["content-length"]) == (BUILT / f"{FIRST_PAGE}.br").stat().st_size
