"""Assessment: attempts at quizzes, and the marks of their answers."""
