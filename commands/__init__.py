"""The longer ones of the operator's commands; `manage.py` lists them all."""
