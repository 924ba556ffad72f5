"""Grades of the campus's Canvas: submissions, totals and grading periods."""
