"""Course materials: what files and pages of a course say, read in for one student, searched, and shown by page."""
