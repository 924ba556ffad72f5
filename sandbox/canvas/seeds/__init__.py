"""Seed data of Canvas: courses, people, modules and submissions, with dates around today."""
