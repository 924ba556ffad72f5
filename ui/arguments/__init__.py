"""Form for a tool's arguments, generated from its JSON Schema."""
