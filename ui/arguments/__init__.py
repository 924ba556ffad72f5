"""A tool's arguments as fields: made from its JSON Schema, wherever a student fills them in."""
