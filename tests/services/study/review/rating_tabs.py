"""Two tabs that rate cards on one store until they are killed, telling each rating before it is sent and after.

python -m tests.services.study.review.rating_tabs ADDRESS NAME
"""

import random
import sys
import threading

from services.errors import ItemNotFound
from tests.services.storage.writer import open_address, say
from tests.services.study.review.desk import Desk

TABS = 2


def main(address: str, name: str) -> None:
    """Lines: `sent CARD RATING REVIEW`, `counted REVIEW`, `undoing REVIEW`, `undone REVIEW`."""
    desk = Desk(open_address(address))
    cards = [card.id for card in desk.deck.cards(desk.student).cards]

    def rate(tab: int) -> None:
        chance = random.Random(f"{name} {tab}")
        for number in range(10_000):
            review, card, rating = f"{name}-{tab}-{number}", chance.choice(cards), chance.randrange(1, 5)
            desk.clock.advance(seconds=1)
            say(f"sent {card} {rating} {review}")
            desk.rate(card, rating, review)
            say(f"counted {review}")
            if chance.random() < 0.2:
                say(f"undoing {review}")
                try:
                    desk.reviews.undo(desk.student, review)
                except ItemNotFound:
                    continue
                say(f"undone {review}")

    tabs = [threading.Thread(target=rate, args=(tab,), daemon=True) for tab in range(TABS)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
