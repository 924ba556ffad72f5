import logging
from tests.pages.test_week import *
from tests.pages.conftest import *
import ui.error_boundary as eb
def test_dbg(maya, clock, monkeypatch):
    import streamlit.error_util as su, traceback
    import streamlit.runtime.scriptrunner.exec_code as ec
    orig=ec.handle_uncaught_app_exception
    monkeypatch.setattr(ec,'handle_uncaught_app_exception',lambda e:(traceback.print_exception(e),orig(e)))
    add(maya, "Read chapter 7", clock, hours=-1)
    maya.opens("week")
    assert 0
