"""Cards of actions and questions that wait for the student, and the list of what was done."""
