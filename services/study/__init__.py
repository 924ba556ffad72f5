"""Study: quizzes, cards and exam plans, made from what a student reads and kept for their practice."""
