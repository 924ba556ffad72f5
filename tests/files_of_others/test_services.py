"""Answers of services as others' data makes them: columns that are worked out, calls, New Quizzes, plain titles, formulas.

The siblings follow public reports about notion-to-md, google-api clients, Canvas's New Quizzes and CommonMark.
"""

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.integrations.calendar.event import event_line
from services.integrations.canvas.assignments import from_assignment
from services.integrations.canvas.fields import COURSES
from services.integrations.feeds.parser import read_feed
from services.integrations.google_calendar.payloads import read_event
from services.integrations.notion.values import property_texts
from services.safety.fetch import FetchedPage
from services.safety.field_log import read_fields
from services.safety.markdown.html import to_html
from services.safety.markdown.sanitiser import sanitise
from tests.files_of_others import case

CHICAGO = ZoneInfo("America/Chicago")
NOW = datetime(2027, 1, 18, 12, tzinfo=UTC)


def _json(name: str) -> Any:
    return json.loads(case(name))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Days left", "12"),
        ("Real deadline", "Fri 22 Jan 2027"),
        ("Urgency", "soon"),
        ("Is late", "no"),
        ("Points so far", "41.5"),
        ("Course", "links to bbbbbbbb-2222-4333-8444-555555555555"),
        ("ID", "HW-17"),
        ("Partner", "Sam Ortega"),
        ("Sheet", "sheet6.pdf"),
        ("Made", "Sun 10 Jan 2027, 4:00 AM CST"),
    ],
    ids=lambda value: f"B44 {value}",
)
def test_a_column_that_notion_works_out_is_told(name: str, words: str) -> None:
    assert property_texts(_json("B44-notion-entry.json"), CHICAGO)[name] == words


@pytest.mark.parametrize(
    ("event", "address"),
    [
        pytest.param(_json("B45-google-event.json"), "https://meet.google.com/abc-defg-hij", id="B45"),
        pytest.param(
            _json("B45-google-event.json") | {"conferenceData": None},
            "https://meet.google.com/abc-defg-hij",
            id="only Google's own link",
        ),
        pytest.param(
            _json("B45-google-event.json")
            | {
                "hangoutLink": None,
                "conferenceData": {
                    "entryPoints": [
                        {"entryPointType": "phone", "uri": "tel:+1-555-0100"},
                        {"entryPointType": "video", "uri": "https://school.zoom.us/j/123?pwd=x_y"},
                    ]
                },
            },
            "https://school.zoom.us/j/123?pwd=x_y",
            id="another maker's call",
        ),
    ],
)
def test_the_link_of_a_call_is_told(event: dict[str, Any], address: str) -> None:
    assert f"({address})" in event_line(read_event(event, calendar_id="primary", calendar="", zone=CHICAGO))


@pytest.mark.parametrize("row", _json("B55-canvas-new-quiz.json"), ids=lambda row: f"B55 {row['name']}")
def test_a_new_quiz_is_a_quiz(row: dict[str, Any]) -> None:
    work = from_assignment(read_fields(row, COURSES), course="Bio", origin="https://canvas.example", now=NOW)

    assert work.kind == row["expected_kind"]


class _Site:
    """Site that answers every address with one feed."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def get(self, url: str, **_: Any) -> FetchedPage:
        return FetchedPage(
            url=url, asked=url, status=200, media_type="application/xml", charset=None, body=self._body, headers={}
        )


@pytest.mark.parametrize(
    ("body", "titles"),
    [
        pytest.param(case("B53.xml"), ["Why the <pre> element does so little", "Fish & chips night"], id="B53"),
        pytest.param(
            b'<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><id>1</id>'
            b'<title type="text">AT&amp;T and List&lt;int&gt;</title></entry></feed>',
            ["AT&T and List<int>"],
            id="generics",
        ),
        pytest.param(
            b'<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><id>1</id>'
            b'<title type="html"><![CDATA[H<sub>2</sub>O &amp; you]]></title></entry></feed>',
            ["H2O & you"],
            id="CDATA",
        ),
    ],
)
def test_a_title_is_read_as_its_feed_says(body: bytes, titles: list[str]) -> None:
    feed = read_feed(_Site(body), "https://club.example/feed")  # type: ignore[arg-type]

    assert [item.title for item in feed.items] == titles


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        pytest.param(case("B41.md").decode(), 2, id="B41"),
        pytest.param(r"So \(x\), \(y\) and \[z = x + y\]", 3, id="in one line"),
        pytest.param("1. \\(a\\)\n2. \\(b\\)", 2, id="in a list"),
        pytest.param("see [1] and [a = b]", 0, id="brackets of words"),
        pytest.param(r"`\(x\)` in LaTeX", 0, id="code"),
    ],
)
def test_formulas_in_latex_brackets_are_drawn(text: str, formulas: int) -> None:
    assert "".join(to_html(sanitise(text, allowed=frozenset()))).count('class="formula"') == formulas
