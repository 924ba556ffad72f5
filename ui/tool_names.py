"""What a tool is called on the pages: its own name, in words."""


def in_words(name: str) -> str:
    """ "Canvas grades" for canvas_grades, "Files: read file" for files__read_file."""
    return name.replace("__", ": ").replace("_", " ").capitalize()
