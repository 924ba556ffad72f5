"""Parts of a class's view "Assistants": what members have, and the form, preview and history for its instructors."""
