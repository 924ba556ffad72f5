"""`CanvasMaterials`: a student's Canvas as a source of course materials."""

import re
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from html import escape

from services.errors import ItemNotFound, PermissionMissing
from services.i18n import gettext
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import read_courses
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.download import FILE_LIMIT_BYTES, file_too_large
from services.integrations.canvas.materials.linked import fetch_link
from services.integrations.canvas.materials.listing import list_course, module_items, place_items
from services.integrations.canvas.materials.rights import readable_ids
from services.integrations.canvas.materials.rows import PREFIX, CourseRows, html_of, is_quiz
from services.integrations.canvas.payloads import Json, object_of
from services.materials.material import Material, MaterialCourse, MaterialKind
from services.materials.source import MaterialContent, MaterialListing
from services.runtime.clock import Clock, utc_now
from services.safety.fetch import SafeFetch
