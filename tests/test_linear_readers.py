"""What people bring is read in linear time: fed with what the code's own patterns could be slow at (T49)."""

from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest

from services.classes.roster import parse_list
from services.conversations.titles import title_of
from services.errors import HomeroomError
from services.files.documents.text_blocks import text_blocks
from services.files.documents.web_blocks import web_blocks
from services.files.upload import clean_name
from services.i18n.search_tokens import search_tokens
from services.safety.html import html_to_text
from services.safety.markdown.sanitiser import sanitise
from services.safety.rich_text.notation import lowered, raised
from services.safety.rich_text.tex import enclosed, letters_tex
from services.safety.text import plain
from services.settings import ROOT
from services.study.exchange.anki_occlusion import read_masks
from services.study.exchange.anki_template import render
from services.study.exchange.card_markup import markdown_of
from services.study.exchange.card_table import read_table
from tests.pumped_texts import is_linear, patterns_of, pumps

Read = Callable[[str], object]
LENGTH = 8_000
READERS: Sequence[tuple[Read, Sequence[str]]] = (
    (lambda text: read_table(text.encode()), ["study/exchange/card_table"]),
    (markdown_of, ["study/exchange/card_markup"]),
    (lambda text: render(text, {"a": "b"}), ["study/exchange/anki_template"]),
    (lambda text: render("{{cloze:a}}", {"a": text}, cloze=1), ["study/exchange/anki_cloze"]),
    (lambda text: render("{{furigana:a}}", {"a": text}), ["study/exchange/anki_template"]),
    (lambda text: read_masks({"a": f"{text}image-occlusion:"}), ["study/exchange/anki_occlusion"]),
    (parse_list, ["classes/roster"]),
    (clean_name, ["files/upload"]),
    (lambda text: html_to_text(text, limit=10**6), ["safety/html", "safety/rich_text/html_tree"]),
    (plain, ["safety/text"]),
    (lambda text: list(text_blocks(text, "md")), ["files/documents/text_blocks"]),
    (lambda text: list(web_blocks(text)), ["files/documents/web_blocks", "safety/rich_text/hidden"]),
    (lambda text: raised(lowered(text)), ["safety/rich_text/notation"]),
    (lambda text: enclosed(letters_tex(text), "(", ")"), ["safety/rich_text/tex"]),
    (title_of, ["conversations/titles"]),
    (lambda text: title_of("x?", text), ["conversations/titles"]),
    (search_tokens, ["i18n/search_tokens"]),
    pytest.param(
        lambda text: sanitise(text, allowed=()),
        ["safety/markdown/sanitiser", "safety/markdown/parser", "safety/markdown/escape"],
        marks=pytest.mark.soak,
    ),
)  # type: ignore[assignment]


@pytest.mark.parametrize(("read", "modules"), READERS)
def test_four_times_the_length_costs_at_most_six_times_the_cpu(read: Read, modules: Sequence[str]) -> None:
    def read_or_refuse(text: str) -> None:
        with suppress(HomeroomError, ValueError):
            read(text)

    patterns = [found for name in modules for found in patterns_of(ROOT / f"services/{name}.py", ROOT)]
    texts = {pump for pattern in patterns for pump in pumps(pattern)}

    assert texts
    assert [pump for pump in sorted(texts) if not is_linear(read_or_refuse, *pump, LENGTH)] == []


def test_the_law_sees_a_quadratic_pattern() -> None:
    import re

    slow = re.compile(r"\\\((.+?)\\\)", re.DOTALL)
    texts = pumps(slow)

    assert not all(is_linear(lambda text: slow.sub("", text), *pump, LENGTH) for pump in texts)
