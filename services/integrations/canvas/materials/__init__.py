"""Course materials of Canvas: files, pages, texts and links of a course, as one student may read them now."""
