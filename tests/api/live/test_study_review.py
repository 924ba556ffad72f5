"""The routes of review: cards as safe HTML, ratings that count once, the student's own cards alone (T40)."""

import base64
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from services.study.flashcard import Flashcard, FlashcardPicture
from services.study.question import Quotation, SourceKind
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom, error_of

MakeApi = Callable[..., ApiRoom]
PAGE = "/materials?open=m&page=4"
PNG = b"\x89PNG\r\n\x1a\n rest"
HOSTILE = (
    "<img src=x onerror=alert(1)> <script>alert(2)</script>\n\n[click](javascript:alert(3)) "
    "[here](https://evil.example/?q=1) ![beacon](https://evil.example/a.png) ⟦0⟧ ![](cell.png)"
)


@pytest.fixture
def room(make_api: MakeApi) -> ApiRoom:
    return make_api()


@pytest.fixture
def maya(room: ApiRoom) -> LiveBrowser:
    return LiveBrowser(room.client, room.services)


def add(room: ApiRoom, **more: Any) -> Flashcard:
    deck = room.services.study.cards
    card = deck.new_card(**{"front": "What is $x^2$?", "back": "A **square**.", **more})
    return deck.add(room.maya.student, [card])[0]


def ask(browser: LiveBrowser, what: str, **body: Any) -> httpx2.Response:
    return browser.client.post(f"/live/study/review/{what}", headers=browser.headers, json=body)


def test_cards_come_with_formulas_their_page_and_what_each_button_brings(room: ApiRoom, maya: LiveBrowser) -> None:
    quotation = Quotation(
        source=SourceKind.MATERIAL,
        source_id="m",
        page=4,
        place="Slide 4",
        url="/materials?open=m&page=4",
        words="Words",
    )
    card = add(room, quotation=quotation, topic="Powers")

    told = ask(maya, "queue").json()

    (shown,) = told["cards"]
    assert shown["front"]["html"] == ['<p>What is <span class="formula" data-display="false">x^2</span>?</p>']
    assert shown["back"]["html"] == ["<p>A <strong>square</strong>.</p>"]
    assert shown["source"] == {"place": "Slide 4", "words": "Words", "url": PAGE}
    assert [shown["ratings"][key]["label"] for key in "123"] == ["1 min", "6 min", "10 min"]
    assert shown["ratings"]["1"]["again_s"] == 60
    assert shown["ratings"]["4"]["again_s"] is None
    assert (shown["id"], told["due"], told["new"], told["undo"]) == (card.id, 0, 1, "")


def test_a_rating_counts_once_and_is_taken_back(room: ApiRoom, maya: LiveBrowser) -> None:
    card = add(room)

    first, again = (ask(maya, "rate", card=card.id, rating=3, id="one", seconds=4.2).json() for _ in range(2))
    assert (first["undo"], first["again_s"]) == ("one", 600)
    assert again["undo"] == "one"
    assert first["ratings"]["3"]["again_s"] is None
    assert room.services.study.cards.card(room.maya.student, card.id).reviews == 1
    assert ask(maya, "queue").json()["undo"] == "one"

    back = ask(maya, "undo", id="").json()
    assert (back["card"]["id"], back["undo"]) == (card.id, "")
    assert room.services.study.cards.card(room.maya.student, card.id).reviews == 0
    assert ask(maya, "undo", id="").status_code == 404
    late = ask(maya, "rate", card=card.id, rating=3, id="one").json()
    assert late["again_s"] is None


def test_a_rating_that_was_kept_counts_for_when_it_was_given(room: ApiRoom, maya: LiveBrowser) -> None:
    card = add(room)

    ask(maya, "rate", card=card.id, rating=4, id="one", ago=7_200)

    latest = room.services.study.cards.card(room.maya.student, card.id).latest
    assert latest is not None
    assert abs(room.services.clock() - latest.at - timedelta(hours=2)) < timedelta(seconds=30)


def test_what_a_card_says_runs_nothing_and_leads_nowhere(room: ApiRoom, maya: LiveBrowser) -> None:
    picture = FlashcardPicture(name="cell.png", media_type="image/png", data=base64.b64encode(PNG).decode())
    hostile = Quotation(source=SourceKind.TEXT, place="<b>x</b>", url="https://evil.example/", words="Words")
    add(room, front=HOSTILE, pictures=(picture,), quotation=hostile)

    (shown,) = ask(maya, "queue").json()["cards"]

    html = "".join(shown["front"]["html"])
    assert [tag for tag in ("<img", "<script", "<a ") if tag in html] == []
    assert "https://evil.example/a.png" not in html
    assert html.count("⟦0⟧") == 1
    assert shown["front"]["pictures"] == {"0": ""}
    assert shown["source"]["url"] == ""


def test_a_picture_comes_as_what_it_is_or_not_at_all(room: ApiRoom, maya: LiveBrowser) -> None:
    good = FlashcardPicture(name="cell.png", media_type="image/png", data=base64.b64encode(PNG).decode())
    script = FlashcardPicture(name="x.svg", media_type="image/svg+xml", data=base64.b64encode(b"<svg/>").decode())
    card = add(room, pictures=(good, script))

    answer = ask(maya, "picture", card=card.id, number=0)

    assert (answer.content, answer.headers["content-type"]) == (PNG, "image/png")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert ask(maya, "picture", card=card.id, number=1).status_code == 404
    assert ask(maya, "picture", card=card.id, number=2).status_code == 404


def test_a_card_is_edited_set_aside_and_freed_of_the_exam(room: ApiRoom, maya: LiveBrowser) -> None:
    card = add(room)

    edited = ask(maya, "edit", card=card.id, front="Better *front*", back="Back").json()["card"]
    assert edited["front"]["html"] == ["<p>Better <em>front</em></p>"]
    assert error_of(ask(maya, "edit", card=card.id, front=" ", back="Back")) == "bad_arguments"
    assert not ask(maya, "for-exam", card=card.id, on=False).json()["card"]["is_for_exam"]
    assert ask(maya, "suspend", card=card.id, on=True).status_code == 200
    assert ask(maya, "queue").json()["cards"] == []


def test_only_pages_of_ours_ask_for_the_student_who_is_signed_in(room: ApiRoom, maya: LiveBrowser) -> None:
    card = add(room)
    body = {"card": card.id, "rating": 3, "id": "one"}
    diego = LiveBrowser(room.client, room.services, subject="diego")

    plain = {name: value for name, value in maya.headers.items() if name.lower() != "x-requested-with"}
    assert maya.client.post("/live/study/review/rate", headers=plain, json=body).status_code == 403
    assert ask(diego, "rate", **body).status_code == 404
    for what in ("edit", "for-exam", "picture"):
        assert ask(diego, what, card=card.id, front="x", back="y", on=True, number=0).status_code == 404
    ask(diego, "suspend", card=card.id, on=True)
    assert ask(diego, "undo", id="one").status_code == 404
    assert len(ask(maya, "queue").json()["cards"]) == 1
    assert room.services.study.cards.card(room.maya.student, card.id).reviews == 0


@pytest.mark.parametrize(
    "body",
    [
        {"rating": 5},
        {"rating": 0},
        {"id": ""},
        {"id": "x" * 99},
        {"id": "a b"},
        {"seconds": -1},
        {"ago": -5},
        {"card": {"$ne": ""}},
        {"card": "../other"},
    ],
)
def test_what_is_no_rating_is_refused(room: ApiRoom, maya: LiveBrowser, body: dict[str, Any]) -> None:
    card = add(room)

    assert ask(maya, "rate", **{"card": card.id, "rating": 3, "id": "one", **body}).status_code == 422
