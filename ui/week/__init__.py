"""Components of the week page: header, calendar, list, and dialogs."""
