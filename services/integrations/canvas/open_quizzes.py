"""Open quizzes of Canvas: those that this student can take, or hand in, for a grade now."""
