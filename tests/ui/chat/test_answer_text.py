"""Numbers in an answer's words and the notes under it."""

import pytest
from streamlit.testing.v1 import AppTest

from services.conversations.items import AssistantText
from services.llm.citations import Citation, Source
from services.navigation import material_address
from services.safety.markdown.sanitiser import sanitise
from ui.chat.answer_text import Citations

LAB, ESSAY = (Source(title=name, url=f"https://canvas.example/{name}") for name in ("Lab", "Essay"))


def test_each_source_has_one_number_in_the_order_of_its_first_place() -> None:
    text = "Lab due. Essay due. Lab again."
    places = ((8, LAB), (19, ESSAY), (30, LAB))
    item = AssistantText(text=text, citations=tuple(Citation(at=at, source=source) for at, source in places))
    notes = Citations()

    marked = notes.mark_text(item)

    assert marked == (
        "Lab due.\u00a0[¹](<https://canvas.example/Lab>) Essay due.\u00a0[²](<https://canvas.example/Essay>) "
        "Lab again.\u00a0[¹](<https://canvas.example/Lab>)"
    )
    assert notes.mark_text(item) == marked


@pytest.mark.parametrize("link", ["[open]({url})", "[open](<{url}>)"])
def test_a_fact_whose_line_links_to_its_source_has_no_second_link(link: str) -> None:
    text = f"- **Lab** — due Friday — {link.format(url=LAB.url)}\n- **Essay** — due Monday"
    ends = (text.index("\n"), len(text))
    cited = tuple(Citation(at=at, source=source) for at, source in zip(ends, (LAB, ESSAY), strict=True))
    notes = Citations()

    assert notes.mark_text(AssistantText(text=text, citations=cited)) == f"{text}\u00a0[¹](<{ESSAY.url}>)"
    assert LAB.url not in notes.sources_markdown()[0]


CODE = "Run this\n\n{fence}\nprint(1)\n{fence}"


def marked(text: str, *ends: str) -> str:
    """The text with a citation behind each of these pieces, as it is drawn."""
    sources = (LAB, ESSAY)
    cited = (Citation(at=text.index(end) + len(end), source=source) for end, source in zip(ends, sources, strict=False))
    written = Citations().mark_text(AssistantText(text=text, citations=tuple(cited)))
    return sanitise(written, allowed=frozenset({LAB.url, ESSAY.url}))


@pytest.mark.parametrize("fence", ["```", "~~~~"])
@pytest.mark.parametrize("rest", ["", "\n", "\nThen stop.", "\n\nThen stop."])
def test_a_mark_behind_a_fence_stands_below_it(fence: str, rest: str) -> None:
    code = CODE.format(fence=fence)

    drawn = marked(code + rest, code)

    assert drawn.startswith(f"Run this\n\n```\nprint(1)\n```\n\n[¹]({LAB.url})")
    assert drawn.removesuffix("\n\nThen stop.").endswith(f"[¹]({LAB.url})")
    assert ("\n\nThen stop." in drawn) == bool(rest.strip())


def test_marks_before_a_fence_and_within_it_leave_it_whole() -> None:
    code = CODE.format(fence="```")

    drawn = marked(code, "Run this\n\n", "print")

    assert drawn == f"Run this\u00a0[¹]({LAB.url})\n\n```\nprint(1)\n```\n\n[²]({ESSAY.url})"


@pytest.mark.parametrize("lead", ["> ", "  "])
def test_a_mark_of_code_in_a_quote_or_a_list_stays_in_there(lead: str) -> None:
    first = "> Run:" if lead == "> " else "- Run:"
    text = "\n".join([first, *(f"{lead}{line}" for line in ("```", "print(1)", "```", "Then stop."))])

    drawn = marked(text, f"print(1)\n{lead}```")

    after = drawn.partition("print(1)")[2].split("\n")
    assert [line for line in after if line.strip("> `")] == [f"{lead}[¹]({LAB.url})", f"{lead}Then stop."]
    assert drawn.count("```") == 2


def test_code_that_has_no_end_yet_takes_no_mark() -> None:
    assert marked("```\nprint(1)", "print(1)") == sanitise("```\nprint(1)", allowed=frozenset())


QUOTE = "Osmosis is the net movement of water"


@pytest.mark.parametrize("is_material", [True, False])
def test_only_a_link_to_a_materials_page_tells_the_passage_to_mark(is_material: bool) -> None:
    url = material_address("http://localhost:8501", "canvas-1.file-2", 12) if is_material else LAB.url
    citation = Citation(at=8, source=Source(title="Lecture 4, slide 12", url=url), quote=QUOTE)
    notes = Citations()

    written = notes.mark_text(AssistantText(text="Osmosis.", citations=(citation,)))

    marked_url = f"{url}#passage={QUOTE.replace(' ', '%20')}"
    assert notes.addresses == (frozenset({marked_url}) if is_material else frozenset())
    drawn = sanitise(written, allowed=frozenset({url}) | notes.addresses)
    assert drawn == f"Osmosis.\u00a0[¹]({marked_url if is_material else url})"
    assert f"](<{marked_url if is_material else url}>)" in notes.sources_markdown()[0]


def test_what_is_no_address_is_not_cited() -> None:
    bait = Source(title="Lab", url="https://canvas.example/1>) **Sign in again** [here](<https://evil.example")
    item = AssistantText(text="Lab due.", citations=(Citation(at=8, source=bait),))

    assert Citations().mark_text(item) == "Lab due."


def _page(number: int) -> None:
    from services.conversations.items import AssistantText
    from services.llm.citations import Citation, Source
    from ui.chat.answer_text import Citations

    urls = [f"https://canvas.example/{n}" for n in range(number)]
    notes = Citations()
    cited = tuple(Citation(at=1, source=Source(title=f"Task *{url[-1]}*", url=url)) for url in urls)
    notes.mark_text(AssistantText(text="x", citations=cited))
    notes.draw(known=frozenset(urls))


def _drawn(number: int) -> AppTest:
    page = AppTest.from_function(_page, args=(number,)).run()
    assert not page.exception
    return page


def test_a_few_sources_stand_in_a_line() -> None:
    (line,) = _drawn(2).caption

    assert line.value == "¹ [Task \\*0\\*](https://canvas.example/0) · ² [Task \\*1\\*](https://canvas.example/1)"
    assert not _drawn(2).expander


def test_many_sources_open_on_demand() -> None:
    page = _drawn(8)

    assert [fold.label for fold in page.expander] == ["8 sources"]
    assert page.caption[0].value.count("](") == 8


def test_no_sources_no_notes() -> None:
    assert not _drawn(0).caption
