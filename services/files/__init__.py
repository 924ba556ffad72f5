"""Files that a student attaches to a message: checked, stored, and sent to the model as content blocks."""
