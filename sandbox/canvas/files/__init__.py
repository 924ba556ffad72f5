"""Files of a course as Canvas serves them: lists, folders, single files, and their bytes at another host."""
