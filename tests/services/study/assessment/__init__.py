"""Attempts at quizzes and their marks."""
