"""Attachments: answers from the own words of files that came with a message."""
