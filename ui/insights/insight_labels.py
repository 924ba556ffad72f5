"""Labels of the Insights page: contexts, strategies, days, money and counts."""

from datetime import date

from services.i18n import formats, gettext, gettext_noop, ngettext

CONTEXTS = {
    "courses": gettext_noop("Courses"),
    "calendar": gettext_noop("Calendar"),
    "notes": gettext_noop("Notes"),
    "search": gettext_noop("Web search"),
    "news": gettext_noop("News"),
    "github": "GitHub",
    "links": gettext_noop("Links"),
    "planner": gettext_noop("Planner"),
    "study": gettext_noop("Study"),
    "documents": gettext_noop("Documents"),
    "mail": gettext_noop("Mail"),
    "writing": gettext_noop("Writing"),
    "jira": "Jira",
    "agile": gettext_noop("Sprints"),
    "communication": gettext_noop("Comments and messages"),
    "users": gettext_noop("People"),
    "none": gettext_noop("Something else"),
}
STRATEGIES = {
    "frozen": gettext_noop("All tools at once"),
    "append": gettext_noop("Tools added when needed"),
    "per_message": gettext_noop("Other tools for each message"),
}
CENT = 0.01
WORDS_A_TOKEN = 0.75


def context_label(name: str) -> str:
    return gettext(CONTEXTS[name]) if name in CONTEXTS else name.replace("_", " ").capitalize()


def strategy_label(name: str) -> str:
    return gettext(STRATEGIES[name]) if name in STRATEGIES else name.replace("_", " ").capitalize()


def day_label(when: date) -> str:
    """Day: "Fri 27 Nov"."""
    return formats.short_day(when)


def short_day_label(when: date) -> str:
    """Day without weekday: "27 Nov"."""
    return formats.pattern(when, "d MMM")


def period_label(days: int) -> str:
    return gettext("the last week") if days == 7 else gettext("the last {n} days", n=days)


def money_label(dollars: float) -> str:
    """Amount: "under 1 cent", "about 12 cents" or "about $3.40"."""
    if dollars < CENT:
        return gettext("under 1 cent")
    cents = round(dollars / CENT)
    if cents < 100:
        return ngettext("about {n} cent", "about {n} cents", cents)
    return gettext("about ${amount}", amount=formats.number(dollars, 2))


def question_count(number: int) -> str:
    """Count: "1 question" or "1,200 questions"."""
    return ngettext("{n} question", "{n} questions", number)


def tool_count(number: int) -> str:
    return ngettext("{n} tool", "{n} tools", number)


def words_of(tokens: int) -> int:
    """Words that so many of a model's tokens make, about: students count in words."""
    return round(tokens * WORDS_A_TOKEN)


def word_count(tokens: int) -> str:
    """Count of words, of tokens: "840" or "12,400", to three figures, as these are estimates."""
    number = words_of(tokens)
    if abs(number) < 1_000:
        return formats.number(number)
    scale: int = 10 ** (len(str(abs(number))) - 3)
    return formats.number(round(number / scale) * scale)
