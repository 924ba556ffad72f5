"""Recent chats are told apart, also those with one title."""

from services.conversations.conversation import Conversation
from ui.sidebar import chat_labels

TWINS = [Conversation(id=id, title="What is due this week?") for id in ("0a1b", "0a1c")]
OTHER = Conversation(id="ffff", title="When am I free?")


def test_chats_with_one_title_have_labels_of_their_own_that_look_alike() -> None:
    told = chat_labels([*TWINS, OTHER])

    assert len(set(told.values())) == 3
    for twin in TWINS:
        seen = "".join(letter for letter in told[twin.id] if letter != "\u2060" and not "\ufe00" <= letter <= "\ufe0f")
        assert seen == TWINS[0].title


def test_a_title_that_stands_alone_stays_as_it_is() -> None:
    assert chat_labels([OTHER]) == {"ffff": "When am I free?"}
