"""Everything that would survive without Streamlit and HTTP."""

from services.runtime import old_imports

old_imports.install()
