"""Files that a student attaches to a message: checked, kept, and given to the model as documents."""
