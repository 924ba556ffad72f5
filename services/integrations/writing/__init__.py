"""Writing integration: grammar and readability of a student's own text, checked on this machine."""

from services.integrations.writing.grammar import grammar_check
from services.integrations.writing.readability import readability_analyzer

TOOLS = (grammar_check, readability_analyzer)
