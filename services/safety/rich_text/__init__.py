"""Rich text as plain text: the same signs for raised, struck, numbered and merged, whatever file they come from."""
