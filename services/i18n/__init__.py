"""Texts, dates and numbers in a student's language.

Code writes English, which is the key of each text; `locales/` holds the other languages. `make messages` updates them.
"""

from services.i18n.locale import DEFAULT_LOCALE as DEFAULT_LOCALE
from services.i18n.locale import LANGUAGE_COOKIE as LANGUAGE_COOKIE
from services.i18n.locale import LANGUAGES as LANGUAGES
from services.i18n.locale import get_language as get_language
from services.i18n.locale import get_locale as get_locale
from services.i18n.locale import locale_scope as locale_scope
from services.i18n.locale import negotiate_locale as negotiate_locale
from services.i18n.locale import set_locale as set_locale
from services.i18n.locale import set_locale_selector as set_locale_selector
from services.i18n.messages import gettext as gettext
from services.i18n.messages import gettext_noop as gettext_noop
from services.i18n.messages import ngettext as ngettext
