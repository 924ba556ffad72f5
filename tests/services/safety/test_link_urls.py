"""Only what the student or a tool named, to the letter, is known."""

import pytest

from services.llm.citations import Source
from services.navigation import material_address
from services.safety.link_urls import canonical_url, linkable_urls
from services.tools.result import ToolResult

ORIGIN = "http://localhost:8501"


def test_a_result_brings_the_addresses_of_its_words_and_its_sources() -> None:
    result = ToolResult(
        output="- **Essay** — due Friday — [open](https://campus.example/a_(1)) (id: 3), see <https://b.test/x>.",
        sources=(Source(title="Quiz", url="https://campus.example/q?x=1&y=2"),),
    )

    known = linkable_urls([result.output], [source.url for source in result.sources])

    assert {"https://campus.example/a_(1)", "https://b.test/x", "https://campus.example/q?x=1&y=2"} <= known
    assert not any(address.startswith("https://campus.example/q?x=2") for address in known)


def test_what_a_student_types_is_known_with_mail_addresses() -> None:
    known = linkable_urls(["Look at https://a.test/b, and write to okafor@campus.example!"])

    assert {"https://a.test/b", "mailto:okafor@campus.example"} <= known


def test_an_address_outside_ascii_is_known_as_it_is_written_and_as_it_is_sent() -> None:
    known = linkable_urls(["https://a.test/año"])

    assert known >= {"https://a.test/año", "https://a.test/a%C3%B1o"}


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https://user@evil.test/",
        "https://campus.example\\@evil.test/",
        "https:///nowhere",
        "/auth/logout",
        "https://a.test/auth/logout",
        "https://a.test/_stcore/x",
        "https://a b.test/",
        "https://[bad/",
        "mailto:a@b.co%0d%0ax",
        "https://a.test/" + "a" * 3000,
    ],
)
def test_an_address_that_tricks_or_acts_is_never_known(address: str) -> None:
    assert canonical_url(address) is None
    assert linkable_urls([], [address]) == frozenset()


@pytest.mark.parametrize(
    ("address", "is_known"),
    [
        ("http://localhost:8501/settings", False),
        ("http://127.0.0.1:8501/?confirm=1", False),
        ("http://localhost:8501/sandbox/canvas/courses/1/assignments/2", True),
        ("http://localhost:8501/sandbox/oidc/logout", False),
        ("http://localhost:8501/sandbox/google/revoke?token=1", False),
        ("http://localhost:8501/sandbox/faults", False),
        ("https://canvas.example.edu/login", True),
        (material_address("http://localhost:8501", "canvas-101.file-7", 12), True),
        ("http://localhost:8501/materials?open=a&page=1&remove=1", False),
        ("http://localhost:8501/materials?open=a&page=1#passage=b", False),
        ("http://localhost:8501/materials", False),
    ],
)
def test_of_our_own_pages_only_the_campus_and_pages_of_materials_are_shown(address: str, is_known: bool) -> None:
    assert (address in linkable_urls([address], own_origin=ORIGIN)) is is_known


@pytest.mark.parametrize("page", ["/week", "/study", "/study?quiz=quiz-b2", "/study?view=exams"])
def test_a_page_of_ours_that_only_opens_is_a_link_at_our_very_origin(page: str) -> None:
    assert f"{ORIGIN}{page}" in linkable_urls([f"{ORIGIN}{page}"], own_origin=ORIGIN)


@pytest.mark.parametrize(
    "page", ["/study?quiz=a&practise=b", "/study?practise=b", "/study?quiz=a#b", "/week?day=1", "/?c=1", "/settings"]
)
def test_any_other_page_of_ours_is_none(page: str) -> None:
    assert linkable_urls([f"{ORIGIN}{page}"], own_origin=ORIGIN) == frozenset()
