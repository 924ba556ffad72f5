"""`Reviews`: the flashcards that a student reviews today, their ratings (a lapse where one was forgotten), the undo.

A rating counts once, however often it is sent: its id stands in the log or, where a process died in between, in the
card itself. Ratings of the same card that come at once count one after the other.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from services.errors import BadArguments, ChangedElsewhere, DuplicateDocument, ItemNotFound, WriteConflict
from services.i18n import gettext
from services.identity.students import Student
from services.runtime.clock import Clock
from services.study.flashcard import Flashcard, FlashcardState, Review, ReviewRating
from services.study.review.day_plan import AHEAD, DayPlan, plan_day
from services.study.review.deck import SERVICE, no_such_card
from services.study.review.exam_cap import ExamCap, ExamCaps
from services.study.review.review_preferences import ReviewPreferences, ReviewPreferencesRepository
from services.study.review.review_results import RatedCard, ReviewCount, ReviewQueue
from services.study.review.scheduler import REVIEW, SCHEDULER, days_since, is_lapse, rated, replayed
from services.study.review.study_day import start_of_day, study_day
from services.study.store.card_repository import CardRepository, scheduled

UNDO_WITHIN = timedelta(days=1)
LONGEST_AGO = timedelta(days=30)
"""How late a rating may arrive that a browser kept while it was offline."""
LONGEST_S, USUAL_S, NEW_RATINGS = 60.0, 9.0, 2.5
"""Seconds that a card counts with at most, those of a card before anything is known, and ratings of a new card."""
_KNOWN = 30
_NEW_AT_HAND = 3
"""Times as many new cards are read as may come, as some are siblings."""
_TRIES = 12


class Reviews:
    """Reviews of all students."""

    def __init__(
        self, cards: CardRepository, caps: ExamCaps, preferences: ReviewPreferencesRepository, clock: Clock
    ) -> None:
        self._cards, self._caps, self._preferences, self._clock = cards, caps, preferences, clock

    def queue(self, student: Student, course_key: str = "", *, limit: int = 20, is_more: bool = False) -> ReviewQueue:
        """What to review now, of a course or of all. is_more: beyond today's portion."""
        now = self._clock()
        plan, cap, today = self._plan(student, now, is_more=is_more)
        cards = [card for card in plan.cards if course_key in ("", card.course_key)]
        new = sum(not card.schedule for card in cards)
        chosen = tuple(cards[:limit])
        ahead = None if cards else self._cards.next_due(student.id, now, course_key or None)
        return ReviewQueue(
            cards=chosen,
            due=len(cards) - new,
            new=new,
            later=plan.later,
            has_more=plan.has_more,
            done=len({review.card_id for review in today}),
            minutes=_minutes(len(cards) - new, new, today),
            next_at=ahead,
            undo=self._undoable(student, now),
            intervals={card.id: self._intervals(card, cap, now) for card in chosen},
            for_exam=frozenset(card.id for card in chosen if _is_of_exam(card, cap)),
        )

    def counts(self, student: Student) -> Mapping[str, ReviewCount]:
        """What is to be reviewed today, by course."""
        plan, _, today = self._plan(student, self._clock())
        new = Counter(card.course_key for card in plan.cards if not card.schedule)
        all_cards = Counter(card.course_key for card in plan.cards)
        return {
            key: ReviewCount(due=number - new[key], new=new[key], minutes=_minutes(number - new[key], new[key], today))
            for key, number in all_cards.items()
        }

    def intervals(self, student: Student, card: Flashcard) -> Mapping[ReviewRating, timedelta]:
        """How long it is until the card comes again, by rating; whole days from a day on."""
        return self._intervals(card, self._caps.of(student), self._clock())

    def has_exam(self, student: Student, card: Flashcard) -> bool:
        """Whether an exam is coming that covers this card, or would if the student had not said otherwise."""
        return _is_of_exam(card, self._caps.of(student))

    def rate(
        self,
        student: Student,
        card_id: str,
        rating: ReviewRating,
        *,
        review_id: str,
        seconds: float = 0.0,
        ago: timedelta = timedelta(),
    ) -> RatedCard:
        """Count a rating. review_id: the same again counts once. ago: how long ago it was given, offline.

        Raises `ItemNotFound` for a card that was dropped, `BadArguments` for a draft or an id of another card's review,
        `ChangedElsewhere` when the card goes on changing.
        """
        at = self._clock() - min(max(ago, timedelta()), LONGEST_AGO)
        for _ in range(_TRIES):
            # The card first: a review that is neither in it nor, read later, in the log was not counted.
            card = self._card(student, card_id)
            known = self._cards.review(student.id, review_id)
            if known is None and card.latest is not None and card.latest.id == review_id:
                self._cards.complete_log(student.id, card)
                known = card.latest
            if known is not None:
                return RatedCard(card=card, review=_same_card(known, card_id), undo=review_id)
            try:
                after, review = self._rated(student, card, rating, at, Review(
                    id=review_id, card_id=card_id, rating=rating, at=at, seconds=min(max(seconds, 0.0), LONGEST_S)
                ))  # fmt: skip
                self._cards.complete_log(student.id, card)
                self._cards.record(student.id, card, after, review)
            except (WriteConflict, DuplicateDocument):
                continue
            return RatedCard(
                card=replace(after, latest=review, version=card.version + 1), review=review, undo=review_id
            )
        raise _restless()

    def undo(self, student: Student, review_id: str = "") -> RatedCard:
        """Take back a review, by default the last; ratings that its card got later stay. Twice counts once.

        Raises `ItemNotFound` when there is none of the last day.
        """
        for _ in range(_TRIES):
            now = self._clock()
            review = self._cards.review(student.id, review_id or self._undoable(student, now))
            if review is None or review.at < now - UNDO_WITHIN:
                raise ItemNotFound(
                    SERVICE, gettext("There is nothing to take back."), next_step=gettext("Go on with the next card.")
                )
            card = self._card(student, review.card_id)
            if review.is_undone or (card.latest and card.latest.id == review.id and card.latest.is_undone):
                self._cards.complete_log(student.id, card)
                return RatedCard(card=card, review=review, undo=self._undoable(student, now))
            self._cards.complete_log(student.id, card)
            undone = replace(review, is_undone=True)
            after = self._without(student, card, review)
            try:
                self._cards.record(student.id, card, after, undone)
            except WriteConflict:
                continue
            changed = replace(after, latest=undone, version=card.version + 1)
            return RatedCard(card=changed, review=undone, undo=self._undoable(student, now))
        raise _restless()

    def preferences(self, student: Student) -> ReviewPreferences:
        return self._preferences.get(student.id)

    def set_limits(self, student: Student, *, reviews_a_day: int, new_a_day: int) -> ReviewPreferences:
        """Change the daily limits; raises `BadArguments` for impossible ones."""
        return self._preferences.set_limits(student.id, reviews_a_day=reviews_a_day, new_a_day=new_a_day)

    def _plan(self, student: Student, now: datetime, *, is_more: bool = False) -> tuple[DayPlan, ExamCap, list[Review]]:
        cap, wanted = self._caps.arrange(student), self._preferences.get(student.id)
        today = self._cards.reviews_since(student.id, start_of_day(study_day(now, cap.zone), cap.zone))
        courses = dict.fromkeys(exam.course_key for exam in cap.exams)
        most = _NEW_AT_HAND * wanted.new_a_day
        new = {card.id: card for key in (*courses, None) for card in self._cards.new(student.id, key, most)}
        plan = plan_day(
            self._cards.due(student.id, now + AHEAD),
            list(new.values()),
            today,
            wanted=wanted,
            cap=cap,
            now=now,
            is_more=is_more,
        )
        return plan, cap, today

    def _rated(
        self, student: Student, card: Flashcard, rating: ReviewRating, at: datetime, review: Review
    ) -> tuple[Flashcard, Review]:
        if card.state is FlashcardState.DRAFT:
            said = gettext("This card is still a draft.")
            raise BadArguments(said, next_step=gettext("Keep it first, then review it."))
        cap = self._caps.of(student)
        if card.latest is not None:
            at = max(at, card.latest.at + timedelta(microseconds=1))
        card = self._converted(student, card, cap)
        schedule = rated(card.schedule, rating, at, cap.zone, card_id=card.id, reviews=card.reviews)
        after = replace(
            card,
            schedule=schedule,
            scheduler=SCHEDULER,
            reviews=card.reviews + 1,
            lapses=card.lapses + is_lapse(card.schedule, rating),
            rehearsed=cap.rehearsed(card, at),
        )
        days = days_since(card.schedule, at, cap.zone)
        logged = replace(review, at=at, days=days, scheduler=SCHEDULER, sibling=card.sibling, before=scheduled(card))
        return replace(after, due_at=cap.due_at(after)), logged

    def _converted(self, student: Student, card: Flashcard, cap: ExamCap) -> Flashcard:
        """The card with the schedule that this version of the scheduler would have given it."""
        if not card.schedule or card.scheduler == SCHEDULER:
            return card
        log = self._log(student, card)
        if not log:
            return replace(card, scheduler=SCHEDULER)
        return _replayed(card, log, [review for review in log if not review.is_undone], cap)

    def _without(self, student: Student, card: Flashcard, undone: Review) -> Flashcard:
        """The card as if this review had not been: the others are counted anew, from the first on."""
        cap = self._caps.of(student)
        log = self._log(student, card)
        left = [review for review in log if not review.is_undone and review.id != undone.id]
        after = _replayed(card, log, left, cap)
        if not [review for review in left if review.at > undone.at]:
            after = replace(after, rehearsed=undone.before["rehearsed"])
        return replace(after, due_at=cap.due_at(after) if after.schedule else None)

    def _undoable(self, student: Student, now: datetime) -> str:
        latest = self._cards.reviews_since(student.id, now - UNDO_WITHIN)
        return next((review.id for review in latest if review.before), "")

    def _log(self, student: Student, card: Flashcard) -> list[Review]:
        """What was reviewed here: of what came with a card from Anki, its schedule tells the outcome."""
        return [review for review in self._cards.log(student.id, card.id) if review.before]

    def _card(self, student: Student, id: str) -> Flashcard:
        card = self._cards.card(student.id, id)
        if card is None:
            raise no_such_card()
        return card

    def _intervals(self, card: Flashcard, cap: ExamCap, now: datetime) -> Mapping[ReviewRating, timedelta]:
        found = {}
        for rating in ReviewRating:
            schedule = rated(card.schedule, rating, now, cap.zone, card_id=card.id, reviews=card.reviews)
            after = replace(card, schedule=schedule, rehearsed=cap.rehearsed(card, now))
            due_at = cap.due_at(after)
            days = (study_day(due_at, cap.zone) - study_day(now, cap.zone)).days
            found[rating] = timedelta(days=days) if schedule["state"] == REVIEW else due_at - now
        return found


