"""Store of the library: courses, materials, texts by page, uploads, and originals on the disk."""
