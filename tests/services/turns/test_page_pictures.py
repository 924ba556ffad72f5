"""Pages that only their picture tells: stored as a reference, sent as an image, told in words where that does not go."""

import json
from typing import Any

import pytest

from services.errors import ModelRefused
from services.materials.picture_blocks import MOST_PICTURES, PageReference, expand_pictures
from services.materials.results import PagePicture
from services.tools.result import Source, ToolResult
from tests.agent_fakes import FakeModel, calls, says
from tests.material_fakes import PIXEL, FakeLibrary
from tests.rooms import Room

URL = "https://homeroom.example/materials?open=canvas-1.file-2&page=3"
