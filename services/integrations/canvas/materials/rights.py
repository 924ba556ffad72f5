"""Rights at this moment: which of some materials a student may still read, asked with few requests."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from services.errors import ItemNotFound, PermissionMissing, RequestRefused
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.listing import ModuleItem, module_items
from services.integrations.canvas.materials.locks import is_published, is_said
from services.integrations.canvas.materials.material_ids import MaterialId
from services.integrations.canvas.materials.rows import CourseRows
from services.integrations.canvas.payloads import Json, Row, is_id
from services.materials.material import Material, MaterialKind

_FEW = 4
"""So many things are asked for one by one; for more the list is asked, which tells a hundred in a request."""
_MOST_NUMBERS = 40
"""Numbers in one request for some assignments."""
_READ_ERRORS = (KeyError, TypeError, ValueError, AttributeError)
_ITEM_KINDS = {"File": "file", "Assignment": "assignment", "Discussion": "topic"}
