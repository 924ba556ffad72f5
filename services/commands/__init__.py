"""The operator's commands that are more than a few lines; `manage.py` names them all."""
