"""What /mcp remembers of a key: for an hour, and never a stranger's page."""

from api.mcp.server import MOST_KEYS_WITH_ADDRESSES, SEEN_ADDRESSES_LIFETIME_S, SeenAddressesByKey
from services.llm.citations import Source
from services.safety.provenance import Provenance, ResultProvenance
from services.tools.result import ToolResult

PAGE = "https://a.example/x"
PUBLIC = ResultProvenance(writers=frozenset({Provenance.PUBLIC}))
FOUND = ToolResult(output=f"See {PAGE}", sources=(Source(title="B", url="https://b.example/"),), provenance=PUBLIC)


def test_it_is_forgotten_after_an_hour() -> None:
    now = [0.0]
    heard = SeenAddressesByKey("https://homeroom.example", clock=lambda: now[0])
    heard.add_tool_result("k", {}, FOUND)

    now[0] = SEEN_ADDRESSES_LIFETIME_S
    assert PAGE in heard.known("k")
    assert "https://b.example/" in heard.known("k")
    now[0] += 1
    assert PAGE not in heard.known("k")


def test_what_the_call_said_itself_and_what_happens_to_a_copy_counts_for_nothing() -> None:
    heard = SeenAddressesByKey("https://homeroom.example")
    heard.add_tool_result("k", {"deep": [{"q": PAGE}]}, FOUND)
    heard.known("k").add_student_text("https://c.example/")

    assert PAGE not in heard.known("k")
    assert "https://c.example/" not in heard.known("k")


def test_it_does_not_grow_without_end() -> None:
    heard = SeenAddressesByKey("https://homeroom.example")
    for number in range(MOST_KEYS_WITH_ADDRESSES + 5):
        heard.add_tool_result(str(number), {}, FOUND)

    assert PAGE not in heard.known("0")
    assert PAGE in heard.known(str(MOST_KEYS_WITH_ADDRESSES + 4))
    assert len(heard._keys) <= MOST_KEYS_WITH_ADDRESSES
