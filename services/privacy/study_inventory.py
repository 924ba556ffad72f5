"""Data inventory of Study: what is kept of a student's practice."""

from services.i18n import gettext_noop
from services.privacy.inventory_item import UNTIL_DELETED, InventoryItem

STUDY_ITEMS = (
    InventoryItem(
        collection="study_quizzes",
        title=gettext_noop("Your quizzes"),
        holds=gettext_noop("What you asked to be made for practice, from which pages, and how far it is."),
        retention=gettext_noop("Until you delete the quiz."),
    ),
    InventoryItem(
        collection="study_questions",
        title=gettext_noop("Practice questions"),
        holds=gettext_noop("The questions of your quizzes, their answers, and the words of the source of each."),
        retention=gettext_noop("Until you delete the quiz."),
    ),
    InventoryItem(
        collection="study_attempts",
        title=gettext_noop("Your answers to quizzes"),
        holds=gettext_noop("What you answered, when, and how it was marked. No instructor sees it."),
        retention=gettext_noop("Until you delete the quiz."),
    ),
    InventoryItem(
        collection="study_cards",
        title=gettext_noop("Your cards"),
        holds=gettext_noop("Your flashcards, and when each is due."),
        retention=gettext_noop("Until you delete the card."),
    ),
    InventoryItem(
        collection="study_pictures",
        title=gettext_noop("Pictures of your cards"),
        holds=gettext_noop("The pictures that stand on your flashcards."),
        retention=gettext_noop("Until you delete the card."),
    ),
    InventoryItem(
        collection="study_reviews",
        title=gettext_noop("Your reviews"),
        holds=gettext_noop("How well you knew a card each time, which its next day is reckoned from."),
        retention=gettext_noop("Until you delete the card."),
    ),
    InventoryItem(
        collection="study_exams",
        title=gettext_noop("Your exam plans"),
        holds=gettext_noop("The exams that you prepare for, and the sessions that you planned."),
        retention=gettext_noop("Until you remove the exam."),
    ),
    InventoryItem(
        collection="study_notes",
        title=gettext_noop("What guided study noted"),
        holds=gettext_noop("What you have understood and what not yet, one sentence a topic. You can change them."),
        retention=gettext_noop("Until you delete the note."),
    ),
    InventoryItem(
        collection="study_preferences",
        title=gettext_noop("How you practise"),
        holds=gettext_noop("How many cards you want to see a day, and which exams they are arranged for."),
        retention=UNTIL_DELETED,
    ),
)
