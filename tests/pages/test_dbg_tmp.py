import logging

from tests.pages.conftest import *
from tests.pages.test_week import *


def test_dbg(maya, clock, caplog):
    logging.getLogger("streamlit.error_util").filters.clear()
    add(maya, "Read chapter 7", clock, hours=-1)
    maya.opens("week")
    assert 0
