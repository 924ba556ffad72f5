"""Components of the week page: header, schedule, and the study dialog."""
