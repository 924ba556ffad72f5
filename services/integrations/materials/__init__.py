"""Course materials: tools that list a course's files and pages, read them by page, and search them.

`access` finds the course and the material that words mean, `page_ranges` the pages; `passages` writes pages for the
model, each as a source of its own.
"""

from services.i18n import gettext_noop
from services.integrations.materials.tools.catalogue import materials_list
from services.integrations.materials.tools.pages import materials_read
from services.integrations.materials.tools.search import materials_search

TOOLS = (materials_list, materials_read, materials_search)
LABEL = gettext_noop("Course materials")
