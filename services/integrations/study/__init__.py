"""Study: tools that make quizzes and cards from course materials, ask them, and tell what is due to review.

`access` has what they share, `sources` what a quiz is made from.
"""

from services.i18n import gettext_noop
from services.integrations.study.tools.exam_plan import study_exam_plan
from services.integrations.study.tools.learner_notes import study_note
from services.integrations.study.tools.overview import study_list
from services.integrations.study.tools.quiz_creation import study_make_cards, study_make_quiz
from services.integrations.study.tools.quiz_in_words import study_answer, study_next_question
from services.integrations.study.tools.review import study_review

TOOLS = (
    study_make_quiz,
    study_make_cards,
    study_list,
    study_next_question,
    study_answer,
    study_review,
    study_exam_plan,
    study_note,
)
LABEL = gettext_noop("Study")
