"""Exam plans: sessions until the exam, in the student's free time."""
