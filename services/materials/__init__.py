"""Course materials: what a course's pages, files and texts say, read in for one student, searched, and shown by page."""
