"""What the Insights page calls things: contexts, tools, days, money."""

from datetime import date

from services.language import dates, say, say_count, to_say

CONTEXTS = {
    "courses": to_say("Courses"),
    "calendar": to_say("Calendar"),
    "notes": to_say("Notes"),
    "search": to_say("Web search"),
    "news": to_say("News"),
    "github": "GitHub",
    "links": to_say("Links"),
    "planner": to_say("Planner"),
    "documents": to_say("Documents"),
    "mail": to_say("Mail"),
    "writing": to_say("Writing"),
    "jira": "Jira",
    "none": to_say("Something else"),
}
STRATEGIES = {
    "frozen": to_say("All tools at once"),
    "append": to_say("Tools added when needed"),
    "per_message": to_say("Other tools for each message"),
}
CENT = 0.01


def context(name: str) -> str:
    return say(CONTEXTS[name]) if name in CONTEXTS else name.replace("_", " ").capitalize()


def strategy(name: str) -> str:
    return say(STRATEGIES[name]) if name in STRATEGIES else name.replace("_", " ").capitalize()


def day(when: date) -> str:
    """ "Fri 27 Nov"."""
    return dates.short_day(when)


def short_day(when: date) -> str:
    """ "27 Nov"."""
    return dates.pattern(when, "d MMM")


def period(days: int) -> str:
    return say("the last week") if days == 7 else say("the last {n} days", n=days)


def money(dollars: float) -> str:
    """ "under 1 cent", "about 12 cents" or "about $3.40"."""
    if dollars < CENT:
        return say("under 1 cent")
    cents = round(dollars / CENT)
    if cents < 100:
        return say_count("about {n} cent", "about {n} cents", cents)
    return say("about ${amount}", amount=dates.number(dollars, 2))


def questions(number: int) -> str:
    """ "1 question" or "1,200 questions"."""
    return say_count("{n} question", "{n} questions", number)


def tools(number: int) -> str:
    return say_count("{n} tool", "{n} tools", number)


def tokens(number: int) -> str:
    """ "840" or "12,400": to three figures, as these are estimates."""
    if abs(number) < 1_000:
        return dates.number(number)
    scale: int = 10 ** (len(str(abs(number))) - 3)
    return dates.number(round(number / scale) * scale)