def _replayed(card: Flashcard, log: list[Review], counted: list[Review], cap: ExamCap) -> Flashcard:
    """The card as these reviews of its log make it. log: all of them, the first of which knows what was before."""
    first = log[0].before
    schedule, lapses = first["schedule"], first["lapses"]
    kept = _with_days(log, counted)
    for number, review in enumerate(kept, first["reviews"]):
        lapses += is_lapse(schedule, review.rating)
        schedule = replayed(schedule, [review], cap.zone, reviews=number)
    return replace(card, schedule=schedule, scheduler=SCHEDULER, reviews=first["reviews"] + len(kept), lapses=lapses)


def _with_days(log: list[Review], counted: list[Review]) -> list[Review]:
    """Reviews with the days since the one before that counts, where those between them do not."""
    ids = {review.id for review in counted}
    kept: list[Review] = []
    passed: int | None = 0
    for review in log:
        days = None if review.days is None or passed is None else passed + review.days
        if review.id in ids:
            kept.append(replace(review, days=days))
            passed = 0
        else:
            passed = days
    return kept


def _is_of_exam(card: Flashcard, cap: ExamCap) -> bool:
    return cap.exam_of(replace(card, is_for_exam=True)) is not None


def _same_card(review: Review, card_id: str) -> Review:
    if review.card_id != card_id:
        raise BadArguments("This id belongs to the review of another card.", field="review_id")
    return review


def _minutes(due: int, new: int, today: list[Review]) -> int:
    """Minutes that cards take, by what those took that were reviewed today."""
    times = [review.seconds for review in today if review.seconds > 0]
    usual = (USUAL_S * _KNOWN + sum(times)) / (_KNOWN + len(times))
    return round((due + new * NEW_RATINGS) * usual / 60 + 0.4) if due + new else 0


def _restless() -> ChangedElsewhere:
    return ChangedElsewhere(SERVICE, gettext("This card is being changed elsewhere."))
