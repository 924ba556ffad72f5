"""Commands of the operator that are longer than a few lines; `manage.py` lists them all."""
