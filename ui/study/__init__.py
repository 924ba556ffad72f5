"""Parts of the Study page: what is due, quizzes, cards, topics and the exam plan."""
