"""Words of days, months, numbers and parts of the day, English and Spanish, as patterns on folded text."""

WEEKDAYS = (
    "monday|mondays|mon|lunes",
    "tuesday|tuesdays|tues|tue|teusday|tusday|martes",
    "wednesday|wednesdays|wed|weds|wendsday|wensday|wednsday|wendesday|miercoles",
    "thursday|thursdays|thurs|thur|thu|thrusday|thursady|thurday|jueves",
    "friday|fridays|fri|firday|frday|viernes",
    "saturday|saturdays|sat|saterday|sabado|sabados",
    "sunday|sundays|sun|domingo|domingos",
)
MONTHS = (
    "january|jan|enero|ene", "february|feb|febrero", "march|mar|marzo", "april|apr|abril|abr", "may|mayo",
    "june|jun|junio",
    "july|jul|julio", "august|aug|agosto|ago", "september|sept|sep|septiembre|setiembre", "october|oct|octubre",
    "november|nov|noviembre", "december|dec|diciembre|dic",
)  # fmt: skip
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45,
    "fortyfive": 45, "sixty": 60, "ninety": 90, "a couple of": 2, "couple of": 2, "a few": 3, "several": 3,
    "un": 1, "una": 1, "uno": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8,
    "nueve": 9, "diez": 10, "once": 11, "doce": 12, "quince": 15, "veinte": 20, "treinta": 30, "cuarenta": 40,
    "sesenta": 60, "noventa": 90, "un par de": 2, "unos": 3,
}  # fmt: skip
# First and last hour of each part of the day.
PARTS = {
    "morning": (8, 12), "afternoon": (12, 17), "evening": (17, 21), "night": (19, 23), "lunchtime": (12, 14),
    "tarde": (12, 20), "noche": (19, 23), "madrugada": (0, 6),
}  # fmt: skip
MISSPELT_PARTS = {
    "evning": "evening",
    "evenin": "evening",
    "aftrnoon": "afternoon",
    "afternon": "afternoon",
    "mornin": "morning",
}

WEEKDAY = "|".join(WEEKDAYS)
MONTH = "|".join(MONTHS)
NUMBER = r"\d+(?:[.,]\d+)?|" + "|".join(sorted((word.replace(" ", r"\s+") for word in NUMBERS), key=len, reverse=True))
PART = "|".join([*PARTS, *MISSPELT_PARTS])


def index_of(groups: tuple[str, ...], word: str) -> int:
    """The position of the group that has the word; 0 is Monday or January."""
    return next(at for at, group in enumerate(groups) if word in group.split("|"))


def number(word: str) -> float:
    """A number written in figures or as a word."""
    word = " ".join(word.split())
    return float(NUMBERS[word]) if word in NUMBERS else float(word.replace(",", "."))
