"""Study: tools that make quizzes and cards from course materials, ask them, and tell what is due to review.

`access` has what they share, `sources` what a quiz is made from.
"""

from services.i18n import gettext_noop
from services.integrations.study.tools.learner_notes import study_note
from services.integrations.study.tools.quiz_creation import study_make_cards, study_make_quiz

TOOLS = (study_make_quiz, study_make_cards, study_note)
LABEL = gettext_noop("Study")
