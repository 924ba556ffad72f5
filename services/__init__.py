"""Services: the whole product without its pages (Streamlit) and its HTTP API."""

from services.runtime import old_imports

old_imports.install()
