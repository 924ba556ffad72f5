"""The assistants a student can pick: what each may use, and how it works."""
