"""Parts of the Classroom page: the classes of a student, and what an instructor sets up."""
