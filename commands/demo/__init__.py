"""`manage.py demo`: a class of made-up students for a room full of people, gone without a trace when it ends."""
