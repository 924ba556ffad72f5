"""Tool that reviews flashcards in words: the next one that is due, and a rating."""

from typing import Annotated, Any, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import formats, gettext, gettext_noop
from services.i18n.english import count, moment
from services.integrations.materials.access import CourseFilter
from services.integrations.study.access import course_key_of, study_tool
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import plain
from services.study.flashcard import Flashcard, ReviewRating
from services.study.review.review_results import ReviewQueue
from services.tools.context import ToolExecutionContext
from services.tools.providers.dry_run import refuse_in_dry_run
from services.tools.result import ToolResult
from services.tools.tool import Effect, Example

RATINGS = {
    "again": ReviewRating.AGAIN,
    "hard": ReviewRating.HARD,
    "good": ReviewRating.GOOD,
    "easy": ReviewRating.EASY,
}


@study_tool(
    label=gettext_noop("Going through your cards"),
    title=gettext_noop("Review your cards"),
    summary=gettext_noop("Review your due cards in words, one after the other"),
    effect=Effect.RECORD,
    usage_hint="Gives the next due card, and rates how well the student knew one.",
    when=("the student wants to review their cards here, or says how well they knew the card that was asked",),
    when_not=("they ask only which cards are due, or how many: list that",),
    examples=(
        Example(description="Review my bio cards with me", arguments={"course": "bio"}),
        Example(description="I knew that one", arguments={"card": "00065a1b2c3d4e5f6a7b8.3", "rating": "good"}),
        Example(description="Oops, take that rating back", arguments={"take_back": True}),
    ),
)
def study_review(
    context: ToolExecutionContext,
    *,
    course: CourseFilter = None,
    card: Annotated[str, Field(max_length=80, description="Id of the card to rate, as it was given.")] = "",
    rating: Annotated[
        Literal["again", "hard", "good", "easy"] | None,
        Field(description="How well the student says that they knew it."),
    ] = None,
    take_back: Annotated[bool, Field(description="Take the last rating back.")] = False,
) -> ToolResult:
    """Give the next flashcard that is due, with its back, or rate one and give the next.

    Ask its front alone; after the student's answer show the back, and ask how well they knew it.
    """
    refuse_in_dry_run()
    reviews, student = context.container.study.reviews, context.student
    lines: list[str] = []
    rated: dict[str, Any] | None = None
    if take_back:
        lines = [gettext("The last rating is taken back.")]
        reviews.undo(student)
    elif card or rating:
        id, _, number = card.partition(".")
        if not (rating and id and number.isdigit()):
            raise BadArguments(
                "card, rating: both are needed, the card by its id as it was given.",
                field="card",
                said=gettext("Say which card, and how well it was known."),
            )
        after = reviews.rate(student, id, RATINGS[rating], review_id=f"words-{id}-{number}")
        when = after.card.due_at
        again_at = formats.moment(when.astimezone(context.timezone), context.timezone) if when else ""
        lines = [gettext("Noted; it comes again {when}.", when=again_at)]
        rated = {"card": id, "rating": rating, "due_at": when.isoformat() if when else None}
    queue = reviews.queue(student, course_key_of(context, course), limit=1)
    lines += _lines(queue, context)
    # Which card is due, and when, is Homeroom's own word.
    declared([card_token(each) for each in queue.cards] or ["no card"], Provenance.SERVICE)
    return ToolResult(output="\n".join(lines), data={"rated": rated, **_data(queue)})


def card_token(card: Flashcard) -> str:
    """Id of a card for one rating: rated twice with the same, it counts once."""
    return f"{card.id}.{card.reviews}"


def _lines(queue: ReviewQueue, context: ToolExecutionContext) -> list[str]:
    if not queue.cards:
        if queue.next_at is None:
            return ["No card is due, and none is kept yet."]
        return [f"No card is due now. The next one comes {moment(queue.next_at, context.timezone)}."]
    (card,) = queue.cards
    # A card may be from anybody's page, or from a deck of others.
    declared([card.front, card.back], Provenance.STRANGERS)
    front, back = (plain(side).strip().replace("\n", "\n> ") for side in (card.front, card.back))
    left = f"{count(queue.due + queue.new, 'card')} left today, about {count(queue.minutes, 'minute')}."
    return [left, f"Card (id: {card_token(card)}). Front:", f"> {front}", "Back, for after the answer:", f"> {back}"]


def _data(queue: ReviewQueue) -> dict[str, Any]:
    card = queue.cards[0] if queue.cards else None
    return {
        "card": {"id": card_token(card), "front": card.front, "back": card.back, "topic": card.topic} if card else None,
        "left": queue.due + queue.new,
        "minutes": queue.minutes,
        "next_at": queue.next_at.isoformat() if queue.next_at else None,
    }
