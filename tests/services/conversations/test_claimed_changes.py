"""An answer that says it changed something is told from one that only speaks of changes."""

import pytest

from services.conversations.claimed_changes import claims_change
from tests.timing import growth

CLAIMS = (
    "Done! I added it to your calendar.",
    "I've added **Lab report 6** to your calendar for Friday.",
    "I have moved your study session to 7 pm.",
    "Done — your event is on Thursday now.",
    "All set! Your reminder will come at 9.",
    "It's done: I deleted the task.",
    "I just rescheduled the meeting with your advisor.",
    "Sure. I've marked “Read chapter 4” as done.",
    "I've gone through everything.\n\nI updated the page in Notion.",
    "I sent the e-mail to your professor.",
    "Your essay has been added to your planner.",
    "It's now on your calendar.",
    "I've set a reminder for tomorrow.",
    "I have created three tasks for the lab.",
    "I canceled it.",
    "Listo, he añadido la entrega a tu calendario.",
    "¡Hecho! La tarea ya está en tu agenda.",
    "Lo he movido al viernes.",
    "He creado un recordatorio para mañana.",
    "Te lo apunté en la agenda.",
    "Borré la tarea que me dijiste.",
    "Ya te lo he guardado.",
)
NO_CLAIMS = (
    "Shall I add it to your calendar?",
    "I can add it to your calendar.",
    "I have not added it to your calendar.",
    "I haven't moved anything.",
    "Once I've added it, you will see a card.",
    "Your exam has been moved to Friday by the instructor.",
    "Professor Ruiz posted two announcements.",
    "You have submitted the essay.",
    "I've put together a plan for you.",
    "I added up the points: 84 of 100.",
    "I've written a short outline:\n\n> I added it to your calendar.",
    "The message says “I've added it to your calendar”.",
    "```\nI added it to your calendar.\n```",
    "I found three tasks on your list.",
    "The event was moved to your Thursday slot last week.",
    "To get it done, begin on Monday.",
    "Have I moved your session?",
    "¿Lo añado a tu calendario?",
    "No he añadido la tarea a tu calendario.",
    "Puedo crear un recordatorio.",
    "La profesora ha movido el examen.",
    "Cuando lo he movido, te aviso.",
    "",
)


@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim_of_a_change_is_found(text: str) -> None:
    assert claims_change(text)


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_other_words_about_changes_are_no_claim(text: str) -> None:
    assert not claims_change(text)


@pytest.mark.parametrize("flood", ["I added ", "I've added the ", "lo he ", "`", "done ", "> ", "[a](", "I set a b c "])
def test_long_answers_are_read_in_time_that_grows_with_their_length(flood: str) -> None:
    assert growth(lambda many: claims_change(flood * many), size=3_000) < 30
