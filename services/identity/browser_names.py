"""Names of browsers: from a User-Agent header to "Firefox on Windows", and in the reader's language."""

from services.i18n import gettext, gettext_noop

UNNAMED = gettext_noop("A browser")
_ON = " on "
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", gettext_noop("an iPhone")),
    ("iPad", gettext_noop("an iPad")),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", gettext_noop("a Mac")),
    ("Linux", "Linux"),
)


def browser_name(user_agent: str) -> str:
    """The browser and the system, without versions and models, which would identify a student."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), UNNAMED)
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), None)
    return f"{browser}{_ON}{system}" if system else browser


def localized_browser_name(name: str) -> str:
    """A browser's name, which is stored in English, in the reader's language."""
    browser, on, system = name.partition(_ON)
    return gettext("{browser} on {system}", browser=gettext(browser), system=gettext(system)) if on else gettext(name)
