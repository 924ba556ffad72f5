"""What Homeroom says to a student, in their language: one catalogue of texts, and dates and numbers by locale.

Code writes English; `es.po` beside this page holds the same in Spanish. `collect` brings it up to date.
"""

from services.language.saying import say as say
from services.language.saying import say_count as say_count
from services.language.saying import to_say as to_say
from services.language.speaking import COOKIE as COOKIE
from services.language.speaking import DEFAULT as DEFAULT
from services.language.speaking import LANGUAGES as LANGUAGES
from services.language.speaking import language as language
from services.language.speaking import locale as locale
from services.language.speaking import nearest as nearest
from services.language.speaking import otherwise as otherwise
from services.language.speaking import speak as speak
from services.language.speaking import spoken as spoken
