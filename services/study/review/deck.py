"""`Deck`: a student's flashcards: added, looked over, changed and dropped."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound, TooLarge
from services.i18n import formats, gettext
from services.identity.students import Student
from services.runtime.clock import Clock
from services.study.flashcard import Flashcard, FlashcardPicture, FlashcardState, Review
from services.study.review.exam_cap import ExamCaps
from services.study.store.card_repository import CardRepository

SERVICE = "Homeroom"
LONGEST_SIDE, LONGEST_TOPIC, LONGEST_TAG = 5_000, 100, 60
"""Characters of a side of a card, of its topic and of a tag."""
MOST_CARDS, MOST_TAGS, MOST_PICTURES = 20_000, 20, 10
MOST_PICTURE_BYTES, MOST_PICTURES_BYTES = 2_000_000, 200_000_000
"""Of one picture, and of all that a student has; as base64."""
MOST_LISTED = 200
EDITED = ("front", "back", "topic", "tags", "course_key")
_TRIES = 6


@dataclass(frozen=True, kw_only=True)
class CardPage:
    """Some of a student's cards. after: what the next page is asked for with; "" for the last."""

    cards: tuple[Flashcard, ...]
    after: str = ""


class Deck:
    """Flashcards of all students."""

    def __init__(self, cards: CardRepository, caps: ExamCaps, clock: Clock) -> None:
        self._cards, self._caps, self._clock = cards, caps, clock

    def cards(
        self,
        student: Student,
        course_key: str = "",
        *,
        topic: str = "",
        state: FlashcardState | None = None,
        query: str = "",
        limit: int = 50,
        after: str = "",
    ) -> CardPage:
        """Cards of a course, of a topic, in a state or with these words, the newest first.

        course_key, topic: "" for all. after: `CardPage.after` of the page before.
        """
        limit = min(max(1, limit), MOST_LISTED)
        asked = _where(course_key=course_key, topic=topic, state=str(state or ""))
        found: list[Flashcard] = []
        while True:
            wanted = limit + 1 - len(found) if not query.strip() else MOST_LISTED
            rows = self._cards.find(student.id, asked | ({"id": {"$lt": after}} if after else {}), limit=wanted)
            found += [card for card in rows if _has_words(card, query)]
            if len(rows) < wanted or len(found) > limit:
                break
            after = rows[-1].id
        page = found[:limit]
        return CardPage(cards=tuple(page), after=page[-1].id if len(found) > limit else "")

    def card(self, student: Student, id: str) -> Flashcard:
        """Get a card; raises `ItemNotFound`."""
        card = self._cards.card(student.id, id)
        if card is None:
            raise no_such_card()
        return card

    def cards_by_id(self, student: Student, ids: Sequence[str]) -> list[Flashcard]:
        """Those of these cards that there are, in no order."""
        return self._cards.cards(student.id, ids)

    def count(self, student: Student, course_key: str = "", *, state: FlashcardState | None = None) -> int:
        """How many cards there are of a course and in a state; of all by default."""
        return self._cards.count(student.id, _where(course_key=course_key, state=str(state or "")))

    def course_keys(self, student: Student) -> list[str]:
        """The courses that there are cards of; "" for those of no course."""
        return self._cards.course_keys(student.id)

    def pictures(self, student: Student, id: str) -> tuple[FlashcardPicture, ...]:
        """The pictures of a card, with their data."""
        return self._cards.pictures(student.id, id)

    def logs(self, student: Student, ids: Sequence[str]) -> dict[str, list[Review]]:
        """Reviews of these cards by the card's id, the oldest first, without what was taken back."""
        return self._cards.logs(student.id, ids)

    def new_card(self, *, front: str, back: str, **more: Any) -> Flashcard:
        """Make a card that is not stored yet, kept, with an id by which cards sort in the order of their making."""
        made_at = self._clock()
        id = new_card_id(made_at)
        return Flashcard(
            **{"id": id, "guid": id, "state": FlashcardState.KEPT, "made_at": made_at, **more}, front=front, back=back
        )

    def add(
        self, student: Student, cards: Sequence[Flashcard], logs: Mapping[str, Sequence[Review]] = {}
    ) -> list[Flashcard]:
        """Add cards as they are, thousands at once; those whose id is taken stay as they are. Gives the cards added.
        logs: reviews that were given elsewhere, by the card's id.

        Raises `BadArguments` for a side that is empty or too long, `TooLarge` beyond the limits; then none is added.
        """
        cap = self._caps.of(student)
        checked = [_checked(card) for card in cards]
        self._check_room(student, checked)
        dated = [replace(card, due_at=cap.due_at(card)) if card.schedule else card for card in checked]
        return self._cards.add(student.id, dated, logs)

    def add_drafts(self, student: Student, cards: Sequence[Flashcard]) -> list[Flashcard]:
        """Add cards for the student to look over first."""
        return self.add(student, [replace(card, state=FlashcardState.DRAFT, due_at=None) for card in cards])

    def edit(self, student: Student, id: str, **changes: Any) -> Flashcard:
        """Change front, back, topic, tags or course_key of a card; its schedule stays. Raises as `add` does."""
        wanted = _known(changes)

        def change(card: Flashcard) -> Mapping[str, Any]:
            checked = _checked(replace(card, **wanted))
            moved = (
                {"due_at": self._caps.of(student).due_at(checked)} if "course_key" in wanted and card.schedule else {}
            )
            return {**{name: getattr(checked, name) for name in wanted}, **moved}

        return self._change(student, id, change)

    def keep(self, student: Student, ids: Sequence[str]) -> int:
        """Take drafts into review; how many there were."""
        return self._change_state(student, ids, FlashcardState.DRAFT, FlashcardState.KEPT)

    def suspend(self, student: Student, ids: Sequence[str], *, is_suspended: bool = True) -> int:
        """Ask these cards no more until further notice, or again; how many changed."""
        states = (FlashcardState.KEPT, FlashcardState.SUSPENDED)
        return self._change_state(student, ids, *(states if is_suspended else reversed(states)))

    def drop(self, student: Student, ids: Sequence[str]) -> None:
        """Delete cards, with their log. Those that are gone are no error."""
        self._cards.drop(student.id, list(ids))

    def set_for_exam(self, student: Student, id: str, *, is_for_exam: bool) -> Flashcard:
        """Say whether a card is for the exam: only then its intervals end before it."""
        caps = self._caps.of(student)

        def change(card: Flashcard) -> Mapping[str, Any]:
            changed = replace(card, is_for_exam=is_for_exam)
            return {"is_for_exam": is_for_exam, "due_at": caps.due_at(changed) if card.schedule else card.due_at}

        return self._change(student, id, change)

    def _change(self, student: Student, id: str, change: Callable[[Flashcard], Mapping[str, Any]]) -> Flashcard:
        for _ in range(_TRIES):
            card = self.card(student, id)
            if changed := self._cards.update(student.id, card, change(card)):
                return changed
        raise ChangedElsewhere(SERVICE, gettext("This card is being changed elsewhere."))

    def _change_state(self, student: Student, ids: Sequence[str], *states: FlashcardState) -> int:
        before, after = states
        cards = [card for card in self._cards.cards(student.id, list(ids)) if card.state is before]
        self._cards.update_all(student.id, [(card, {"state": after}) for card in cards])
        return len(cards)

    def _check_room(self, student: Student, cards: Sequence[Flashcard]) -> None:
        if self.count(student) + len(cards) > MOST_CARDS:
            raise TooLarge(
                SERVICE,
                gettext("You can have up to {most} cards.", most=formats.number(MOST_CARDS)),
                next_step=gettext("Delete cards that you do not need any more, or add fewer."),
            )
        new = sum(len(picture.data) for card in cards for picture in card.pictures)
        if new and new + self._picture_bytes(student) > MOST_PICTURES_BYTES:
            raise TooLarge(
                SERVICE,
                gettext("There is no room for these pictures."),
                next_step=gettext("Delete cards with pictures that you do not need any more."),
            )

    def _picture_bytes(self, student: Student) -> int:
        return sum(picture.size for card in self._cards.find(student.id, {}) for picture in card.pictures)


