"""What Homeroom keeps of a student: told in plain words, given out whole, and deleted for good."""
