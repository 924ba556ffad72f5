"""What the Insights page calls things: contexts, tools, days, money."""

from datetime import date

CONTEXTS = {
    "courses": "Courses",
    "calendar": "Calendar",
    "notes": "Notes",
    "search": "Web search",
    "news": "News",
    "github": "GitHub",
    "links": "Links",
    "planner": "Planner",
    "documents": "Documents",
    "mail": "Mail",
    "writing": "Writing",
    "study": "Study",
    "jira": "Jira",
    "none": "Something else",
}
STRATEGIES = {
    "frozen": "All tools at once",
    "append": "Tools added when needed",
    "per_message": "Other tools for each message",
}
CENT = 0.01


def context(name: str) -> str:
    return CONTEXTS.get(name, name.replace("_", " ").capitalize())


def strategy(name: str) -> str:
    return STRATEGIES.get(name, name.replace("_", " ").capitalize())


def day(when: date) -> str:
    """ "Fri 27 Nov"."""
    return f"{when:%a} {when.day} {when:%b}"


def short_day(when: date) -> str:
    """ "27 Nov"."""
    return f"{when.day} {when:%b}"


def period(days: int) -> str:
    return "the last week" if days == 7 else f"the last {days} days"


def money(dollars: float) -> str:
    """ "under 1 cent", "about 12 cents" or "about $3.40"."""
    if dollars < CENT:
        return "under 1 cent"
    cents = round(dollars / CENT)
    if cents < 100:
        return f"about {cents} cent{'s' if cents > 1 else ''}"
    return f"about ${dollars:,.2f}"


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 question" or "1,200 questions"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def tokens(number: int) -> str:
    """ "840" or "12,400": to three figures, as these are estimates."""
    if abs(number) < 1_000:
        return f"{number:,}"
    scale: int = 10 ** (len(str(abs(number))) - 3)
    return f"{round(number / scale) * scale:,}"