def new_card_id(made_at: datetime) -> str:
    """A random id; later ones sort behind earlier ones."""
    return f"{int(made_at.timestamp() * 1_000_000):015x}{secrets.token_hex(5)}"


def no_such_card() -> ItemNotFound:
    return ItemNotFound(
        SERVICE, gettext("That card is not there any more."), next_step=gettext("Go on with the next one.")
    )


def _where(**wanted: str) -> dict[str, Any]:
    return {name: value for name, value in wanted.items() if value}


def _checked(card: Flashcard) -> Flashcard:
    """The card with its text trimmed; raises `BadArguments` and `TooLarge`."""
    front, back = card.front.strip(), card.back.strip()
    for name, side in (("front", front), ("back", back)):
        if not side:
            said = gettext("A card needs a front and a back.")
            raise BadArguments(said, field=name, next_step=gettext("Write something on both sides."))
        if len(side) > LONGEST_SIDE:
            said = gettext("A side of a card holds up to {most} characters.", most=formats.number(LONGEST_SIDE))
            raise BadArguments(said, field=name, next_step=gettext("Shorten it, or make two cards of it."))
    if len(card.pictures) > MOST_PICTURES or any(len(each.data) > MOST_PICTURE_BYTES for each in card.pictures):
        raise TooLarge(
            SERVICE,
            gettext("A picture of a card is too large, or there are too many."),
            next_step=gettext("Use a smaller one."),
        )
    tags = tuple(dict.fromkeys(tag.strip()[:LONGEST_TAG] for tag in card.tags if tag.strip()))[:MOST_TAGS]
    return replace(card, front=front, back=back, topic=card.topic.strip()[:LONGEST_TOPIC], tags=tags)


def _known(changes: Mapping[str, Any]) -> Mapping[str, Any]:
    if unknown := changes.keys() - EDITED:
        raise TypeError(f"A card's {', '.join(sorted(unknown))} cannot be edited.")
    return changes


def _has_words(card: Flashcard, query: str) -> bool:
    text = " ".join((card.front, card.back, card.topic, *card.tags)).casefold()
    return all(word in text for word in query.casefold().split())
